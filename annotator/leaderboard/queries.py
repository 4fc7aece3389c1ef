"""The board of a corpus, and the pages behind each of its figures."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Q, QuerySet
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
    Board,
    Cell,
    Figures,
    figures_of,
    in_order,
    row_of,
)
from annotator.runs.models import Extractor
from annotator.scoring.models import Score
from extraction.metrics.character import from_matrix
from extraction.metrics.pages import PageScore
from extraction.spans import LABEL_SETS, can_tell, together

METRICS = ("character",)
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
    metric: str = "character",
    gold: str = ALL,
    mean: str = MACRO,
) -> Board:
    """The board, worked out once for each version of the corpus's figures.

    Raises GoldpanError for an unknown metric or label set.
    """
    if metric not in METRICS:
        raise GoldpanError(_("There is no metric “%(name)s”. Known: character.") % {"name": metric})
    if labels is not None and labels not in LABEL_SETS:
        known = ", ".join(LABEL_SETS)
        raise GoldpanError(
            _("There is no label set “%(name)s”. Known: %(known)s.") % {"name": labels, "known": known}
        )
    # The number goes up with every change of what a board is made of: what is kept is a pickle.
    odds = study.state(corpus)
    state = f"{corpus.board_version}:{odds}"
    key = f"board-3:{__version__}:{corpus.pk}:{state}:{labels}:{gold}:{mean}"
    found = cache.get(key)
    if found is None:
        weights = gold_weights(corpus) if odds else {}
        found = _worked_out(corpus, labels or default_labels(corpus), metric, gold, mean, weights)
        cache.set(key, found, KEPT_SECONDS)
    return found


def _worked_out(
    corpus: Corpus, labels: str, metric: str, gold: str, mean: str, weights: dict[int, float]
) -> Board:
    golds = list(scored_gold(corpus, labels).values_list("page", "characters", "placed"))
    cells = _cells(corpus, labels, weights)
    extractors = Extractor.objects.filter(pk__in=cells)
    rows = [row_of(_described(each), cells[each.pk], gold=gold, mean=mean) for each in extractors]
    known = [(characters, placed or 0) for _page, characters, placed in golds if characters]
    return Board(
        metric=metric,
        labels=labels,
        gold=gold,
        mean=mean,
        pages=len(golds),
        rows=in_order(rows),
        people=_people(corpus, labels, [page for page, _characters, _placed in golds], mean, weights),
        unplaced=1 - sum(p for _c, p in known) / sum(c for c, _p in known) if known else 0.0,
    )


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


def _cells(corpus: Corpus, labels: str, weights: dict[int, float]) -> dict[int, list[Cell]]:
    """Every score, by extractor; `weights` are those of pages."""
    found: dict[int, list[Cell]] = defaultdict(list)
    rows = finished_scores(corpus, labels).values_list(
        "extraction__extractor",
        "gold__page",
        "matrix",
        "blind",
        "tuned_on",
        "extraction__error",
        "extraction__seconds",
        "gold__characters",
        "gold__placed",
    )
    for extractor, page, matrix, blind, tuned_on, error, seconds, characters, placed in rows.iterator():
        unplaced = characters - (placed or 0) if characters else 0
        score = from_matrix(matrix, LABEL_SETS[labels], gold_unplaced=unplaced, failed=bool(error))
        found[extractor].append(Cell(score, blind, tuned_on, seconds, weights.get(page, 1.0)))
    return found


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
    score: PageScore
    blind: bool
    tuned_on: bool
    error: str
    gold_source: str


def pages_of(corpus: Corpus, extractor: Extractor, *, labels: str, gold: str = ALL) -> list[PageRow]:
    """The pages on which the extractor was scored, worst first."""
    scores = finished_scores(corpus, labels).filter(extraction__extractor=extractor)
    if gold == BLIND:
        scores = scores.filter(blind=True)
    rows = [_page_row(score, labels) for score in _with_page(scores)]
    return sorted(rows, key=lambda row: (row.score.f1, row.page_id))


def _with_page(scores: QuerySet[Score]) -> QuerySet[Score]:
    return scores.select_related("gold__page", "extraction").only(
        "matrix",
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


def score_of(score: Score, labels: str) -> PageScore:
    """A stored score on a label set."""
    gold = score.gold
    return from_matrix(
        score.matrix,
        LABEL_SETS[labels],
        gold_unplaced=gold.characters - (gold.placed or 0) if gold.characters else 0,
        failed=bool(score.extraction.error),
    )


def _page_row(score: Score, labels: str) -> PageRow:
    page = score.gold.page
    return PageRow(
        page_id=page.pk,
        title=str(page),
        site=page.site,
        language=page.language,
        score=score_of(score, labels),
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
        .select_related("gold__page", "gold__document", "extraction__extractor")
        .defer("gold__document__text")
        .order_by("extraction__extractor__name", "pk")
    )


def labels_told(corpus: Corpus, page: int) -> list[str]:
    """The label sets that the page's current gold can tell."""
    tells = scored_gold(corpus).filter(page=page).values_list("tells", flat=True).first() or []
    return [name for name, labels in LABEL_SETS.items() if can_tell(tells, labels)]
