"""The leaderboard of a corpus, and the pages behind each of its rows."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations.study import weights as study
from annotator.common.errors import GoldpanError
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_set_of, label_sets_of
from annotator.gold.models import Gold
from annotator.gold.queries import gold_weights
from annotator.pages.models import Page
from annotator.releases.models import Release
from annotator.releases.queries import finished as finished_releases
from annotator.runs.models import CorpusExtractor, Extraction, Extractor
from annotator.runs.queries import off_board
from annotator.scoring.leaderboard.leaderboard import (
    ALL,
    BLIND,
    MACRO,
    OWN,
    Choice,
    Leaderboard,
    LeaderboardFigures,
    Standing,
    figures_on,
    rows_of,
    shown_figures,
)
from annotator.scoring.leaderboard.pair import PairedPage
from annotator.scoring.leaderboard.score_by_size import MAX_LINES, ScoreBySize, ScoreSeries, score_by_size
from annotator.scoring.leaderboard.scored import MOST_RESAMPLED, Scored
from annotator.scoring.measuring import STORED, unpacked
from annotator.scoring.models import CountedPage, CountedScore, Score, ScoreTotal
from annotator.scoring.queries import leaderboard_version
from annotator.scoring.totals import queries as totals
from annotator.scoring.totals.figures import CELLS, PARTS, Kind, Numbers, Sums, averages, cells_of, f1_of
from annotator.scoring.totals.slices import DAY, EVERYTHING, Slice
from annotator.scoring.totals.state import SCORED_VERDICTS
from extraction.evaluation.page_metrics import METRICS
from extraction.metrics.character import from_matrix
from extraction.metrics.pages import PageScore
from extraction.spans import LABEL_SETS, can_tell, together

# Days on which pages became gold for which the score at their end is shown; earlier ones are left out.
MAX_DAYS = 31


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
    golds = totals.gold_by_labels(corpus)
    return max(LABEL_SETS, key=lambda name: (golds.get(name, 0), name == "main"))


def board(
    corpus: Corpus,
    *,
    labels: str | None = None,
    metric: str = STORED,
    gold: str = ALL,
    mean: str = MACRO,
    page_set: str = OWN,
    of: Slice = EVERYTHING,
) -> Leaderboard:
    """Make the leaderboard of a slice from the totals, and its intervals.

    Raises GoldpanError for an unknown metric or label set.
    """
    _check_known(metric, METRICS, _("There is no metric “%(name)s”. Known: %(known)s."))
    if labels is not None:
        _check_known(labels, label_choices(corpus), _("There is no label set “%(name)s”. Known: %(known)s."))
    weights = gold_weights(corpus) if study.state(corpus) else {}
    choice = Choice(metric, gold, mean, page_set)
    return _made(corpus, labels or default_labels(corpus), choice, of, weights)


def label_choices(corpus: Corpus) -> list[str]:
    """The label sets, and the single labels that some gold distinguishes."""
    return [*LABEL_SETS, *sorted(set(totals.gold_by_labels(corpus)) - set(LABEL_SETS))]


def state_of(corpus: Corpus) -> str:
    """Return a value that changes whenever a figure of the leaderboard may have changed."""
    return f"{leaderboard_version(corpus)}:{study.state(corpus)}"


def _check_known(name: str, known: Iterable[str], message: str) -> None:
    if name not in known:
        raise GoldpanError(message % {"name": name, "known": ", ".join(known)})


def _made(
    corpus: Corpus, labels: str, choice: Choice, of: Slice, weights: Mapping[int, float]
) -> Leaderboard:
    metric = choice.metric
    pages = totals.gold_total(corpus, labels, of)
    is_whole = bool(weights) or pages.pages <= MOST_RESAMPLED
    sums = totals.sums_of(corpus, metric, labels, of)
    for extractor in off_board(corpus.pk).values_list("pk", flat=True):
        sums.pop(extractor, None)
    scored = scored_pages(corpus, metric, labels, of, None if is_whole else MOST_RESAMPLED, weights)
    standings = {
        pk: Standing(of_extractor, scored.get(pk, _NO_PAGES), is_whole, bool(weights))
        for pk, of_extractor in sums.items()
        if pk is not None
    }
    extractors = [_described(each) for each in Extractor.objects.filter(pk__in=standings)]
    rows = rows_of(extractors, standings, choice)
    days = [] if of.dimension else totals.last_days(corpus, labels, MAX_DAYS)
    trends = _trends(corpus, labels, choice, days, standings, weights)
    by_size = None
    if pages.pages <= MOST_RESAMPLED:
        shown = {row.extractor_id: row.title for row in rows[:MAX_LINES]}
        by_size = _by_size(
            corpus, labels, choice, of, {pk: (shown[pk], scored.get(pk, _NO_PAGES)) for pk in shown}
        )
    return Leaderboard(
        metric=metric,
        labels=labels,
        gold=choice.gold,
        mean=choice.mean,
        pages=pages.pages,
        rows=[replace(row, trend=trends[row.extractor_id]) for row in rows],
        people=_people(sums, scored, choice, is_whole, bool(weights)),
        unplaced=1 - pages.placed / pages.characters if pages.characters else 0.0,
        unmeasured=_unmeasured(corpus, metric, labels, of, standings),
        by_size=by_size,
        days=[date.fromisoformat(day) for day in days],
        page_set=choice.page_set,
        slice=str(of),
        is_resampled=pages.pages <= MOST_RESAMPLED,
    )


def _people(
    sums: totals.SumsByKind,
    scored: Mapping[int | None, Scored],
    choice: Choice,
    is_whole: bool,
    is_weighted: bool,
) -> LeaderboardFigures | None:
    """Return the scores of annotators against each other on the same pages, before adjudication."""
    if None not in sums:
        return None
    standing = Standing(sums[None], scored.get(None, _NO_PAGES), is_whole, is_weighted)
    every = choice._replace(gold=ALL, page_set=OWN)
    return shown_figures(figures_on(standing, every, blind=False), every)


def _unmeasured(
    corpus: Corpus, metric: str, labels: str, of: Slice, standings: Mapping[int, Standing]
) -> int:
    """Return the number of scores without a value by this metric; characters are always counted."""
    if metric == STORED:
        return 0
    measured = sum(sums.pages for standing in standings.values() for sums in standing.sums.values())
    return totals.scored_pages(corpus, STORED, labels, of) - measured


# ---- scores as columns ----

_NOTHING = np.zeros(0, dtype=np.int64)
_NO_PAGES = Scored(
    _NOTHING, _NOTHING, _NOTHING, _NOTHING, np.zeros((0, len(PARTS)), dtype=np.int64), np.zeros(0)
)


def scored_pages(
    corpus: Corpus,
    metric: str,
    labels: str,
    of: Slice = EVERYTHING,
    sample: int | None = None,
    weights: Mapping[int, float] | None = None,
    extractors: Collection[int] | None = None,
) -> dict[int | None, Scored]:
    """Return the scores by extractor, None for the annotators, of all pages or of a sample of so many.

    `extractors` are those that are wanted; None for all.
    """
    pages = totals.in_slice(corpus, of).filter(labels__contains=[labels], verdict__in=SCORED_VERDICTS)
    if sample is not None:
        drawn = list(pages.order_by("draw").values_list("pk", flat=True)[:sample])
        pages = CountedPage.objects.filter(pk__in=drawn)
    found: dict[int | None, list[list[Any]]] = defaultdict(list)
    for extractor, page, kind, failed, microseconds, parts in _columns(pages, metric, labels, extractors):
        if parts and parts[0] is not None:
            weight = (weights or {}).get(page, 1.0)
            known = [-1 if part is None else part for part in parts]
            found[extractor].append(
                [page, kind, failed, -1 if microseconds is None else microseconds, known, weight]
            )
    return {extractor: _as_columns(rows) for extractor, rows in found.items()}


def _columns(
    pages: QuerySet[CountedPage], metric: str, labels: str, extractors: Collection[int] | None
) -> Iterable[tuple[Any, ...]]:
    """Extractor, page, kind, failed, microseconds and parts of each score, in the order of pages."""
    scores = CountedScore.objects.filter(page__in=pages).order_by("page")
    if extractors is not None:
        scores = scores.filter(extractor__in=extractors)
    names = ("extractor", "page", "kind", "failed", "microseconds")
    if (metric, labels) in CELLS:
        start = CELLS.index((metric, labels)) * len(PARTS)
        yield from scores.values_list(*names, f"amounts__{start}_{start + len(PARTS)}").iterator()
        return
    for *row, amounts, told in scores.values_list(*names, "amounts", "page__labels").iterator():
        cells = cells_of(told)
        if (metric, labels) in cells:
            start = cells.index((metric, labels)) * len(PARTS)
            yield (*row, amounts[start : start + len(PARTS)])


def _as_columns(rows: Sequence[Sequence[Any]]) -> Scored:
    page, kind, failed, microseconds, parts, weight = zip(*rows, strict=True)
    return Scored(
        _whole(page),
        _whole(kind),
        _whole(failed),
        _whole(microseconds),
        _whole(parts),
        np.array(weight, dtype=np.float64),
    )


def _whole(values: Sequence[Any]) -> Numbers:
    return np.array(values, dtype=np.int64)


# ---- figures over time ----


def _trends(
    corpus: Corpus,
    labels: str,
    choice: Choice,
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
    whole: Mapping[Kind, Sums], days: Sequence[Mapping[Kind, Sums]], choice: Choice
) -> list[float | None]:
    left = _counting(whole, choice)
    values: list[float | None] = []
    for of_day in reversed(days):
        values.append(_f1(left, choice))
        left = left.less(_counting(of_day, choice))
    return values[::-1]


def _counting(sums: Mapping[Kind, Sums], choice: Choice) -> Sums:
    counts = (kind.counts(blind=choice.blind, common=choice.common) for kind in sums)
    return totals.added(each for each, is_in in zip(sums.values(), counts, strict=True) if is_in)


def _f1(sums: Sums, choice: Choice) -> float | None:
    return choice.of(averages(sums)) if sums.pages else None


def _weighted_trend(
    standing: Standing, choice: Choice, days: Sequence[str], since: Mapping[int, str]
) -> list[float | None]:
    scored = standing.scored.counted(blind=choice.blind, common=choice.common)
    day_of = np.array([since.get(page, "") for page in scored.pages.tolist()])
    until = (scored.where(day_of <= day) for day in days) if len(day_of) else (scored for _day in days)
    return [_f1(each.sums(), choice) for each in until]


def _days_of_pages(corpus: Corpus) -> dict[int, str]:
    pages = CountedPage.objects.filter(corpus=corpus.pk).values_list("page", "since")
    return {page: timezone.localdate(since).isoformat() for page, since in pages.iterator()}


def _by_size(
    corpus: Corpus, labels: str, choice: Choice, of: Slice, lines: Mapping[int, tuple[str, Scored]]
) -> ScoreBySize | None:
    """Return the scores by corpus size of these extractors, each given with its title."""
    pages = totals.in_slice(corpus, of).filter(labels__contains=[labels], verdict__in=SCORED_VERDICTS)
    order = list(pages.order_by("since", "page").values_list("page", "since"))
    positions = {page: position for position, (page, _since) in enumerate(order)}
    series = [_series(title, scored, choice, positions) for title, scored in lines.values()]
    return score_by_size(
        [since for _page, since in order], series, pooled=choice.pooled, by_page=choice.by_page
    )


def _series(title: str, scored: Scored, choice: Choice, positions: Mapping[int, int]) -> ScoreSeries:
    """Return the counted scores of a row in the order in which their pages became gold."""
    counted = scored.counted(blind=choice.blind, common=choice.common)
    # A page that became gold between two queries comes last.
    at = np.array([positions.get(page, len(positions)) for page in counted.pages.tolist()], dtype=np.int64)
    order = np.argsort(at, kind="stable")
    ordered = counted.where(order)
    return ScoreSeries(title, ordered.scores(), at[order].tolist(), ordered.weights.tolist())


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


def _page_score(
    stored: Any, metric: str, members: Collection[str], *, unplaced: int, failed: bool
) -> PageScore | None:
    """Return None where there is no value by this metric; `members` are the labels of the label set."""
    if metric == STORED:
        return from_matrix(stored, members, gold_unplaced=unplaced, failed=failed)
    return unpacked(stored, failed=failed) if stored else None


def progress(corpus: Corpus) -> tuple[int, int]:
    """Return how many scores are computed, and how many there are in all."""
    done = totals.gold_total(corpus).scores
    scores = Score.objects.filter(gold__page__corpus=corpus, gold__current=True)
    return done, done + scores.open().count()


def latest_gold(corpus: Corpus, limit: int = 6) -> list[Gold]:
    """Return the most recent gold."""
    newest = CountedPage.objects.filter(corpus=corpus.pk).order_by("-finalised_at", "-gold")
    golds = Gold.objects.filter(pk__in=list(newest.values_list("gold", flat=True)[:limit]), current=True)
    return list(golds.select_related("page").defer("spans").order_by("-finalised_at", "-pk"))


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
    corpus: Corpus,
    extractor: Extractor,
    *,
    labels: str,
    gold: str = ALL,
    metric: str = STORED,
    of: Slice = EVERYTHING,
) -> list[PageScoreRow]:
    """Return the pages on which the extractor was scored, worst first; those without a value come last."""
    worst = worst_first(corpus, extractor, labels=labels, gold=gold, metric=metric, of=of)
    return page_rows(corpus, extractor, worst[:], labels=labels, metric=metric)


def worst_first(
    corpus: Corpus,
    extractor: Extractor,
    *,
    labels: str,
    gold: str = ALL,
    metric: str = STORED,
    of: Slice = EVERYTHING,
) -> Sequence[int] | QuerySet[CountedScore, int]:
    """Return the pages on which the extractor was scored, worst first, equal ones by their keys.

    Those without a value come last. F1 is compared by its first four digits.
    """
    if (metric, labels) not in CELLS:
        return _worst_by_single_label(corpus, extractor, metric, labels, gold, of)
    scores = CountedScore.objects.filter(
        corpus=corpus.pk, extractor=extractor, **totals.lookups(of, "page__"),
        # Characters are counted wherever the gold distinguishes the label set.
        **{f"f1__{CELLS.index((STORED, labels))}__isnull": False},
    )  # fmt: skip
    if gold == BLIND:
        scores = scores.alias(blind=F("kind").bitand(int(Kind.BLIND))).filter(blind__gt=0)
    worst = scores.order_by(f"f1__{CELLS.index((metric, labels))}", "page")
    return worst.values_list("page", flat=True)


def _worst_by_single_label(
    corpus: Corpus, extractor: Extractor, metric: str, labels: str, gold: str, of: Slice
) -> list[int]:
    """Single labels have no order of their own: a sample of the pages stands for them."""
    found = scored_pages(corpus, metric, labels, of, sample=MOST_RESAMPLED).get(extractor.pk, _NO_PAGES)
    if gold == BLIND:
        found = found.where(found.kinds & int(Kind.BLIND) > 0)
    f1 = f1_of(*found.parts.T[3:])
    return [int(page) for page in found.pages[np.lexsort((found.pages, f1))]]


def page_count(
    corpus: Corpus, extractor: Extractor, *, labels: str, gold: str = ALL, of: Slice = EVERYTHING
) -> int:
    """Return how many pages `worst_first` has."""
    sums = totals.sums_of(corpus, STORED, labels, of).get(extractor.pk, {})
    return sum(each.pages for kind, each in sums.items() if gold != BLIND or Kind.BLIND in kind)


def page_rows(
    corpus: Corpus, extractor: Extractor, pages: Iterable[int], *, labels: str, metric: str = STORED
) -> list[PageScoreRow]:
    """Return these pages with the scores of the extractor, worst first."""
    scores = finished_scores(corpus, labels).filter(
        extraction__extractor=extractor, gold__page__in=list(pages)
    )
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
    corpus: Corpus,
    first: int,
    second: int,
    *,
    labels: str,
    gold: str = ALL,
    metric: str = STORED,
    of: Slice = EVERYTHING,
) -> list[PairedPage]:
    """Return the pages that count for both extractors: with a value for each, tuned on by neither.

    With blind gold, those whose gold was made by people who saw a suggestion of neither. Of many pages a
    sample stands for all.
    """
    weights = gold_weights(corpus) if study.state(corpus) else {}
    scored = scored_pages(
        corpus, metric, labels, of, sample=MOST_RESAMPLED, weights=weights, extractors={first, second}
    )
    counted = [scored.get(extractor, _NO_PAGES).counted(blind=gold == BLIND) for extractor in (first, second)]
    both, of_first, of_second = np.intersect1d(
        counted[0].pages, counted[1].pages, assume_unique=True, return_indices=True
    )
    sides = (counted[0].where(of_first).scores(), counted[1].where(of_second).scores())
    pages = Page.objects.only("title", "url", "site", "language", "sha256").in_bulk(both.tolist())
    return [
        PairedPage(
            page_id=page,
            title=str(pages[page]),
            url=pages[page].url,
            site=pages[page].site,
            language=pages[page].language,
            first=one,
            second=other,
            weight=weights.get(page, 1.0),
        )
        for page, one, other in zip(both.tolist(), *sides, strict=True)
        if page in pages
    ]


def scored_extractors(corpus: Corpus) -> list[Extractor]:
    """Return the extractors that were scored in the corpus, the enabled ones first."""
    scored = ScoreTotal.objects.filter(
        corpus=corpus, metric=STORED, dimension="", value="", pages__gt=0, extractor=OuterRef("pk")
    )
    enabled = CorpusExtractor.objects.filter(corpus=corpus, extractor=OuterRef("pk"), ended_at=None)
    extractors = Extractor.objects.filter(Exists(scored))
    return list(extractors.annotate(is_enabled=Exists(enabled)).order_by("-is_enabled", "name", "pk"))


def extractor_of_corpus(corpus: Corpus, pk: int) -> Extractor | None:
    """Return the extractor if the corpus runs it or ran it."""
    enabled = CorpusExtractor.objects.filter(corpus=corpus, extractor=OuterRef("pk"))
    made = Extraction.objects.filter(extractor=OuterRef("pk"), document__page__corpus=corpus)
    return Extractor.objects.filter(Exists(enabled) | Exists(made), pk=pk).first()


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
