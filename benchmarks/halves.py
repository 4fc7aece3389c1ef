"""`goldpan` beside its opponent on the pages it may have learned from, and on those it may not.

Whose id has an even SHA-256 may be learned from; the odd half comes first (no score shown first counts a page
that the extractor was tuned on).
"""

from collections.abc import Callable, Sequence

from benchmarks import published
from benchmarks.published import Corpus
from benchmarks.speed import OPPONENT
from extraction.comparison import Comparison, compare
from extraction.evaluation import Row
from extraction.extractors import get
from extraction.formats import Record
from extraction.learned.goldpan import is_even

OURS = "goldpan"

HALVES: dict[str, Callable[[str], bool]] = {
    "odd": lambda place: not is_even(_id(place)),
    "all": lambda _place: True,
    "even": lambda place: is_even(_id(place)),
}


def _id(place: str) -> str:
    return place.rpartition("/")[2]


def halves(corpus: Corpus, by_metric: dict[str, list[Row]], limit: int | None = None) -> list[str]:
    """A line for each metric, half and contender."""
    tuned_on = learned_from(corpus, limit)
    lines = [
        f"| metric | pages | n | learned from | extractor | P | R | F1 | less {OPPONENT} | 95 % | p |",
        "| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for metric, rows in by_metric.items():
        for half, keep in HALVES.items():
            chosen = [
                row.where(keep) for name in (OURS, OPPONENT) for row in rows if row.contender.name == name
            ]
            if chosen[0].results:
                lines += _half(metric, half, chosen, tuned_on)
    return lines


def learned_from(corpus: Corpus, limit: int | None = None) -> frozenset[str]:
    """The places of the pages that the model was learned from."""
    tuned_on = get(OURS).tuned_on
    return frozenset(
        record.place
        for record in published.records(corpus, limit)
        if isinstance(record, Record) and record.sha256 in tuned_on
    )


def _half(metric: str, half: str, rows: Sequence[Row], tuned_on: frozenset[str]) -> list[str]:
    against = next((row for row in rows if row.contender.name == OPPONENT), None)
    compared = compare(rows, against) if against else [None] * len(rows)
    lines = []
    for row, comparison in zip(rows, compared, strict=True):
        summary, name = row.summary, row.contender.name
        learned = sum(result.place in tuned_on for result in row.results) if name == OURS else 0
        setting = row.contender.parameters.get("setting")
        who = f"{name}, {setting}" if setting else name
        figures = " | ".join(f"{figure:.3f}" for figure in (summary.precision, summary.recall, summary.f1))
        lines.append(
            f"| {metric} | {half} | {summary.n} | {learned} | {who} | {figures} | {_compared(comparison)} |"
        )
    return lines


def _compared(comparison: Comparison | None) -> str:
    if comparison is None:
        return "| |"
    difference, p = comparison.difference, comparison.p_holm
    bounds = "" if difference.low is None else f"{difference.low:+.3f} to {difference.high:+.3f}"
    return f"{difference.value:+.3f} | {bounds} | {'' if p is None else f'{p:.4f}'}"
