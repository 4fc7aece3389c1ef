"""By what extractors are ranked, and the figures of one of them on the pages that were chosen."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from annotator.scoring.leaderboard import scored as by_page_columns
from annotator.scoring.leaderboard.scored import MOST_RESAMPLED, Resampled, Scored, around, bounds, resampled
from annotator.scoring.totals.figures import (
    ONE,
    SHARES,
    Averages,
    Kind,
    Sums,
    added,
    averages,
    standard_error,
)
from extraction.evaluation.page_metrics import METRICS
from extraction.metrics.bootstrap import MIN_PAGES, Interval

MACRO, MICRO = "macro", "micro"
ALL, BLIND = "all", "blind"
# Each extractor on all pages that count for it, or all on the pages that count for every one.
OWN, COMMON = "own", "common"


class Ranking(NamedTuple):
    """By which metric, on which gold and pages, and under which average extractors are compared."""

    metric: str
    gold: str = ALL
    mean: str = MACRO
    page_set: str = OWN

    @property
    def blind(self) -> bool:
        return self.gold == BLIND

    @property
    def pooled(self) -> bool:
        return self.mean == MICRO

    @property
    def by_page(self) -> bool:
        """Whether the usual F1 of the metric is the mean of page F1."""
        return METRICS[self.metric].by_page

    def of(self, averages: Averages) -> float:
        """F1 under the chosen average."""
        return averages.micro_f1 if self.pooled else self.macro_of(averages)

    def macro_of(self, averages: Averages) -> float:
        """The macro average of F1 by which the metric is known."""
        return averages.f1_page_mean if self.by_page else averages.f1_of_means

    @property
    def common(self) -> Kind | None:
        """What kind of page counts, where only those do that count for all extractors."""
        if self.page_set != COMMON:
            return None
        return Kind.COMMON_BLIND if self.blind else Kind.COMMON


@dataclass(frozen=True)
class Standing:
    """What is known of one extractor: its totals by kind, and its scores on all pages or on a sample."""

    sums: Mapping[Kind, Sums]
    scored: Scored
    # Whether `scored` has all of its pages, and whether pages are weighted, so that sums do not do.
    is_whole: bool = True
    is_weighted: bool = False

    def total(self, kinds: Iterable[Kind]) -> Sums:
        return added(self.sums[kind] for kind in kinds)


@dataclass(frozen=True)
class SetFigures:
    """The figures of an extractor on some pages, with the resamples or the sample behind their intervals."""

    sums: Sums
    averages: Averages
    macro: Interval
    micro: Interval
    resampled: Resampled | None
    scored: Scored
    effective: float | None = None

    @property
    def pages(self) -> tuple[int, int]:
        """Identifies the set of pages."""
        return self.sums.pages, self.sums.draws


def figures_on(standing: Standing, choice: Ranking, *, blind: bool) -> SetFigures:
    """The figures on all gold or on blind gold that counts, on common pages if those are chosen."""
    kinds = [kind for kind in standing.sums if kind.counts(blind=blind, common=choice.common)]
    total = standing.total(kinds)
    scored = standing.scored.counted(blind=blind, common=choice.common)
    if standing.is_weighted:
        return _weighted(total, scored, choice)
    found = averages(total)
    if total.pages < MIN_PAGES:
        return SetFigures(total, found, (None, None), (None, None), None, scored)
    if standing.is_whole:
        return _resampled(total, found, scored, choice)
    unit = ONE if choice.metric in SHARES else 1
    return SetFigures(
        total,
        found,
        around(
            choice.macro_of(found), standard_error(total, pooled=False, by_page=choice.by_page, unit=unit)
        ),
        around(found.micro_f1, standard_error(total, pooled=True, by_page=choice.by_page, unit=unit)),
        None,
        scored,
    )


def _resampled(total: Sums, found: Averages, scored: Scored, choice: Ranking) -> SetFigures:
    drawn = resampled(scored, by_page=choice.by_page)
    macro, micro = (bounds(drawn.macro), bounds(drawn.micro)) if drawn else ((None, None), (None, None))
    return SetFigures(total, found, macro, micro, drawn, scored, scored.effective)


def _weighted(total: Sums, scored: Scored, choice: Ranking) -> SetFigures:
    found = averages(scored.sums())
    if total.pages <= MOST_RESAMPLED:
        return _resampled(total, found, scored, choice)
    errors = [
        by_page_columns.standard_error(scored, pooled=pooled, by_page=choice.by_page)
        for pooled in (False, True)
    ]
    bounds_of = around(choice.macro_of(found), errors[0]), around(found.micro_f1, errors[1])
    return SetFigures(total, found, *bounds_of, None, scored, scored.effective)
