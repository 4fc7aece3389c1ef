"""The board of a corpus, and the pages behind each of its figures."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.core.cache import cache
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from annotator import __version__
from annotator.agreement.queries import compared_rounds
from annotator.annotations.models import Verdict
from annotator.annotations.study import weights as study
from annotator.common.errors import GoldpanError
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.weights import gold_weights
from annotator.leaderboard.board import (
    ALL,
    BLIND,
    MACRO,
    MICRO,
    Board,
    Cell,
    Figures,
    Row,
    chosen_of,
    figures_of,
    in_order,
    row_of,
)
from annotator.leaderboard.growth import LINES, Course, Growth, growth_of
from annotator.releases.models import Release
from annotator.releases.queries import finished as finished_releases
from annotator.runs.models import Extractor
from annotator.scoring.measuring import STORED, unpacked
from annotator.scoring.models import Score
from extraction.measures import METRICS
from extraction.metrics.character import from_matrix
from extraction.metrics.pages import PageScore
from extraction.spans import LABEL_SETS, can_tell, together

# An article is what extractors are for; gold without any article is not scored.
SCORED_VERDICTS = (Verdict.ARTICLE, Verdict.SEVERAL)
# A board is worked out again when its version moves; what nobody asks for any more goes after an hour.
KEPT_SECONDS = 3600


def scored_gold(corpus: Corpus, labels: str | None = None) -> QuerySet[Gold]:
    """Current gold of pages with an article; with `labels`, only what can tell that label set."""
    gold = Gold.objects.filter(page__corpus=corpus, current=True, verdict__in=SCORED_VERDICTS)
    return gold.filter(_tells(LABEL_SETS[labels])) if labels else gold


def _tells(labels: frozenset[str]) -> Q:
    """What `spans.can_tell` says, as a condition of the database."""
    return Q(tells__contains=sorted(labels)) | Q(tells__contains=[together(labels)])


def default_labels(corpus: Corpus) -> str:
    """The label set that most of the gold can tell; `main` where several are equal."""
    told = defaultdict(int)
    for tells in scored_gold(corpus).values_list("tells", flat=True):
        for name, labels in LABEL_SETS.items():
            told[name] += can_tell(tells, labels)
    return max(LABEL_SETS, key=lambda name: (told[name], name == "main"))


def board(
    corpus: Corpus,
    *,
    labels: str | None = None,
    metric: str = STORED,
    gold: str = ALL,
    mean: str = MACRO,
) -> Board:
    """The board, worked out once for each version of the corpus's figures.

    Raises GoldpanError for an unknown metric or label set.
    """
    _check_known(metric, METRICS, _("There is no metric “%(name)s”. Known: %(known)s."))
    if labels is not None:
        _check_known(labels, LABEL_SETS, _("There is no label set “%(name)s”. Known: %(known)s."))
    # The number goes up with every change of what a board is made of: what is kept is a pickle.
    odds = study.state(corpus)
    state = f"{corpus.board_version}:{odds}"
    key = f"board-4:{__version__}:{corpus.pk}:{state}:{metric}:{labels}:{gold}:{mean}"
    found = cache.get(key)
    if found is None:
        weights = gold_weights(corpus) if odds else {}
        found = _worked_out(corpus, labels or default_labels(corpus), metric, gold, mean, weights)
        cache.set(key, found, KEPT_SECONDS)
    return found


def _check_known(name: str, known: Iterable[str], message: str) -> None:
    if name not in known:
        raise GoldpanError(message % {"name": name, "known": ", ".join(known)})


def _worked_out(
    corpus: Corpus, labels: str, metric: str, gold: str, mean: str, weights: dict[int, float]
) -> Board:
    golds = _golds(corpus, labels)
    places = {each.page: place for place, each in enumerate(golds)}
    waits = None if metric == STORED else _waits(corpus, labels)
    cells, unmeasured = ({}, 0) if waits else _cells(corpus, labels, metric, weights, places)
    extractors = Extractor.objects.filter(pk__in=cells)
    by_page = METRICS[metric].by_page
    rows = in_order(
        [
            row_of(_described(each), cells[each.pk], gold=gold, mean=mean, by_page=by_page)
            for each in extractors
        ]
    )
    known = [(each.characters, each.placed or 0) for each in golds if each.characters]
    return Board(
        metric=metric,
        labels=labels,
        gold=gold,
        mean=mean,
        pages=len(golds),
        rows=rows,
        # Annotators are compared in characters; by other metrics nobody has worked them out.
        people=_people(corpus, labels, list(places), mean, weights) if metric == STORED else None,
        unplaced=1 - sum(p for _c, p in known) / sum(c for c, _p in known) if known else 0.0,
        unmeasured=unmeasured,
        waits=waits,
        growth=_growth(rows, cells, golds, gold=gold, mean=mean, by_page=by_page),
    )


class _Scored(NamedTuple):
    """One page with gold that is scored; `since` is when it first became gold."""

    page: int
    characters: int | None
    placed: int | None
    since: datetime


def _golds(corpus: Corpus, labels: str) -> list[_Scored]:
    """Pages in the order in which they became gold: a newer version of gold moves no page."""
    first = Gold.objects.filter(page=OuterRef("page")).order_by("settled_at").values("settled_at")[:1]
    golds = scored_gold(corpus, labels).annotate(since=Subquery(first)).order_by("since", "page")
    return [_Scored(*row) for row in golds.values_list("page", "characters", "placed", "since")]


def _waits(corpus: Corpus, labels: str) -> tuple[int, int] | None:
    """Scores that have the other metrics, and all, where some are older than these; else None."""
    counted = finished_scores(corpus, labels).aggregate(
        done=Count("pk", filter=Q(measurement__finished_at__isnull=False)), all=Count("pk")
    )
    return None if counted["done"] == counted["all"] else (counted["done"], counted["all"])


def _growth(
    rows: Sequence[Row],
    cells: dict[int, list[Cell]],
    golds: Sequence[_Scored],
    *,
    gold: str,
    mean: str,
    by_page: bool,
) -> Growth | None:
    courses = []
    for row in rows[:LINES]:
        chosen = sorted(chosen_of(cells[row.extractor_id], gold), key=lambda cell: cell.page)
        scores, places = [cell.score for cell in chosen], [cell.page for cell in chosen]
        courses.append(Course(row.title, scores, places, [cell.weight for cell in chosen]))
    return growth_of([each.since for each in golds], courses, pooled=mean == MICRO, by_page=by_page)


def releases(corpus: Corpus) -> list[Release]:
    """The finished releases, the oldest first, for what is drawn over time."""
    return list(finished_releases(corpus).defer("datasheets", "manifest").order_by("number"))


def _described(extractor: Extractor) -> dict[str, Any]:
    return {
        "extractor_id": extractor.pk,
        "name": extractor.name,
        "version": extractor.version,
        "parameters": extractor.parameters,
        "title": str(extractor),
    }


def finished_scores(corpus: Corpus, labels: str) -> QuerySet[Score]:
    """Scores of the gold that can tell the label set."""
    return Score.objects.filter(
        gold__in=scored_gold(corpus, labels), finished_at__isnull=False, error=""
    ).order_by("gold__page")


def _cells(
    corpus: Corpus, labels: str, metric: str, weights: dict[int, float], places: dict[int, int]
) -> tuple[dict[int, list[Cell]], int]:
    """Every score, by extractor, and how many the metric could not be worked out for."""
    found: dict[int, list[Cell]] = defaultdict(list)
    unmeasured = 0
    rows = finished_scores(corpus, labels).values_list(
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
    for extractor, page, blind, tuned_on, error, seconds, characters, placed, stored in rows.iterator():
        unplaced = characters - (placed or 0) if characters else 0
        score = _page_score(stored, metric, labels, unplaced=unplaced, failed=bool(error))
        if score is None:
            unmeasured += 1
            continue
        weight = weights.get(page, 1.0)
        # A page that became gold between the two questions comes after all of them.
        place = places.get(page, len(places))
        found[extractor].append(Cell(score, blind, tuned_on, seconds, weight, place))
    return found, unmeasured


def _stored_in(metric: str, labels: str) -> str:
    """Where a score keeps what a metric is worked out from: one field alone is read."""
    return "matrix" if metric == STORED else f"measurement__figures__{metric}__{labels}"


def _page_score(stored: Any, metric: str, labels: str, *, unplaced: int, failed: bool) -> PageScore | None:
    """None where the metric could not be worked out."""
    if metric == STORED:
        return from_matrix(stored, LABEL_SETS[labels], gold_unplaced=unplaced, failed=failed)
    return unpacked(stored, failed=failed) if stored else None


def _people(
    corpus: Corpus, labels: str, pages: list[int], mean: str, weights: dict[int, float]
) -> Figures | None:
    """How one annotator scores against the other on the same pages, before anything was settled."""
    compared = compared_rounds(corpus).filter(round__page__in=pages).exclude(f1=None)
    rows = list(compared.order_by("round__page").values_list("round__page", "confusion"))
    scores = [from_matrix(matrix, LABEL_SETS[labels]) for _page, matrix in rows]
    each = [weights.get(page, 1.0) for page, _matrix in rows]
    return figures_of(scores, mean, weights=each) if scores else None


def progress(corpus: Corpus) -> tuple[int, int]:
    """Cells of (gold, extraction) that are scored, and all that are asked for."""
    cells = Score.objects.filter(gold__page__corpus=corpus, gold__current=True)
    counted = cells.aggregate(done=Count("pk", filter=Q(finished_at__isnull=False)), all=Count("pk"))
    return counted["done"], counted["all"]


def latest_gold(corpus: Corpus, limit: int = 6) -> list[Gold]:
    """What was settled last."""
    gold = Gold.objects.filter(page__corpus=corpus, current=True).select_related("page").defer("spans")
    return list(gold.order_by("-settled_at", "-pk")[:limit])


# ---- the pages behind a row ----


@dataclass(frozen=True)
class PageRow:
    """One page of a row of the board."""

    page_id: int
    title: str
    site: str
    language: str
    # None where the metric could not be worked out, or is not yet.
    score: PageScore | None
    blind: bool
    tuned_on: bool
    error: str
    gold_source: str


def pages_of(
    corpus: Corpus, extractor: Extractor, *, labels: str, gold: str = ALL, metric: str = STORED
) -> list[PageRow]:
    """The pages on which the extractor was scored, worst first, and last those without a figure."""
    scores = finished_scores(corpus, labels).filter(extraction__extractor=extractor)
    if gold == BLIND:
        scores = scores.filter(blind=True)
    rows = [_page_row(score, labels, metric) for score in _with_page(scores, metric)]
    return sorted(rows, key=lambda row: (row.score.f1 if row.score else math.inf, row.page_id))


def _with_page(scores: QuerySet[Score], metric: str) -> QuerySet[Score]:
    kept = ["matrix"] if metric == STORED else ["measurement__figures"]
    related = [] if metric == STORED else ["measurement"]
    return scores.select_related("gold__page", "extraction", *related).only(
        *kept,
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
    )


def score_of(score: Score, labels: str, metric: str = STORED) -> PageScore | None:
    """A stored score by a metric on a label set; None where the metric has none of it."""
    gold = score.gold
    return _page_score(
        score.matrix if metric == STORED else _figures(score).get(metric, {}).get(labels),
        metric,
        labels,
        unplaced=gold.characters - (gold.placed or 0) if gold.characters else 0,
        failed=bool(score.extraction.error),
    )


def _figures(score: Score) -> dict[str, Any]:
    """Its other metrics; nothing of a score that is older than these and not filled in yet."""
    return score.measurement.figures if hasattr(score, "measurement") else {}


def _page_row(score: Score, labels: str, metric: str) -> PageRow:
    page = score.gold.page
    return PageRow(
        page_id=page.pk,
        title=str(page),
        site=page.site,
        language=page.language,
        score=score_of(score, labels, metric),
        blind=score.blind,
        tuned_on=score.tuned_on,
        error=score.extraction.error,
        gold_source=score.gold.source,
    )


def scored_extractor(corpus: Corpus, pk: int) -> Extractor | None:
    """An extractor that the corpus runs or ran."""
    known = Q(enabled__corpus=corpus) | Q(extractions__document__page__corpus=corpus)
    return Extractor.objects.filter(known, pk=pk).distinct().first()


def scores_of_page(corpus: Corpus, page: int, labels: str) -> list[Score]:
    """All finished scores of one page on its current gold, with extractor and gold, by extractor."""
    return list(
        finished_scores(corpus, labels)
        .filter(gold__page=page)
        .select_related("gold__page", "gold__document", "extraction__extractor", "measurement")
        .defer("gold__document__text")
        .order_by("extraction__extractor__name", "pk")
    )


def labels_told(corpus: Corpus, page: int) -> list[str]:
    """The label sets that the page's current gold can tell."""
    tells = scored_gold(corpus).filter(page=page).values_list("tells", flat=True).first() or []
    return [name for name, labels in LABEL_SETS.items() if can_tell(tells, labels)]
