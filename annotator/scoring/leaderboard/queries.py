"""The leaderboard of a corpus, and the pages behind each of its rows."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.agreement.queries import compared_rounds
from annotator.annotations.study import weights as study
from annotator.common.errors import GoldpanError
from annotator.common.verdicts import Verdict
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_set_of, label_sets_of
from annotator.gold.models import Gold
from annotator.gold.queries import gold_weights
from annotator.pages.models import Page
from annotator.releases.models import Release
from annotator.releases.queries import finished as finished_releases
from annotator.runs.models import CorpusExtractor, Extractor
from annotator.runs.queries import off_board
from annotator.scoring.leaderboard.leaderboard import (
    ALL,
    BLIND,
    COMMON,
    MACRO,
    MICRO,
    OWN,
    Leaderboard,
    LeaderboardFigures,
    LeaderboardRow,
    ScoredPage,
    behind_best,
    comparable,
    counted_pages,
    figures_of,
    on_common_pages,
    ranked,
    row_of,
)
from annotator.scoring.leaderboard.pair import PairedPage
from annotator.scoring.leaderboard.score_by_day import last_days, score_by_day
from annotator.scoring.leaderboard.score_by_size import MAX_LINES, ScoreSeries, score_by_size
from annotator.scoring.measuring import STORED, unpacked
from annotator.scoring.models import Score
from annotator.scoring.queries import leaderboard_version
from extraction.evaluation.page_metrics import METRICS
from extraction.metrics.character import from_matrix
from extraction.metrics.pages import PageScore
from extraction.spans import LABEL_SETS, can_tell, together

# Extractors are scored only on pages with an article.
SCORED_VERDICTS = (Verdict.ARTICLE, Verdict.SEVERAL)


def scored_gold(corpus: Corpus, labels: str | None = None) -> QuerySet[Gold]:
    """Return current gold of pages with an article; with `labels`, only what distinguishes that label set."""
    gold = Gold.objects.filter(page__corpus=corpus, current=True, verdict__in=SCORED_VERDICTS)
    return gold.filter(distinguishes(label_set_of(corpus, labels))) if labels else gold


def distinguishes(labels: frozenset[str]) -> Q:
    """Return `spans.can_tell` as a database condition."""
    return Q(distinguishable_labels__contains=sorted(labels)) | Q(
        distinguishable_labels__contains=[together(labels)]
    )


def default_labels(corpus: Corpus) -> str:
    """Return the label set that most of the gold distinguishes; `main` in a tie."""
    golds: dict[str, int] = defaultdict(int)
    sets = label_sets_of(corpus)
    for distinguishable_labels in scored_gold(corpus).values_list("distinguishable_labels", flat=True):
        for name, labels in sets.items():
            golds[name] += can_tell(distinguishable_labels, labels)
    return max(LABEL_SETS, key=lambda name: (golds[name], name == "main"))


def board(
    corpus: Corpus,
    *,
    labels: str | None = None,
    metric: str = STORED,
    gold: str = ALL,
    mean: str = MACRO,
    page_set: str = OWN,
) -> Leaderboard:
    """Compute the leaderboard.

    Raises GoldpanError for an unknown metric or label set.
    """
    _check_known(metric, METRICS, _("There is no metric “%(name)s”. Known: %(known)s."))
    if labels is not None:
        _check_known(labels, LABEL_SETS, _("There is no label set “%(name)s”. Known: %(known)s."))
    weights = gold_weights(corpus) if study.state(corpus) else {}
    return _computed(corpus, labels or default_labels(corpus), metric, gold, mean, page_set, weights)


def state_of(corpus: Corpus) -> str:
    """Return a value that changes whenever a figure of the leaderboard may have changed."""
    return f"{leaderboard_version(corpus)}:{study.state(corpus)}"


def _check_known(name: str, known: Iterable[str], message: str) -> None:
    if name not in known:
        raise GoldpanError(message % {"name": name, "known": ", ".join(known)})


def _computed(
    corpus: Corpus,
    labels: str,
    metric: str,
    gold: str,
    mean: str,
    page_set: str,
    weights: dict[int, float],
) -> Leaderboard:
    golds = _golds(corpus, labels)
    positions = {each.page: position for position, each in enumerate(golds)}
    scored, unmeasured = _scored_pages(corpus, labels, metric, weights, positions)
    if page_set == COMMON:
        scored = on_common_pages(scored, gold)
    with_rank = comparable(scored, gold)
    by_page = METRICS[metric].by_page
    rows = ranked(
        [
            row_of(
                _described(each),
                scored[each.pk],
                gold=gold,
                mean=mean,
                by_page=by_page,
                is_ranked=each.pk in with_rank,
            )
            for each in Extractor.objects.filter(pk__in=scored)
        ]
    )
    rows = behind_best(rows, scored, gold=gold, mean=mean, by_page=by_page)
    known = [(each.characters, each.placed or 0) for each in golds if each.characters]
    days = [timezone.localdate(each.since) for each in golds]
    series = {row.extractor_id: _series(row, scored, gold) for row in rows}
    averages = {"pooled": mean == MICRO, "by_page": by_page}
    return Leaderboard(
        metric=metric,
        labels=labels,
        gold=gold,
        mean=mean,
        pages=len(golds),
        rows=[replace(row, trend=score_by_day(days, series[row.extractor_id], **averages)) for row in rows],
        # Human agreement is computed by characters only.
        people=_people(corpus, labels, list(positions), mean, weights) if metric == STORED else None,
        unplaced=1 - sum(p for _c, p in known) / sum(c for c, _p in known) if known else 0.0,
        unmeasured=unmeasured,
        by_size=score_by_size(
            [each.since for each in golds], [series[row.extractor_id] for row in rows[:MAX_LINES]], **averages
        ),
        days=last_days(days),
        page_set=page_set,
    )


class _GoldPage(NamedTuple):
    """A page with scored gold; `since` is when it first became gold."""

    page: int
    characters: int | None
    placed: int | None
    since: datetime


def _golds(corpus: Corpus, labels: str) -> list[_GoldPage]:
    """Return the pages in the order in which they first became gold."""
    first = Gold.objects.filter(page=OuterRef("page")).order_by("finalised_at").values("finalised_at")[:1]
    golds = scored_gold(corpus, labels).annotate(since=Subquery(first)).order_by("since", "page")
    return [_GoldPage(*row) for row in golds.values_list("page", "characters", "placed", "since")]


def _series(row: LeaderboardRow, scored: dict[int, list[ScoredPage]], gold: str) -> ScoreSeries:
    """Return the counted scores of a row in the order in which their pages became gold."""
    pages = sorted(counted_pages(scored[row.extractor_id], gold), key=lambda page: page.position)
    return ScoreSeries(
        row.title,
        [page.score for page in pages],
        [page.position for page in pages],
        [page.weight for page in pages],
    )


def releases(corpus: Corpus) -> list[Release]:
    """Return the finished releases, oldest first."""
    return list(finished_releases(corpus).defer("datasheets", "manifest").order_by("number"))


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


def finished_scores(corpus: Corpus, labels: str) -> QuerySet[Score]:
    """Return the scores against gold that distinguishes the label set."""
    return Score.objects.filter(
        gold__in=scored_gold(corpus, labels), finished_at__isnull=False, error=""
    ).order_by("gold__page")


def _scored_pages(
    corpus: Corpus, labels: str, metric: str, weights: dict[int, float], positions: dict[int, int]
) -> tuple[dict[int, list[ScoredPage]], int]:
    """Return the scored pages by extractor, and the number of scores without a value by this metric."""
    found: dict[int, list[ScoredPage]] = defaultdict(list)
    unmeasured = 0
    compared = finished_scores(corpus, labels).exclude(extraction__extractor__in=off_board(corpus.pk))
    rows = compared.values_list(
        "extraction__extractor",
        "gold__page",
        "blind",
        "tuned_on",
        "extraction__error",
        "extraction__seconds",
        "gold__characters",
        "gold__placed",
        _stored_in(metric, labels),
    )
    members = label_set_of(corpus, labels)
    for extractor, page, blind, tuned_on, error, seconds, characters, placed, stored in rows.iterator():
        unplaced = characters - (placed or 0) if characters else 0
        score = _page_score(stored, metric, members, unplaced=unplaced, failed=bool(error))
        if score is None:
            unmeasured += 1
            continue
        weight = weights.get(page, 1.0)
        # A page that became gold between the two queries comes last.
        position = positions.get(page, len(positions))
        found[extractor].append(ScoredPage(score, blind, tuned_on, seconds, weight, position, page))
    return dict(found), unmeasured


def _stored_in(metric: str, labels: str) -> str:
    """Return the lookup of the one value that a metric is computed from."""
    return "matrix" if metric == STORED else f"measurement__figures__{metric}__{labels}"


def _page_score(
    stored: Any, metric: str, members: Collection[str], *, unplaced: int, failed: bool
) -> PageScore | None:
    """Return None where there is no value by this metric; `members` are the labels of the label set."""
    if metric == STORED:
        return from_matrix(stored, members, gold_unplaced=unplaced, failed=failed)
    return unpacked(stored, failed=failed) if stored else None


def _people(
    corpus: Corpus, labels: str, pages: list[int], mean: str, weights: dict[int, float]
) -> LeaderboardFigures | None:
    """Return the scores of annotators against each other on the same pages, before adjudication."""
    compared = compared_rounds(corpus).filter(round__page__in=pages).exclude(f1=None)
    rows = list(compared.order_by("round__page").values_list("round__page", "confusion"))
    members = label_set_of(corpus, labels)
    scores = [from_matrix(matrix, members) for _page, matrix in rows]
    each = [weights.get(page, 1.0) for page, _matrix in rows]
    return figures_of(scores, mean, weights=each) if scores else None


def progress(corpus: Corpus) -> tuple[int, int]:
    """Return how many scores are computed, and how many there are in all."""
    scores = Score.objects.filter(gold__page__corpus=corpus, gold__current=True)
    counted = scores.aggregate(done=Count("pk", filter=Q(finished_at__isnull=False)), all=Count("pk"))
    return counted["done"], counted["all"]


def latest_gold(corpus: Corpus, limit: int = 6) -> list[Gold]:
    """Return the most recent gold."""
    gold = Gold.objects.filter(page__corpus=corpus, current=True).select_related("page").defer("spans")
    return list(gold.order_by("-finalised_at", "-pk")[:limit])


# ---- the pages behind a row ----


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


def pages_of(
    corpus: Corpus, extractor: Extractor, *, labels: str, gold: str = ALL, metric: str = STORED
) -> list[PageScoreRow]:
    """Return the pages on which the extractor was scored, worst first; those without a value come last."""
    scores = finished_scores(corpus, labels).filter(extraction__extractor=extractor)
    if gold == BLIND:
        scores = scores.filter(blind=True)
    members = label_set_of(corpus, labels)
    rows = [_page_row(score, labels, metric, members) for score in _with_page(scores, metric)]
    return sorted(rows, key=lambda row: (row.score.f1 if row.score else math.inf, row.page_id))


def _with_page(scores: QuerySet[Score], metric: str) -> QuerySet[Score]:
    stored = ["matrix"] if metric == STORED else ["measurement__figures"]
    related = [] if metric == STORED else ["measurement"]
    return scores.select_related("gold__page", "extraction", *related).only(
        *stored,
        "blind",
        "tuned_on",
        "gold__source",
        "gold__characters",
        "gold__placed",
        "gold__page__title",
        "gold__page__url",
        "gold__page__site",
        "gold__page__language",
        "gold__page__sha256",
        "extraction__error",
        "extraction__extractor",
    )


def score_of(score: Score, labels: str, members: Collection[str], metric: str = STORED) -> PageScore | None:
    """Return a score by a metric on a label set, of which `members` are the labels.

    None if the metric has no value for it.
    """
    gold = score.gold
    return _page_score(
        score.matrix if metric == STORED else score.measurement.figures.get(metric, {}).get(labels),
        metric,
        members,
        unplaced=gold.characters - (gold.placed or 0) if gold.characters else 0,
        failed=bool(score.extraction.error),
    )


def _page_row(score: Score, labels: str, metric: str, members: Collection[str]) -> PageScoreRow:
    page = score.gold.page
    return PageScoreRow(
        page_id=page.pk,
        title=str(page),
        site=page.site,
        language=page.language,
        score=score_of(score, labels, members, metric),
        blind=score.blind,
        tuned_on=score.tuned_on,
        error=score.extraction.error,
        gold_source=score.gold.source,
    )


def paired_pages(
    corpus: Corpus, first: int, second: int, *, labels: str, gold: str = ALL, metric: str = STORED
) -> list[PairedPage]:
    """Return the pages that count for both extractors: with a value for each, tuned on by neither.

    With blind gold, those whose gold was made by people who saw a suggestion of neither.
    """
    scores = finished_scores(corpus, labels).filter(extraction__extractor__in=[first, second], tuned_on=False)
    if gold == BLIND:
        scores = scores.filter(blind=True)
    weights = gold_weights(corpus) if study.state(corpus) else {}
    rows: dict[Page, dict[int, PageScore]] = defaultdict(dict)
    members = label_set_of(corpus, labels)
    for each in _with_page(scores, metric):
        found = score_of(each, labels, members, metric)
        if found is not None:
            rows[each.gold.page][each.extraction.extractor_id] = found
    return [
        PairedPage(
            page_id=page.pk,
            title=str(page),
            url=page.url,
            site=page.site,
            language=page.language,
            first=by_extractor[first],
            second=by_extractor[second],
            weight=weights.get(page.pk, 1.0),
        )
        for page, by_extractor in rows.items()
        if len(by_extractor) == len({first, second})
    ]


def scored_extractors(corpus: Corpus) -> list[Extractor]:
    """Return the extractors that were scored in the corpus, the enabled ones first."""
    scored = Score.objects.filter(gold__page__corpus=corpus, gold__current=True, finished_at__isnull=False)
    enabled = CorpusExtractor.objects.filter(corpus=corpus, extractor=OuterRef("pk"), ended_at=None)
    extractors = Extractor.objects.filter(pk__in=scored.values("extraction__extractor"))
    return list(extractors.annotate(is_enabled=Exists(enabled)).order_by("-is_enabled", "name", "pk"))


def extractor_of_corpus(corpus: Corpus, pk: int) -> Extractor | None:
    """Return the extractor if the corpus runs it or ran it."""
    known = Q(enabled__corpus=corpus) | Q(extractions__document__page__corpus=corpus)
    return Extractor.objects.filter(known, pk=pk).distinct().first()


def scores_of_page(corpus: Corpus, page: int, labels: str) -> list[Score]:
    """Return all finished scores of one page against its current gold, by extractor."""
    return list(
        finished_scores(corpus, labels)
        .filter(gold__page=page)
        .select_related("gold__page", "gold__document", "extraction__extractor", "measurement")
        .defer("gold__document__text")
        .order_by("extraction__extractor__name", "pk")
    )


def label_sets_of_page(corpus: Corpus, page: int) -> list[str]:
    """Return the label sets that the page's current gold distinguishes."""
    distinguishable_labels = (
        scored_gold(corpus).filter(page=page).values_list("distinguishable_labels", flat=True).first() or []
    )
    return [
        name for name, labels in label_sets_of(corpus).items() if can_tell(distinguishable_labels, labels)
    ]
