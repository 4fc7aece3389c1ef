"""The re-parsing screen: parser versions, start, stop, and the report page by page."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus
from annotator.reparsing import actions, queries
from annotator.reparsing.models import Reparse, ReparseJob
from extraction.documents.document import PARSER_VERSION

PER_PAGE = 30


@require_GET
def reparsing(request: CorpusRequest, slug: str) -> HttpResponse:
    corpus: Corpus = request.access.corpus
    run = queries.last_run(corpus, PARSER_VERSION)
    jobs = queries.worst_first(run) if run else ReparseJob.objects.none()
    context = {
        "versions": queries.versions(corpus),
        "page_obj": Paginator(jobs, PER_PAGE).get_page(request.GET.get("page")),
        **_progress(corpus, run),
    }
    return render(request, "reparsing/reparsing.html", context)


@require_GET
def state(request: CorpusRequest, slug: str) -> HttpResponse:
    """The progress of the run, fetched by the screen while it runs."""
    corpus = request.access.corpus
    run = queries.last_run(corpus, PARSER_VERSION)
    if run is None:
        raise Http404
    return render(request, "reparsing/progress.html", _progress(corpus, run))


@require_POST
def start(request: CorpusRequest, slug: str) -> HttpResponse:
    run = actions.start(corpus=request.access.corpus, user=request.user)
    pipeline.enqueue_first(queries.open_jobs(run).iterator())
    return redirect("reparsing", slug)


@require_POST
def stop(request: CorpusRequest, slug: str) -> HttpResponse:
    run = queries.last_run(request.access.corpus, PARSER_VERSION)
    if run:
        actions.stop(run=run)
    return redirect("reparsing", slug)


@require_GET
def page_detail(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """The report of one page's gold, with the words that were lost or changed."""
    jobs = ReparseJob.objects.filter(run__corpus=request.access.corpus)
    job = get_object_or_404(jobs.select_related("page", "run", "document_before", "document", "gold"), pk=pk)
    return render(request, "reparsing/page.html", {"job": job, "rows": queries.rows_of(job)})


def _progress(corpus: Corpus, run: Reparse | None) -> dict[str, Any]:
    outdated = queries.outdated_pages(corpus, PARSER_VERSION).count()
    progress = queries.progress_of(run) if run else None
    left = resumes = False
    # A run of another version cannot go on: the installed parser starts one of its own.
    if run and progress and run.version == PARSER_VERSION:
        left = progress["left"] > 0
        resumes = progress["failed"] > 0 or (left and run.stopped_at is not None)
    return {
        "run": run,
        "progress": progress,
        "running_version": PARSER_VERSION,
        "outdated": outdated,
        "resumes": resumes,
        "can_start": resumes or (outdated > 0 and not left),
    }
