"""The counts behind any figure as CSV: a line for each page, pair of annotators and pair of labels."""

import csv
from collections.abc import Iterable, Iterator, Mapping

from annotator.agreement.choice import Cell, Choice
from annotator.agreement.slices import Record, in_cell, restricted
from extraction.agreement.counts import PairCounts, View
from extraction.spans import CONTENT, LABEL_SETS

FACTS = (
    "page", "weight", "site", "language", "week",
    "first", "second", "first_shown", "second_shown", "first_guideline", "second_guideline",
)  # fmt: skip
OF_UNITS = ("unit", "first_label", "second_label", "units")
OF_SPANS = ("label", "first_spans", "second_spans", "same_edges", "first_overlapping", "second_overlapping")
# What a spreadsheet would take for the start of a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")

Line = list[str | int]


class Echo:
    """A file that hands back what is written."""

    def write(self, line: str) -> str:
        return line


def sheet(
    records: Iterable[tuple[Record, str]],
    choice: Choice,
    cell: Cell,
    names: Mapping[str, str],
    extractors: Mapping[str, str],
) -> Iterator[str]:
    """The lines of the file, from records with the digests of their pages."""
    writer = csv.writer(Echo(), lineterminator="\r\n")
    yield writer.writerow([*FACTS, *(OF_SPANS if choice.unit == "span" else OF_UNITS)])
    for record, digest in records:
        compared = in_cell(record, cell, choice.pairs)
        if not compared or record.counts is None:
            continue
        for pair in restricted(record.counts, compared).pairs:
            facts = [digest, f"{record.weight:.6g}", record.site, record.language]
            facts += [f"{record.week:%Y-%m-%d}"]
            facts += _facts(record, pair, names, extractors)
            for line in _counts(record.counts.labels, pair, choice):
                yield writer.writerow([safe(each) for each in (*facts, *line)])


def safe(value: str | int) -> str | int:
    """A cell that no spreadsheet runs."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _facts(
    record: Record, pair: PairCounts, names: Mapping[str, str], extractors: Mapping[str, str]
) -> list[str]:
    parts = {part.name: part for part in record.parts}
    both = (parts[pair.first], parts[pair.second])
    shown = [extractors.get(str(part.shown), str(part.shown)) if part.shown else "nothing" for part in both]
    return [*(names[part.name] for part in both), *shown, *(str(part.guideline) for part in both)]


def _counts(labels: tuple[str, ...], pair: PairCounts, choice: Choice) -> Iterator[Line]:
    if choice.unit == "span":
        yield from _spans(pair, choice.view)
    elif choice.unit in pair.tables:
        yield from _units(labels, pair, choice)


def _units(labels: tuple[str, ...], pair: PairCounts, choice: Choice) -> Iterator[Line]:
    """The cells of the pair's table that are not empty; under a view all other labels are "other"."""
    found: dict[tuple[str, str], int] = {}
    for row, of_row in zip(labels, pair.tables[choice.unit].tolist(), strict=True):
        for column, count in zip(labels, of_row, strict=True):
            key = (_seen(row, choice.view), _seen(column, choice.view))
            found[key] = found.get(key, 0) + count
    for (first, second), count in found.items():
        if count:
            yield [choice.unit, first, second, count]


def _spans(pair: PairCounts, view: View | None) -> Iterator[Line]:
    for (kind, name), meeting in pair.meetings.items():
        if (kind, name) == view or (view is None and kind == "label"):
            counted = (meeting.first, meeting.second, meeting.exact, meeting.first_hits, meeting.second_hits)
            yield [name, *counted]


def _seen(label: str, view: View | None) -> str:
    if view is None:
        return label or "unlabelled"
    kind, name = view
    members = {name} if kind == "label" else {*LABEL_SETS[name], CONTENT}
    return name if label in members else "other"
