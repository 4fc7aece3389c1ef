"""Scores of many pages -> the figures of one row."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from extraction.metrics.averages import PageAverages, quotient
from extraction.metrics.bootstrap import MIN_PAGES, Interval, draws, middle
from extraction.metrics.pages import PageScore, harmonic_mean

#: The figures of every JSON, in their order; scripts rely on them.
_FIRST = ("n", "failures", "precision", "recall", "f1", "f1_page_mean", "f1_low", "f1_high", "micro")


@dataclass(frozen=True, slots=True)
class Micro:
    """Figures of pooled amounts: long pages count more."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of one extractor on `n` pages.

    `f1_of_means` is the harmonic mean of mean precision and mean recall, `f1_page_mean` the mean of the
    pages' own F1, and `f1` the one of these by which the metric is known. `..._low` and `..._high` bound
    figures at 95 %, None below 30 pages. `unplaced` is the share of gold that could not be placed in the
    documents, and `recall_all` counts it as missed. `extras` are means of the metric's further figures.
    """

    n: int
    failures: int
    precision: float
    recall: float
    f1: float
    f1_page_mean: float
    f1_of_means: float
    precision_low: float | None
    precision_high: float | None
    recall_low: float | None
    recall_high: float | None
    f1_low: float | None
    f1_high: float | None
    micro: Micro
    recall_all: float
    unplaced: float
    extras: dict[str, float] = field(default_factory=dict)

    def figures(self) -> dict[str, Any]:
        """The figures as they are printed as JSON."""
        known = asdict(self)
        return {name: known[name] for name in _FIRST}

    def more_figures(self) -> dict[str, Any]:
        """Those that are printed where there is room for all."""
        return {name: value for name, value in asdict(self).items() if name not in _FIRST}


def summarise(scores: Sequence[PageScore], *, by_page: bool = False) -> Summary:
    """Average the scores of pages; without any page all figures are 0. `by_page` says which F1 `f1` is."""
    means = PageAverages(scores, by_page=by_page)
    everywhere = means.everywhere
    precision, recall, f1 = _intervals(means)
    gold, unplaced = sum(s.gold for s in scores), sum(s.gold_unplaced for s in scores)
    return Summary(
        n=len(scores),
        failures=sum(s.failed for s in scores),
        precision=means.precision(everywhere),
        recall=means.recall(everywhere),
        f1=means.f1(everywhere),
        f1_page_mean=means.f1_page_mean(everywhere),
        f1_of_means=means.f1_of_means(everywhere),
        precision_low=precision[0],
        precision_high=precision[1],
        recall_low=recall[0],
        recall_high=recall[1],
        f1_low=f1[0],
        f1_high=f1[1],
        micro=_micro(scores),
        recall_all=quotient(sum(s.recall_all for s in scores), len(scores)),
        unplaced=quotient(unplaced, gold + unplaced),
        extras=_extras(scores),
    )


def _intervals(means: PageAverages) -> list[Interval]:
    """Those of precision, recall and F1, from the same resamples."""
    pages = means.everywhere.size
    if pages < MIN_PAGES:
        return [(None, None)] * 3
    rows = [(means.precision(times), means.recall(times), means.f1(times)) for times in draws(pages)]
    return [middle(column) for column in zip(*rows, strict=True)]


def _micro(scores: Sequence[PageScore]) -> Micro:
    true = sum(s.true for s in scores)
    predicted = sum(s.predicted for s in scores)
    gold = sum(s.gold for s in scores)
    precision, recall = quotient(true, predicted), quotient(true, gold)
    return Micro(precision, recall, harmonic_mean(precision, recall))


def _extras(scores: Sequence[PageScore]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for page in scores:
        for name, value in page.extras.items():
            if value is not None:
                found.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in found.items()}
