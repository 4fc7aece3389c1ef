"""Two extractors on the pages that count for both: who is better, by how much, and where; no database."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from annotator.common.axis import Axis, axis_for
from annotator.scoring.leaderboard.averages import average_of, paired
from extraction.metrics.bootstrap import interval
from extraction.metrics.pages import PageScore
from extraction.metrics.statistics import (
    PairedDifference,
    RankTest,
    mann_whitney,
    pages_to_decide,
    pages_to_decide_range,
    wilcoxon,
)

# Pages whose F1 differ by less are called equal.
EQUAL = 0.005
LISTED_PAGES = 5
# Sites with the most pages are listed, the others are pooled.
LISTED_SITES = 8


@dataclass(frozen=True)
class PairedPage:
    """The scores of two extractors on one page. `weight`: how many pages of the corpus it represents."""

    page: int
    site: str
    language: str
    first: PageScore
    second: PageScore
    weight: float = 1.0


class PagePair(NamedTuple):
    """A page by its key, and F1 of both on it."""

    page: int
    first: float
    second: float

    @property
    def difference(self) -> float:
        """By how much the first is better."""
        return self.first - self.second


@dataclass(frozen=True)
class PairFigure:
    """The F1 of one of the two with its interval at 95 %, withheld below 30 pages."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class PairSlice:
    """The difference on some of the pages: of one language or site; "" where it is unknown."""

    name: str
    n: int
    difference: PairedDifference

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves zero out."""
        _value, low, high = self.difference
        return low is not None and high is not None and (low > 0 or high < 0)


@dataclass(frozen=True)
class Pair:
    """The comparison of two extractors. Differences are positive where the first is better."""

    pages: list[PagePair]
    first: PairFigure
    second: PairFigure
    difference: PairedDifference
    wilcoxon: RankTest
    mann_whitney: RankTest
    # Pages needed beyond these, as `pages_to_decide`.
    more_pages: int | None
    # Between which numbers that lies in 80 % of cases, as `pages_to_decide_range`.
    more_pages_range: tuple[int, int | None] | None
    languages: list[PairSlice]
    sites: list[PairSlice]
    other_sites: PairSlice | None

    @property
    def whole(self) -> PairSlice:
        return PairSlice("", len(self.pages), self.difference)

    @property
    def better(self) -> list[PagePair]:
        """The pages on which the first is better, the largest difference first."""
        pages = [page for page in self.pages if page.difference >= EQUAL]
        return sorted(pages, key=lambda page: (-page.difference, page.page))

    @property
    def worse(self) -> list[PagePair]:
        """The pages on which the second is better, the largest difference first."""
        pages = [page for page in self.pages if page.difference <= -EQUAL]
        return sorted(pages, key=lambda page: (page.difference, page.page))

    @property
    def equal(self) -> int:
        """The number of pages on which they do not differ."""
        return sum(abs(page.difference) < EQUAL for page in self.pages)

    @property
    def axis(self) -> Axis:
        """The axis that all differences share."""
        slices = [self.whole, *self.languages, *self.sites, *filter(None, [self.other_sites])]
        return axis_for((0.0, *(bound for each in slices for bound in each.difference)), reach=1.0, most=3)


def compare(pages: Sequence[PairedPage], *, pooled: bool, by_page: bool) -> Pair | None:
    """Compare two extractors; None without a page that counts for both.

    `pooled`: by the micro average. `by_page`: the usual F1 of the metric is the mean of page F1.
    """
    if not pages:
        return None

    def difference_on(some: Sequence[PairedPage]) -> PairedDifference:
        return paired(
            [page.first for page in some],
            [page.second for page in some],
            [page.weight for page in some],
            pooled=pooled,
            by_page=by_page,
        )

    difference = difference_on(pages)
    sites = _slices(pages, lambda page: page.site, difference_on)
    listed = {each.name for each in sites[:LISTED_SITES]}
    others = [page for page in pages if page.site not in listed]
    first_f1, second_f1 = [page.first.f1 for page in pages], [page.second.f1 for page in pages]
    return Pair(
        pages=[PagePair(page.page, page.first.f1, page.second.f1) for page in pages],
        first=_figure([page.first for page in pages], pages, pooled=pooled, by_page=by_page),
        second=_figure([page.second for page in pages], pages, pooled=pooled, by_page=by_page),
        difference=difference,
        wilcoxon=wilcoxon(first_f1, second_f1),
        mann_whitney=mann_whitney(first_f1, second_f1),
        more_pages=pages_to_decide(difference, len(pages)),
        more_pages_range=pages_to_decide_range(difference, len(pages)),
        languages=_slices(pages, lambda page: page.language, difference_on),
        sites=sites[:LISTED_SITES],
        other_sites=PairSlice("", len(others), difference_on(others)) if others else None,
    )


def _figure(
    scores: Sequence[PageScore], pages: Sequence[PairedPage], *, pooled: bool, by_page: bool
) -> PairFigure:
    means = average_of(scores, [page.weight for page in pages], pooled=pooled, by_page=by_page)
    low, high = interval(len(pages), lambda drawn: means.f1(drawn * means.everywhere))
    return PairFigure(means.f1(means.everywhere), low, high)


def _slices(
    pages: Sequence[PairedPage],
    name_of: Callable[[PairedPage], str],
    difference_on: Callable[[Sequence[PairedPage]], PairedDifference],
) -> list[PairSlice]:
    """Return the slices, those with the most pages first."""
    groups: dict[str, list[PairedPage]] = defaultdict(list)
    for page in pages:
        groups[name_of(page)].append(page)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return [PairSlice(name, len(some), difference_on(some)) for name, some in ordered]
