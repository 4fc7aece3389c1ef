"""The leaderboard, the pages behind each row, and the error view."""

from dataclasses import replace

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotator import pipeline
from annotator.annotations.workbench.payload import stage_addresses
from annotator.common.errors import Missing
from annotator.common.http import answers_errors, trusted_types
from annotator.common.ids import read_id
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from annotator.pages.views import send_view
from annotator.scoring.leaderboard import error_view as error_views
from annotator.scoring.leaderboard import page_scores, queries
from annotator.scoring.leaderboard.actions import leaderboard_of, request_leaderboard
from annotator.scoring.leaderboard.asking import ask_for, asked_filters, extractor_or_404
from annotator.scoring.leaderboard.chart import Chart, chart_of
from annotator.scoring.leaderboard.citation import Citation, cite_board
from annotator.scoring.leaderboard.downloads import csv_file, json_file
from annotator.scoring.leaderboard.drawings import figure_of
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.leaderboard import CSV_HEAD, Leaderboard, csv_rows, to_json
from annotator.scoring.leaderboard.metric_titles import FIGURE_TITLES, METRICS
from annotator.scoring.leaderboard.people import people_of
from annotator.scoring.leaderboard.score_by_size import FIGURES
from annotator.scoring.leaderboard.slice_titles import slice_choices
from annotator.scoring.measuring import STORED
from annotator.scoring.models import AnalysisKind, Score, StoredLeaderboard
from extraction.spans import LABEL_SETS

PAGES_AT_ONCE = 50
# So many of the worst pages behind a row can be looked through.
MOST_LISTED = 5_000
# So many slices of a dimension can be chosen: those with the most pages.
MOST_SLICES = 60


@require_GET
def leaderboard(request: CorpusRequest, slug: str) -> HttpResponse:
    return render(request, "leaderboard/leaderboard.html", _board_context(request))


@require_GET
def table(request: CorpusRequest, slug: str) -> HttpResponse:
    """The part of the screen that changes; fetched by open leaderboards when the version changes."""
    return render(request, "leaderboard/table.html", _board_context(request))


@require_GET
@answers_errors
def as_csv(request: CorpusRequest, slug: str) -> HttpResponse:
    """The rows as shown, as CSV."""
    board, citation = _computed_board(request)
    return csv_file(f"leaderboard-{slug}", CSV_HEAD, csv_rows(board), citation)


@require_GET
@answers_errors
def as_json(request: CorpusRequest, slug: str) -> HttpResponse:
    """The figures as JSON, in the shape of `evaluate --json`, and what they are cited by."""
    board, citation = _computed_board(request)
    return json_file(f"leaderboard-{slug}", to_json(board), citation)


@require_GET
def version(request: CorpusRequest, slug: str) -> HttpResponse:
    """The state that the stored leaderboard shows. Asked by open leaderboards; a newer one is computed."""
    corpus = request.access.corpus
    stored = _stored(corpus, asked_filters(request), queries.state_of(corpus), with_board=False)
    response = JsonResponse({"version": stored.state})
    response["Cache-Control"] = "no-store"
    return response


@require_GET
def pages(request: CorpusRequest, slug: str, extractor: int) -> HttpResponse:
    corpus = request.access.corpus
    filters = asked_filters(request)
    found = extractor_or_404(corpus, extractor)
    labels = queries.chosen_labels(corpus, filters.labels)
    count = page_scores.page_count(corpus, found, filters, labels)
    worst = page_scores.worst_first(corpus, found, filters, labels)
    shown = Paginator(range(min(count, MOST_LISTED)), PAGES_AT_ONCE).get_page(request.GET.get("page"))
    window = worst[shown.start_index() - 1 : shown.end_index()] if count else []
    context = {
        "extractor": found,
        "filters": filters,
        "labels": labels,
        **choices(corpus, filters),
        "shown": shown,
        "rows": page_scores.page_rows(corpus, found, window, labels=labels, metric=filters.metric),
        "count": count,
    }
    return render(request, "leaderboard/pages.html", context)


@require_GET
@trusted_types
def error_view(request: CorpusRequest, slug: str, extractor: int, page: int) -> HttpResponse:
    corpus = request.access.corpus
    filters = asked_filters(request)
    labels = page_scores.labels_of_page(corpus, page, filters.labels)
    if labels is None:
        raise Http404
    others = page_scores.scores_of_page(corpus, page, labels)
    score = next((each for each in others if each.extraction.extractor_id == extractor), None)
    if score is None:
        raise Http404
    versus = read_id(request.GET.get("vs", ""))
    second = next((each for each in others if each.extraction.extractor_id == versus != extractor), None)
    rank = _rank(corpus, score, labels, filters)
    payload = error_views.payload(score, others, filters, labels, rank, second)
    payload["urls"] |= stage_addresses(payload["urls"]["view"], score.gold.document, request.user)
    context = {
        "score": score,
        "second": second,
        "payload": payload,
        "rank": rank,
        "filters": filters,
        "metric": METRICS[filters.metric],
    }
    return render(request, "leaderboard/error_view.html", context)


