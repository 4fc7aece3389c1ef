"""The counts behind a figure as CSV: a line for each page, pair of annotators and pair of labels."""

from collections.abc import Iterable, Iterator, Mapping

from annotator.agreement.selection import ReportSelection, SliceCell
from annotator.agreement.slices import ComparedRound, in_cell, restricted
from extraction.agreement.counts import PairCounts, View
from extraction.spans import CONTENT, LABEL_SETS

PAIR_COLUMNS = (
    "page", "weight", "site", "language", "week",
    "first", "second", "first_shown", "second_shown", "first_guideline", "second_guideline",
)  # fmt: skip
UNIT_COLUMNS = ("unit", "first_label", "second_label", "units")
SPAN_COLUMNS = (
    "label",
    "first_spans",
    "second_spans",
    "same_edges",
    "first_overlapping",
    "second_overlapping",
)

Line = list[str | int]


def csv_rows(
    records: Iterable[tuple[ComparedRound, str]],
    selection: ReportSelection,
    cell: SliceCell,
    names: Mapping[str, str],
    extractors: Mapping[str, str],
) -> Iterator[Line]:
    """The rows of the file, the header first, from pages with their digests."""
    yield [*PAIR_COLUMNS, *(SPAN_COLUMNS if selection.unit == "span" else UNIT_COLUMNS)]
    for record, digest in records:
        compared = in_cell(record, cell, selection.pairs)
        if not compared or record.counts is None:
            continue
        for pair in restricted(record.counts, compared).pairs:
            page = [digest, f"{record.weight:.6g}", record.site, record.language, f"{record.week:%Y-%m-%d}"]
            cells = page + _cells(record, pair, names, extractors)
            for line in _counts(record.counts.labels, pair, selection):
                yield [*cells, *line]


def _cells(
    record: ComparedRound, pair: PairCounts, names: Mapping[str, str], extractors: Mapping[str, str]
) -> list[str]:
    participants = {each.key: each for each in record.participants}
    both = (participants[pair.first], participants[pair.second])
    shown = [extractors.get(str(each.shown), str(each.shown)) if each.shown else "nothing" for each in both]
    return [*(names[each.key] for each in both), *shown, *(str(each.guideline) for each in both)]


def _counts(labels: tuple[str, ...], pair: PairCounts, selection: ReportSelection) -> Iterator[Line]:
    if selection.unit == "span":
        yield from _spans(pair, selection.view)
    elif selection.unit in pair.tables:
        yield from _units(labels, pair, selection)


def _units(labels: tuple[str, ...], pair: PairCounts, selection: ReportSelection) -> Iterator[Line]:
    """The non-empty cells of the pair's table; under a view all other labels are "other"."""
    found: dict[tuple[str, str], int] = {}
    for row, of_row in zip(labels, pair.tables[selection.unit].tolist(), strict=True):
        for column, count in zip(labels, of_row, strict=True):
            key = (_merged(row, selection.view), _merged(column, selection.view))
            found[key] = found.get(key, 0) + count
    for (first, second), count in found.items():
        if count:
            yield [selection.unit, first, second, count]


def _spans(pair: PairCounts, view: View | None) -> Iterator[Line]:
    for (kind, name), meeting in pair.meetings.items():
        if (kind, name) == view or (view is None and kind == "label"):
            counted = (meeting.first, meeting.second, meeting.exact, meeting.first_hits, meeting.second_hits)
            yield [name, *counted]


def _merged(label: str, view: View | None) -> str:
    if view is None:
        return label or "unlabelled"
    kind, name = view
    if (kind, name) == ("set", "any"):
        return name if label else "other"  # labels of the corpus's own too
    members = {name} if kind == "label" else {*LABEL_SETS[name], CONTENT}
    return name if label in members else "other"
