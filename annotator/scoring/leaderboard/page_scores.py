"""The pages behind a row of the leaderboard, worst first, and the scores of one page."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import F, QuerySet

from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_set_of, label_sets_of
from annotator.runs.models import Extractor
from annotator.runs.tuned_on import TunedOn, tuned_on
from annotator.scoring.leaderboard.columns import NO_PAGES, scored_pages
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.queries import chosen_labels, finished_scores, scored_gold
from annotator.scoring.leaderboard.ranking import BLIND
from annotator.scoring.leaderboard.scored import MOST_RESAMPLED
from annotator.scoring.measuring import STORED, stored_under, told_sets, unpacked
from annotator.scoring.models import CountedScore, Score
from annotator.scoring.totals import queries as totals
from annotator.scoring.totals.figures import CELLS, Kind, f1_of
from extraction.metrics.character import from_matrix
from extraction.metrics.pages import PageScore


@dataclass(frozen=True)
class PageScoreRow:
    """One page behind a row of the leaderboard."""

    page_id: int
    title: str
    site: str
    language: str
    # None where the metric could not be computed.
    score: PageScore | None
    blind: bool
    tuned_on: bool
    error: str
    gold_source: str


def worst_first(
    corpus: Corpus, extractor: Extractor, filters: LeaderboardFilters, labels: str
) -> Sequence[int] | QuerySet[CountedScore, int]:
    """Return the pages on which the extractor was scored, worst first, equal ones by their keys.

    Those without a value come last. F1 is compared by its first four digits.
    """
    if (filters.metric, labels) not in CELLS:
        return _worst_by_single_label(corpus, extractor, filters, labels)
    scores = CountedScore.objects.filter(
        corpus=corpus.pk, extractor=extractor, **totals.lookups(filters.selection, "page__"),
        # Characters are counted wherever the gold distinguishes the label set.
        **{f"f1__{CELLS.index((STORED, labels))}__isnull": False},
    )  # fmt: skip
    if filters.gold == BLIND:
        scores = scores.alias(blind=F("kind").bitand(int(Kind.BLIND))).filter(blind__gt=0)
    worst = scores.order_by(f"f1__{CELLS.index((filters.metric, labels))}", "page")
    return worst.values_list("page", flat=True)


def _worst_by_single_label(
    corpus: Corpus, extractor: Extractor, filters: LeaderboardFilters, labels: str
) -> list[int]:
    """Single labels have no order of their own: a sample of the pages stands for them."""
    scored = scored_pages(corpus, filters.metric, labels, filters.selection, sample=MOST_RESAMPLED)
    found = scored.get(extractor.pk, NO_PAGES)
    if filters.gold == BLIND:
        found = found.where(found.kinds & int(Kind.BLIND) > 0)
    f1 = f1_of(*found.parts.T[3:])
    return [int(page) for page in found.pages[np.lexsort((found.pages, f1))]]


def page_count(corpus: Corpus, extractor: Extractor, filters: LeaderboardFilters, labels: str) -> int:
    """Return how many pages `worst_first` has."""
    if filters.selection.is_combined:
        worst = worst_first(corpus, extractor, filters, labels)
        return worst.count() if isinstance(worst, QuerySet) else len(worst)
    sums = totals.sums_of(corpus, STORED, labels, filters.selection.single).get(extractor.pk, {})
    return sum(each.pages for kind, each in sums.items() if filters.gold != BLIND or Kind.BLIND in kind)


def page_rows(
    corpus: Corpus, extractor: Extractor, pages: Iterable[int], *, labels: str, metric: str = STORED
) -> list[PageScoreRow]:
    """Return these pages with the scores of the extractor, worst first."""
    scores = finished_scores(corpus, labels).filter(
        extraction__extractor=extractor, gold__page__in=list(pages)
    )
    members = label_set_of(corpus, labels)
    seen = tuned_on(corpus.pk, [extractor.pk])[extractor.pk]
    rows = [_page_row(score, labels, metric, members, seen) for score in _with_page(scores, metric)]
    return sorted(rows, key=lambda row: (row.score.f1 if row.score else math.inf, row.page_id))


def _page_row(
    score: Score, labels: str, metric: str, members: Collection[str], seen: TunedOn
) -> PageScoreRow:
    page = score.gold.page
    return PageScoreRow(
        page_id=page.pk,
        title=str(page),
        site=page.site,
        language=page.language,
        score=score_of(score, labels, members, metric),
        blind=score.blind,
        tuned_on=page in seen,
        error=score.extraction.error,
        gold_source=score.gold.source,
    )


def _with_page(scores: QuerySet[Score], metric: str) -> QuerySet[Score]:
    stored = ["matrix"] if metric == STORED else ["measurement__figures"]
    related = [] if metric == STORED else ["measurement"]
    return scores.select_related("gold__page", "extraction", *related).only(
        *stored,
        "blind",
        "gold__source",
        "gold__page__title",
        "gold__page__url",
        "gold__page__site",
        "gold__page__language",
        "gold__page__sha256",
        "gold__page__cluster",
        "extraction__error",
        "extraction__extractor",
    )


def score_of(score: Score, labels: str, members: Collection[str], metric: str = STORED) -> PageScore | None:
    """Return a score by a metric on a label set, of which `members` are the labels.

    None if the metric has no value for it.
    """
    failed = bool(score.extraction.error)
    if metric == STORED:
        return from_matrix(score.matrix, members, failed=failed)
    stored = score.measurement.figures.get(metric, {}).get(stored_under(labels, members))
    return unpacked(stored, failed=failed) if stored else None


def scores_of_page(corpus: Corpus, page: int, labels: str) -> list[Score]:
    """Return all finished scores of one page against its current gold, by extractor."""
    return list(
        finished_scores(corpus, labels)
        .filter(gold__page=page)
        .select_related("gold__page", "gold__document", "extraction__extractor", "measurement")
        .defer("gold__document__text")
        .order_by("extraction__extractor__name", "pk")
    )


def labels_of_page(corpus: Corpus, page: int, wanted: str | None = None) -> str | None:
    """Return the wanted label set, by default the corpus's, or another that the page's gold distinguishes.

    None if the page has no gold.
    """
    labels = chosen_labels(corpus, wanted)
    if scored_gold(corpus, labels).filter(page=page).exists():
        return labels
    return next(iter(label_sets_of_page(corpus, page)), None)


def label_sets_of_page(corpus: Corpus, page: int) -> list[str]:
    """Return the label sets that the page's current gold distinguishes."""
    gold = scored_gold(corpus).filter(page=page).values_list("distinguishable_labels", flat=True)
    return list(told_sets(gold.first() or [], label_sets_of(corpus)))
