"""F1 by day: on the pages that were gold at the end of each of the last days; no database.

Each value is computed from today's gold and extractions of those pages, as in `score_by_size`.
"""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date

from annotator.scoring.leaderboard.averages import average_of
from annotator.scoring.leaderboard.score_by_size import ScoreSeries, first_pages, scores_until

# Days on which pages became gold; earlier ones are left out.
MAX_DAYS = 31


def last_days(days: Sequence[date]) -> list[date]:
    """Return the last days of those on which pages became gold, in order."""
    return sorted(set(days))[-MAX_DAYS:]


def score_by_day(
    days: Sequence[date], series: ScoreSeries, *, pooled: bool, by_page: bool
) -> list[float | None]:
    """Return F1 at the end of each of `last_days`; None where none of its pages was gold yet.

    `days` has the day of each gold page, in the order in which they became gold.
    """
    if not series.scores:
        return [None for _day in last_days(days)]
    means = average_of(series.scores, series.weights, pooled=pooled, by_page=by_page)
    until = scores_until(series, [bisect_right(days, day) for day in last_days(days)])
    return [means.f1(first_pages(means.everywhere, pages)) if pages else None for pages in until]
