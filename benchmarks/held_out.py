"""`goldpan` and the strongest peer on training pages and on held-out pages.

Pages whose id has an even SHA-256 may be training pages. The odd half, which is held out, is listed first.
"""

from collections.abc import Callable, Sequence

from benchmarks import published_corpora
from benchmarks.published_corpora import PublishedCorpus
from benchmarks.speed import OPPONENT
from extraction.evaluation import EvaluationRow
from extraction.evaluation.comparison import RowComparison, compare
from extraction.extractors import get
from extraction.extractors.learned.goldpan_training import is_even
from extraction.formats.records import PageRecord

OURS = "goldpan"

HALVES: dict[str, Callable[[str], bool]] = {
    "odd": lambda location: not is_even(location),
    "all": lambda _place: True,
    "even": is_even,
}


def halves(
    corpus: PublishedCorpus, by_metric: dict[str, list[EvaluationRow]], limit: int | None = None
) -> list[str]:
    """Return a line for each metric, half and extractor."""
    tuned_on = learned_from(corpus, limit)
    lines = [
        f"| metric | pages | n | learned from | extractor | P | R | F1 | less {OPPONENT} | 95 % | p |",
        "| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for metric, rows in by_metric.items():
        for half, keep in HALVES.items():
            chosen = [
                row.where(keep) for name in (OURS, OPPONENT) for row in rows if row.candidate.name == name
            ]
            if chosen[0].results:
                lines += _half(metric, half, chosen, tuned_on)
    return lines


def learned_from(corpus: PublishedCorpus, limit: int | None = None) -> frozenset[str]:
    """Return the locations of the training pages."""
    tuned_on = get(OURS).tuned_on
    return frozenset(
        record.location
        for record in published_corpora.records(corpus, limit)
        if isinstance(record, PageRecord) and record.sha256 in tuned_on
    )


def _half(metric: str, half: str, rows: Sequence[EvaluationRow], tuned_on: frozenset[str]) -> list[str]:
    against = next((row for row in rows if row.candidate.name == OPPONENT), None)
    compared = compare(rows, against) if against else [None] * len(rows)
    lines = []
    for row, comparison in zip(rows, compared, strict=True):
        summary, name = row.summary, row.candidate.name
        learned = sum(result.location in tuned_on for result in row.results) if name == OURS else 0
        setting = row.candidate.parameters.get("setting")
        who = f"{name}, {setting}" if setting else name
        figures = " | ".join(f"{figure:.3f}" for figure in (summary.precision, summary.recall, summary.f1))
        lines.append(
            f"| {metric} | {half} | {summary.n} | {learned} | {who} | {figures} | {_compared(comparison)} |"
        )
    return lines


def _compared(comparison: RowComparison | None) -> str:
    if comparison is None:
        return "| |"
    difference, p = comparison.difference, comparison.p_holm
    bounds = "" if difference.low is None else f"{difference.low:+.3f} to {difference.high:+.3f}"
    return f"{difference.value:+.3f} | {bounds} | {probability(p)}"


def probability(p: float | None) -> str:
    if p is None:
        return ""
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"
