"""The figures of one report, from the counts of its pages; no database."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from annotator.agreement.choice import MEASURES, PAIRS, SLICES, UNITS, Choice
from annotator.agreement.slices import Record, cells, compared, restricted
from extraction.agreement.counts import PageCounts, View
from extraction.agreement.pool import Pool
from extraction.spans import LABEL_SETS

# The tables of a report: label or set -> figures, or unit -> figures, each as `Figure.to_json`.
Found = dict[str, Any]
Beat = Callable[[], object]


def report(records: Sequence[Record], choice: Choice, labels: Sequence[str], beat: Beat) -> Found:
    """All that the agreement page shows of one choice. `beat` is called between tables."""
    pools = {pairs: Pool(_chosen(records, pairs), labels=labels) for pairs in PAIRS}
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


def _chosen(records: Sequence[Record], pairs: str) -> list[PageCounts]:
    found = ((record.counts, compared(record, pairs)) for record in records)
    return [restricted(counts, names) for counts, names in found if counts and names]


def _slice(records: Sequence[Record], by: str, choice: Choice, labels: Sequence[str]) -> list[list[Any]]:
    """The cells of a slice with their figures, by value."""
    pages: dict[str, list[PageCounts]] = defaultdict(list)
    for record in records:
        for value, names in cells(record, by, choice.pairs):
            if record.counts:
                pages[value].append(restricted(record.counts, names))
    return [
        [value, measured(Pool(pages[value], labels=labels), choice.unit, choice.view)]
        for value in sorted(pages)
    ]


def _views(labels: Sequence[str]) -> list[View]:
    return [*(("label", name) for name in labels), *(("set", name) for name in LABEL_SETS)]


def _json(found: dict[str, Any]) -> Found:
    return {name: figure.to_json() for name, figure in found.items()}
