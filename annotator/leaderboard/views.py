"""The board, the pages behind each row, and the glass."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from annotator.common.http import trusted_types
from annotator.corpora.models import Corpus
from annotator.leaderboard import glass as glasses
from annotator.leaderboard import queries
from annotator.leaderboard.board import Board
from annotator.leaderboard.forms import Slice, slice_of
from annotator.pages.models import Page
from annotator.pages.views import send_view
from annotator.runs.models import Extractor
from annotator.scoring.models import Score
from extraction.spans import LABEL_SETS

PAGES_AT_ONCE = 50


@require_GET
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "leaderboard/leaderboard.html", _board_context(request))


@require_GET
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The part of the screen that moves; fetched by an open board when the version did."""
    return render(request, "leaderboard/table.html", _board_context(request))


@require_GET
def version(request: HttpRequest, slug: str) -> HttpResponse:
    response = JsonResponse({"version": request.standing.corpus.board_version})
    response["Cache-Control"] = "no-store"
    return response


@require_GET
def pages(request: HttpRequest, slug: str, extractor: int) -> HttpResponse:
    corpus, wanted = request.standing.corpus, slice_of(request.GET)
    found = _extractor_or_404(corpus, extractor)
    labels = wanted.labels or queries.default_labels(corpus)
    rows = queries.pages_of(corpus, found, labels=labels, gold=wanted.gold, metric=wanted.metric)
    context = {
        "extractor": found,
        "slice": wanted,
        "labels": labels,
        "label_sets": list(LABEL_SETS),
        "rows": Paginator(rows, PAGES_AT_ONCE).get_page(request.GET.get("page")),
        "count": len(rows),
    }
    return render(request, "leaderboard/pages.html", context)


@require_GET
@trusted_types
def glass(request: HttpRequest, slug: str, extractor: int, page: int) -> HttpResponse:
    corpus, wanted = request.standing.corpus, slice_of(request.GET)
    labels = _labels_for(corpus, page, wanted)
    others = queries.scores_of_page(corpus, page, labels)
    score = next((each for each in others if each.extraction.extractor_id == extractor), None)
    if score is None:
        raise Http404
    after = _next_worst(corpus, score, labels, wanted)
    bench = glasses.of_score(score, others, wanted, labels, after)
    return render(request, "leaderboard/glass.html", {"score": score, "bench": bench, "slice": wanted})


@require_GET
def view(request: HttpRequest, slug: str, extractor: int, page: int) -> HttpResponse:
    """The page's view: of the document that the current gold speaks of."""
    found = get_object_or_404(Page, corpus=request.standing.corpus, pk=page)
    gold = get_object_or_404(found.gold.select_related("document"), current=True)
    return send_view(gold.document)


def _board_context(request: HttpRequest) -> dict[str, object]:
    corpus, wanted = request.standing.corpus, slice_of(request.GET)
    board: Board = queries.board(corpus, labels=wanted.labels, gold=wanted.gold, mean=wanted.mean)
    return {
        "board": board,
        "slice": wanted,
        "label_sets": list(LABEL_SETS),
        "version": corpus.board_version,
        "progress": queries.progress(corpus),
        "latest": queries.latest_gold(corpus),
    }


def _extractor_or_404(corpus: Corpus, pk: int) -> Extractor:
    found = queries.scored_extractor(corpus, pk)
    if found is None:
        raise Http404
    return found


def _labels_for(corpus: Corpus, page: int, wanted: Slice) -> str:
    """The label set asked for, or what this page's gold can tell instead."""
    told = queries.labels_told(corpus, page)
    if not told:
        raise Http404
    labels = wanted.labels or queries.default_labels(corpus)
    return labels if labels in told else told[0]


def _next_worst(corpus: Corpus, score: Score, labels: str, wanted: Slice) -> int | None:
    """The page after this one, from the worst to the best."""
    rows = queries.pages_of(
        corpus, score.extraction.extractor, labels=labels, gold=wanted.gold, metric=wanted.metric
    )
    order = [row.page_id for row in rows]
    here = order.index(score.gold.page_id) if score.gold.page_id in order else -1
    return order[here + 1] if here + 1 < len(order) else None