@require_GET
def view_document(request: CorpusRequest, slug: str, extractor: int, page: int) -> HttpResponse:
    """The inert view of the document of the page's current gold."""
    found = get_object_or_404(Page, corpus=request.access.corpus, pk=page)
    gold = get_object_or_404(found.gold.select_related("document"), current=True)
    return send_view(gold.document)


def _board_context(request: CorpusRequest) -> dict[str, object]:
    corpus = request.access.corpus
    filters = asked_filters(request)
    state = queries.state_of(corpus)
    stored = _stored(corpus, filters, state)
    board = leaderboard_of(stored)
    if board:
        board = _with_people(corpus, board, state)
    return {
        "board": board,
        "stored": stored,
        "filters": filters,
        **choices(corpus, filters),
        "figure_links": [
            (replace(filters, figure=name), title, name == filters.figure)
            for name, title in FIGURE_TITLES.items()
        ],
        "chart": _chart(corpus, board, filters) if board else None,
        **(_figure(corpus, board, stored) if board and board.rows else {}),
        "progress": queries.progress(corpus),
        "latest": queries.latest_gold(corpus),
    }


def _stored(
    corpus: Corpus, filters: LeaderboardFilters, state: str, *, with_board: bool = True
) -> StoredLeaderboard:
    stored, is_asked = request_leaderboard(corpus=corpus, filters=filters, state=state, with_board=with_board)
    if is_asked:
        pipeline.enqueue(stored)
    return stored


def _computed_board(request: CorpusRequest) -> tuple[Leaderboard, Citation]:
    """The last leaderboard, and what it is cited by. Raises Missing while the first is being computed."""
    filters = asked_filters(request)
    stored = _stored(request.access.corpus, filters, queries.state_of(request.access.corpus))
    board = leaderboard_of(stored)
    if board is None or stored.computed_at is None:
        raise Missing(_("The leaderboard is being computed. Try again in a minute."))
    return board, cite_board(request.access.corpus, board, computed_at=stored.computed_at)


def choices(corpus: Corpus, filters: LeaderboardFilters) -> dict[str, object]:
    """Return what the form of the filters offers."""
    return {
        "metrics": [(name, words.title) for name, words in METRICS.items()],
        "metric": METRICS[filters.metric],
        "label_sets": [
            name for name in queries.label_choices(corpus) if filters.metric == STORED or name in LABEL_SETS
        ],
        "selection": filters.selection,
        "slices": slice_choices(corpus, filters.selection, most=MOST_SLICES),
    }


def _with_people(corpus: Corpus, board: Leaderboard, state: str) -> Leaderboard:
    """Return the board with human agreement by its metric, as far as a worker has measured it.

    It is measured on all pages: a slice has what the board says of it.
    """
    if board.slice:
        return board
    people = people_of(corpus, labels=board.labels, metric=board.metric, mean=board.mean)
    if people.is_due:
        ask_for(corpus, AnalysisKind.PEOPLE, {}, state)
    return replace(
        board,
        people=people.agreement or board.people,
        people_to_gold=people.to_gold,
        are_people_blind=people.agreement is not None,
    )


def _figure(corpus: Corpus, board: Leaderboard, stored: StoredLeaderboard) -> dict[str, object]:
    """Return the board as one drawing, and what it is cited by."""
    assert stored.computed_at
    return {
        "figure": figure_of(board),
        "citation": cite_board(corpus, board, computed_at=stored.computed_at),
    }


def _chart(corpus: Corpus, board: Leaderboard, filters: LeaderboardFilters) -> Chart | None:
    if board.by_size is None:
        return None
    released = [(each.number, each.finished_at) for each in queries.releases(corpus) if each.finished_at]
    # Human agreement has F1 only.
    people = board.people.value if board.people and filters.figure == FIGURES[0] else None
    titles = {line.title for line in board.by_size.lines}
    versions = [
        (f"{each} {each.version}", since) for each, since in queries.versions(corpus) if str(each) in titles
    ]
    return chart_of(board.by_size, filters.figure, people=people, releases=released, versions=versions)


def _rank(corpus: Corpus, score: Score, labels: str, filters: LeaderboardFilters) -> error_views.Rank:
    """Return where the page stands among the extractor's, worst first."""
    worst = page_scores.worst_first(corpus, score.extraction.extractor, filters, labels)
    order = list(worst[:MOST_LISTED])
    index = order.index(score.gold.page_id) if score.gold.page_id in order else -1
    return error_views.Rank(
        number=index + 1,
        count=len(order),
        before=order[index - 1] if index > 0 else None,
        after=order[index + 1] if index + 1 < len(order) else None,
    )
