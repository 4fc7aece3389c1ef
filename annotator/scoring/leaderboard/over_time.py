"""Figures of extractors over time: by day, and by the number of gold pages."""

from collections.abc import Mapping, Sequence

import numpy as np

from annotator.common.dates import utc_day
from annotator.corpora.models import Corpus
from annotator.scoring.leaderboard.ranking import Ranking, Standing
from annotator.scoring.leaderboard.score_by_size import ScoreBySize, ScoreSeries, score_by_size
from annotator.scoring.leaderboard.scored import Scored
from annotator.scoring.models import CountedPage
from annotator.scoring.totals import queries as totals
from annotator.scoring.totals.figures import Kind, Sums, added, averages
from annotator.scoring.totals.slices import DAY, Selection


def trends_of(
    corpus: Corpus,
    labels: str,
    choice: Ranking,
    days: Sequence[str],
    standings: Mapping[int, Standing],
    weights: Mapping[int, float],
) -> dict[int, list[float | None]]:
    """Return F1 of each extractor at the end of each day: on the pages that were gold by then."""
    if weights:
        since = _days_of_pages(corpus)
        return {pk: _weighted_trend(standing, choice, days, since) for pk, standing in standings.items()}
    by_day = totals.sums_by_value(corpus, choice.metric, labels, DAY, days)
    return {
        pk: _trend(standing.sums, [by_day.get(day, {}).get(pk, {}) for day in days], choice)
        for pk, standing in standings.items()
    }


def _trend(
    whole: Mapping[Kind, Sums], days: Sequence[Mapping[Kind, Sums]], choice: Ranking
) -> list[float | None]:
    left = _counting(whole, choice)
    values: list[float | None] = []
    for of_day in reversed(days):
        values.append(_f1(left, choice))
        left = left.less(_counting(of_day, choice))
    return values[::-1]


def _counting(sums: Mapping[Kind, Sums], choice: Ranking) -> Sums:
    counts = (kind.counts(blind=choice.blind, common=choice.common) for kind in sums)
    return added(each for each, is_in in zip(sums.values(), counts, strict=True) if is_in)


def _f1(sums: Sums, choice: Ranking) -> float | None:
    return choice.of(averages(sums)) if sums.pages else None


def _weighted_trend(
    standing: Standing, choice: Ranking, days: Sequence[str], since: Mapping[int, str]
) -> list[float | None]:
    scored = standing.scored.counted(blind=choice.blind, common=choice.common)
    day_of = np.array([since.get(page, "") for page in scored.pages.tolist()])
    until = (scored.where(day_of <= day) for day in days) if len(day_of) else (scored for _day in days)
    return [_f1(each.sums(), choice) for each in until]


def _days_of_pages(corpus: Corpus) -> dict[int, str]:
    pages = CountedPage.objects.filter(corpus=corpus.pk).values_list("page", "since")
    return {page: utc_day(since).isoformat() for page, since in pages.iterator()}


def by_size_of(
    corpus: Corpus, labels: str, choice: Ranking, of: Selection, lines: Sequence[tuple[str, Scored]]
) -> ScoreBySize | None:
    """Return the scores by corpus size of these extractors, each given with its title."""
    pages = totals.scorable(corpus, labels, of)
    order = list(pages.order_by("since", "page").values_list("page", "since"))
    positions = {page: position for position, (page, _since) in enumerate(order)}
    series = [_series(title, scored, choice, positions) for title, scored in lines]
    return score_by_size(
        [since for _page, since in order], series, pooled=choice.pooled, by_page=choice.by_page
    )


def _series(title: str, scored: Scored, choice: Ranking, positions: Mapping[int, int]) -> ScoreSeries:
    """Return the counted scores of a row in the order in which their pages became gold."""
    counted = scored.counted(blind=choice.blind, common=choice.common)
    # A page that became gold between two queries comes last.
    at = np.array([positions.get(page, len(positions)) for page in counted.pages.tolist()], dtype=np.int64)
    order = np.argsort(at, kind="stable")
    ordered = counted.where(order)
    return ScoreSeries(title, ordered.scores(), at[order].tolist(), ordered.weights.tolist())
