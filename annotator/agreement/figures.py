"""The figures of one report, from the counts of its pages, without the database."""

from collections import Counter, defaultdict
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
# A page with the annotators who are compared there.
Selected = tuple[ComparedRound, Names]

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


def _pool(selected: Sequence[Selected], excluded: int, pairs: str, labels: Sequence[str]) -> Pool:
    """The selected pages, each as if only those who are compared there had annotated it."""
    return Pool(
        [restricted(record.counts, names) for record, names in selected if record.counts],
        labels=labels,
        sets=label_sets(labels),
        weights=[record.weight for record, _names in selected if record.counts],
        left_out={NOT_SELECTED[pairs]: excluded},
    )


def _selected_pool(records: Sequence[ComparedRound], pairs: str, labels: Sequence[str]) -> Pool:
    selected: list[Selected] = []
    excluded = 0
    for record in records:
        names = compared(record, pairs)
        if names:
            selected.append((record, names))
        elif compared(record, ALL):
            excluded += 1
    return _pool(selected, excluded, pairs, labels)


def _slice(
    records: Sequence[ComparedRound], by: str, selection: ReportSelection, labels: Sequence[str]
) -> list[list[Any]]:
    """The figures of each cell of a slice, sorted by value."""
    found: dict[str, list[Selected]] = defaultdict(list)
    excluded: Counter[str] = Counter()
    for record in records:
        selected = dict(cells(record, by, selection.pairs))
        for value, names in selected.items():
            found[value].append((record, names))
        excluded.update(value for value, _names in cells(record, by, ALL) if value not in selected)
    pools = {value: _pool(found[value], excluded[value], selection.pairs, labels) for value in sorted(found)}
    return [[value, measured(pool, selection.unit, selection.view)] for value, pool in pools.items()]


def _views(labels: Sequence[str]) -> list[View]:
    return [*(("label", name) for name in labels), *(("set", name) for name in LABEL_SETS)]
