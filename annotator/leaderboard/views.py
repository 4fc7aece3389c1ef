"""The board, the pages behind each row, and the glass."""

from dataclasses import replace

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from annotator.common.http import answers_errors, trusted_types
from annotator.corpora.models import Corpus
from annotator.leaderboard import glass as glasses
from annotator.leaderboard import queries
from annotator.leaderboard.board import Board, complete, to_json
from annotator.leaderboard.chart import Drawing, drawing_of
from annotator.leaderboard.forms import Slice, slice_of
from annotator.leaderboard.growth import FIGURES
from annotator.leaderboard.sheet import sheet
from annotator.leaderboard.wording import GREW, METRICS
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
@answers_errors
def as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The rows of the board as they are shown."""
    board = complete(_board(request.standing.corpus, slice_of(request.GET)))
    return _download(HttpResponse(sheet(board), content_type="text/csv; charset=utf-8"), f"{slug}.csv")


@require_GET
@answers_errors
def as_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The figures in the shape of `evaluate --json`."""
    board = complete(_board(request.standing.corpus, slice_of(request.GET)))
    return _download(JsonResponse(to_json(board)), f"{slug}.json")


def _download(response: HttpResponse, name: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="leaderboard-{name}"'
    response["Cache-Control"] = "private, no-store"
    return response


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
        **_choices(wanted),
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
    context = {"score": score, "bench": bench, "slice": wanted, "metric": METRICS[wanted.metric]}
    return render(request, "leaderboard/glass.html", context)


@require_GET
def view(request: HttpRequest, slug: str, extractor: int, page: int) -> HttpResponse:
    """The page's view: of the document that the current gold speaks of."""
    found = get_object_or_404(Page, corpus=request.standing.corpus, pk=page)
    gold = get_object_or_404(found.gold.select_related("document"), current=True)
    return send_view(gold.document)


def _board_context(request: HttpRequest) -> dict[str, object]:
    corpus, wanted = request.standing.corpus, slice_of(request.GET)
    board = _board(corpus, wanted)
    return {
        "board": board,
        "slice": wanted,
        **_choices(wanted),
        "grew": [(replace(wanted, grew=name), title, name == wanted.grew) for name, title in GREW.items()],
        "drawing": _drawing(corpus, board, wanted),
        "version": corpus.board_version,
        "progress": queries.progress(corpus),
        "latest": queries.latest_gold(corpus),
    }


def _board(corpus: Corpus, wanted: Slice) -> Board:
    return queries.board(
        corpus, labels=wanted.labels, metric=wanted.metric, gold=wanted.gold, mean=wanted.mean
    )


def _choices(wanted: Slice) -> dict[str, object]:
    return {
        "metrics": [(name, words.title) for name, words in METRICS.items()],
        "metric": METRICS[wanted.metric],
        "label_sets": list(LABEL_SETS),
    }


def _drawing(corpus: Corpus, board: Board, wanted: Slice) -> Drawing | None:
    released = [(each.number, each.finished_at) for each in queries.releases(corpus)]
    if board.growth is None:
        return None
    # Of people there is F1 alone.
    people = board.people.value if board.people and wanted.grew == FIGURES[0] else None
    return drawing_of(board.growth, wanted.grew, people=people, releases=released)


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
