"""Which parser made the documents, and the way to the one that runs here: start, stop, report."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotator import journey
from annotator.corpora.models import Corpus
from annotator.reparsing import actions, queries, reports
from annotator.reparsing.models import Move
from extraction.document import PARSER_VERSION

A_SHEET = 30


@require_GET
def reparsing(request: HttpRequest, slug: str) -> HttpResponse:
    corpus: Corpus = request.standing.corpus
    context = {"versions": queries.versions(corpus), **_run(corpus), **_sheet(request)}
    return render(request, "reparsing/reparsing.html", context)


@require_GET
def state(request: HttpRequest, slug: str) -> HttpResponse:
    """How far it is; asked for by the screen while it runs."""
    return render(request, "reparsing/progress.html", _run(request.standing.corpus))


@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    run = actions.start(corpus=request.standing.corpus, user=request.user)
    journey.moves_requested(queries.open_moves(run).iterator())
    return redirect("reparsing", slug)


@require_POST
def stop(request: HttpRequest, slug: str) -> HttpResponse:
    run = queries.last_run(request.standing.corpus)
    if run:
        actions.stop(run=run)
    return redirect("reparsing", slug)


@require_GET
def moved(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What became of one page's gold, with the words that were lost or changed."""
    moves = Move.objects.filter(run__corpus=request.standing.corpus)
    move = get_object_or_404(moves.select_related("page", "run", "before", "document", "gold"), pk=pk)
    return render(request, "reparsing/page.html", {"move": move, "rows": reports.rows_of(move)})


def _run(corpus: Corpus) -> dict[str, Any]:
    run = queries.last_run(corpus)
    return {
        "run": run,
        "tally": queries.tallied(run) if run else None,
        "running_version": PARSER_VERSION,
        "would_move": queries.to_move(corpus, PARSER_VERSION).count(),
    }


def _sheet(request: HttpRequest) -> dict[str, Any]:
    run = queries.last_run(request.standing.corpus)
    moves = queries.worst_first(run) if run else Move.objects.none()
    return {"sheet": Paginator(moves, A_SHEET).get_page(request.GET.get("page"))}
