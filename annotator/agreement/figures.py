"""The figures of one report, from the counts of its pages, without the database."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from annotator.agreement.selection import ALL, BLIND, MEASURES, PAIRS, SHOWN, SLICES, UNITS, ReportSelection
from annotator.agreement.slices import ComparedRound, Names, cells, compared, restricted
from annotator.corpora.labels import label_sets
from extraction.agreement.counts import PageTables, View
from extraction.agreement.pool import Pool
from extraction.spans import LABEL_SETS

# A table of a report: figures by label, label set or unit, each as `Figure.to_json`.
Figures = dict[str, Any]
Heartbeat = Callable[[], object]

# Why a compared page is not among the selected pairs.
NOT_SELECTED = {
    BLIND: "fewer than two were shown nothing",
    SHOWN: "nobody was shown anything",
    ALL: "fewer than two annotators",
}


def report(
    records: Sequence[ComparedRound], selection: ReportSelection, labels: Sequence[str], heartbeat: Heartbeat
) -> Figures:
    """Everything that the agreement screen shows of one selection. `heartbeat` is called between tables."""
    pools = {pairs: _selected_pool(records, pairs, labels) for pairs in PAIRS}
    pool = pools[selection.pairs]
    heartbeat()
    found: Figures = {
        "pairs": {pairs: measured(each, selection.unit, selection.view) for pairs, each in pools.items()},
        "units": {unit: measured(pool, unit, selection.view) for unit in UNITS},
    }
    heartbeat()
    found["labels"] = [
        [kind, name, measured(pool, selection.unit, (kind, name))] for kind, name in _views(labels)
    ]
    found["verdict"] = {name: figure.to_json() for name, figure in pool.verdicts().items()}
    for by in SLICES:
        heartbeat()
        found[by] = _slice(records, by, selection, labels)
    return found


def measured(pool: Pool, unit: str, view: View | None) -> Figures:
    """All measures of a unit."""
    found = {**pool.spans(view), **pool.unitizing(view)} if unit == "span" else pool.units(unit, view)
    return {name: found[name].to_json() for name in MEASURES[unit]}


def of_page(counts: PageTables, selection: ReportSelection, labels: Sequence[str]) -> Figures:
    """The selected figure of one page."""
    pool = Pool([counts], labels=labels, sets=label_sets(labels))
    return dict(measured(pool, selection.unit, selection.view)[selection.measure])


class _PagePool:
    """The selected pages with their weights, each restricted to the annotators who are compared there."""

    def __init__(self, pairs: str) -> None:
        self._why = NOT_SELECTED[pairs]
        self._pages: list[PageTables] = []
        self._weights: list[float] = []
        self.excluded = 0

    def add(self, record: ComparedRound, names: Names) -> None:
        if record.counts:
            self._pages.append(restricted(record.counts, names))
            self._weights.append(record.weight)

    def pool(self, labels: Sequence[str]) -> Pool:
        excluded = {self._why: self.excluded}
        return Pool(
            self._pages, labels=labels, sets=label_sets(labels), weights=self._weights, left_out=excluded
        )


def _selected_pool(records: Sequence[ComparedRound], pairs: str, labels: Sequence[str]) -> Pool:
    found = _PagePool(pairs)
    for record in records:
        names = compared(record, pairs)
        if names:
            found.add(record, names)
        elif compared(record, ALL):
            found.excluded += 1
    return found.pool(labels)


def _slice(
    records: Sequence[ComparedRound], by: str, selection: ReportSelection, labels: Sequence[str]
) -> list[list[Any]]:
    """The figures of each cell of a slice, sorted by value."""
    found: dict[str, _PagePool] = {}
    excluded: Counter[str] = Counter()
    for record in records:
        selected = dict(cells(record, by, selection.pairs))
        for value, names in selected.items():
            found.setdefault(value, _PagePool(selection.pairs)).add(record, names)
        excluded.update(value for value, _names in cells(record, by, ALL) if value not in selected)
    for value, pages in found.items():
        pages.excluded = excluded[value]
    return [
        [value, measured(found[value].pool(labels), selection.unit, selection.view)]
        for value in sorted(found)
    ]


def _views(labels: Sequence[str]) -> list[View]:
    return [*(("label", name) for name in labels), *(("set", name) for name in LABEL_SETS)]
