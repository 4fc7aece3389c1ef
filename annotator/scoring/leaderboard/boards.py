"""The leaderboard of a slice, made from the totals."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from annotator.annotations.study import weights as study
from annotator.common.errors import GoldpanError
from annotator.corpora.models import Corpus
from annotator.gold.queries import gold_weights
from annotator.runs.models import Extractor
from annotator.runs.queries import off_board
from annotator.scoring.leaderboard.columns import NO_PAGES, scored_pages, sums_of
from annotator.scoring.leaderboard.leaderboard import Leaderboard, LeaderboardFigures, rows_of, shown_figures
from annotator.scoring.leaderboard.over_time import by_size_of, trends_of
from annotator.scoring.leaderboard.queries import chosen_labels, label_choices
from annotator.scoring.leaderboard.ranking import ALL, MACRO, OWN, Ranking, Standing, figures_on
from annotator.scoring.leaderboard.score_by_size import MAX_LINES
from annotator.scoring.leaderboard.scored import MOST_RESAMPLED, Scored
from annotator.scoring.measuring import STORED
from annotator.scoring.totals import queries as totals
from annotator.scoring.totals.slices import ALL_PAGES, Selection
from extraction.evaluation.page_metrics import METRICS

# Days on which pages became gold for which the score at their end is shown; earlier ones are left out.
MAX_DAYS = 31


def board(
    corpus: Corpus,
    *,
    labels: str | None = None,
    metric: str = STORED,
    gold: str = ALL,
    mean: str = MACRO,
    page_set: str = OWN,
    of: Selection = ALL_PAGES,
) -> Leaderboard:
    """Make the leaderboard of a slice from the totals, and its intervals.

    Raises GoldpanError for an unknown metric or label set.
    """
    _check_known(metric, METRICS, _("There is no metric “%(name)s”. Known: %(known)s."))
    if labels is not None:
        _check_known(labels, label_choices(corpus), _("There is no label set “%(name)s”. Known: %(known)s."))
    weights = gold_weights(corpus) if study.state(corpus) else {}
    choice = Ranking(metric, gold, mean, page_set)
    return _made(corpus, chosen_labels(corpus, labels), choice, of, weights)


def _check_known(name: str, known: Iterable[str], message: str) -> None:
    if name not in known:
        raise GoldpanError(message % {"name": name, "known": ", ".join(known)})


def _made(
    corpus: Corpus, labels: str, choice: Ranking, of: Selection, weights: Mapping[int, float]
) -> Leaderboard:
    metric = choice.metric
    pages = totals.gold_of_selection(corpus, labels, of)
    is_whole = bool(weights) or pages.pages <= MOST_RESAMPLED
    sums = sums_of(corpus, metric, labels, of)
    left_out = set(off_board(corpus.pk, [str(each) for each in of.slices]).values_list("pk", flat=True))
    scored = scored_pages(corpus, metric, labels, of, None if is_whole else MOST_RESAMPLED, weights)
    standings = {
        pk: Standing(of_extractor, scored.get(pk, NO_PAGES), is_whole, bool(weights))
        for pk, of_extractor in sums.items()
        if pk is not None and pk not in left_out
    }
    extractors = [_described(each) for each in Extractor.objects.filter(pk__in=standings)]
    rows = rows_of(extractors, standings, choice)
    days = [] if of else totals.last_days(corpus, labels, MAX_DAYS)
    trends = trends_of(corpus, labels, choice, days, standings, weights)
    by_size = None
    if pages.pages <= MOST_RESAMPLED:
        lines = [(row.title, scored.get(row.extractor_id, NO_PAGES)) for row in rows[:MAX_LINES]]
        by_size = by_size_of(corpus, labels, choice, of, lines)
    return Leaderboard(
        metric=metric,
        labels=labels,
        gold=choice.gold,
        mean=choice.mean,
        pages=pages.pages,
        rows=[replace(row, trend=trends[row.extractor_id]) for row in rows],
        people=_people(sums, scored, choice, is_whole, bool(weights)),
        unplaced=1 - pages.placed / pages.characters if pages.characters else 0.0,
        unmeasured=0 if metric == STORED else _unmeasured(corpus, labels, of, sums, left_out),
        by_size=by_size,
        days=[date.fromisoformat(day) for day in days],
        page_set=choice.page_set,
        slice=str(of),
    )


def _described(extractor: Extractor) -> dict[str, Any]:
    return {
        "extractor_id": extractor.pk,
        "name": extractor.name,
        "version": extractor.version,
        "parameters": extractor.parameters,
        "title": str(extractor),
        "is_available": extractor.is_available,
        "is_uploaded": extractor.is_uploaded,
    }


def _people(
    sums: totals.SumsByKind,
    scored: Mapping[int | None, Scored],
    choice: Ranking,
    is_whole: bool,
    is_weighted: bool,
) -> LeaderboardFigures | None:
    """Return the scores of annotators against each other on the same pages, before adjudication."""
    if None not in sums:
        return None
    standing = Standing(sums[None], scored.get(None, NO_PAGES), is_whole, is_weighted)
    every = choice._replace(gold=ALL, page_set=OWN)
    return shown_figures(figures_on(standing, every, blind=False), every)


def _unmeasured(
    corpus: Corpus, labels: str, of: Selection, sums: totals.SumsByKind, left_out: Collection[int]
) -> int:
    """Return how many scores have no value by the metric of these sums; by characters each has one."""

    def count(by_extractor: totals.SumsByKind) -> int:
        return sum(
            each.pages
            for pk, by_kind in by_extractor.items()
            if pk is not None and pk not in left_out
            for each in by_kind.values()
        )

    return count(sums_of(corpus, STORED, labels, of)) - count(sums)
