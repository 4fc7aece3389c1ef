"""The figures of one report, from the counts of its pages; no database."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from annotator.agreement.choice import ALL, BLIND, MEASURES, PAIRS, SHOWN, SLICES, UNITS, Choice
from annotator.agreement.slices import Names, Record, cells, compared, restricted
from extraction.agreement.counts import PageCounts, View
from extraction.agreement.pool import Pool
from extraction.spans import LABEL_SETS

# The tables of a report: label or set -> figures, or unit -> figures, each as `Figure.to_json`.
Found = dict[str, Any]
Beat = Callable[[], object]

# Why a page that is compared is not among the pairs that were chosen.
NOT_CHOSEN = {
    BLIND: "fewer than two were shown nothing",
    SHOWN: "nobody was shown anything",
    ALL: "fewer than two annotators",
}


def report(records: Sequence[Record], choice: Choice, labels: Sequence[str], beat: Beat) -> Found:
    """All that the agreement page shows of one choice. `beat` is called between tables."""
    pools = {pairs: _chosen(records, pairs, labels) for pairs in PAIRS}
    pool = pools[choice.pairs]
    beat()
    found: Found = {
        "pairs": {pairs: measured(each, choice.unit, choice.view) for pairs, each in pools.items()},
        "units": {unit: measured(pool, unit, choice.view) for unit in UNITS},
    }
    beat()
    found["labels"] = [
        [kind, name, measured(pool, choice.unit, (kind, name))] for kind, name in _views(labels)
    ]
    found["verdict"] = _json(pool.verdicts())
    for by in SLICES:
        beat()
        found[by] = _slice(records, by, choice, labels)
    return found


def measured(pool: Pool, unit: str, view: View | None) -> Found:
    """The figures that a unit has."""
    found = {**pool.spans(view), **pool.unitizing(view)} if unit == "span" else pool.units(unit, view)
    return {name: found[name].to_json() for name in MEASURES[unit]}


def of_page(counts: PageCounts, choice: Choice, labels: Sequence[str]) -> Found:
    """The chosen figure of one page."""
    return dict(measured(Pool([counts], labels=labels), choice.unit, choice.view)[choice.measure])


class _Chosen:
    """Pages as those who are compared there annotated them, their weights, and how many were not chosen."""

    def __init__(self, pairs: str) -> None:
        self._why = NOT_CHOSEN[pairs]
        self._pages: list[PageCounts] = []
        self._weights: list[float] = []
        self.others = 0

    def add(self, record: Record, names: Names) -> None:
        if record.counts:
            self._pages.append(restricted(record.counts, names))
            self._weights.append(record.weight)

    def pool(self, labels: Sequence[str]) -> Pool:
        left_out = {self._why: self.others}
        return Pool(self._pages, labels=labels, weights=self._weights, left_out=left_out)


def _chosen(records: Sequence[Record], pairs: str, labels: Sequence[str]) -> Pool:
    found = _Chosen(pairs)
    for record in records:
        names = compared(record, pairs)
        if names:
            found.add(record, names)
        elif compared(record, ALL):
            found.others += 1
    return found.pool(labels)


def _slice(records: Sequence[Record], by: str, choice: Choice, labels: Sequence[str]) -> list[list[Any]]:
    """The cells of a slice with their figures, by value."""
    found: dict[str, _Chosen] = {}
    others: Counter[str] = Counter()
    for record in records:
        mine = dict(cells(record, by, choice.pairs))
        for value, names in mine.items():
            found.setdefault(value, _Chosen(choice.pairs)).add(record, names)
        others.update(value for value, _names in cells(record, by, ALL) if value not in mine)
    for value, chosen in found.items():
        chosen.others = others[value]
    return [[value, measured(found[value].pool(labels), choice.unit, choice.view)] for value in sorted(found)]


def _views(labels: Sequence[str]) -> list[View]:
    return [*(("label", name) for name in labels), *(("set", name) for name in LABEL_SETS)]


def _json(found: dict[str, Any]) -> Found:
    return {name: figure.to_json() for name, figure in found.items()}
