"""The extractors tab of the settings."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.administration.extractors import queries
from annotator.common.http import shows_errors
from annotator.corpora.access import CorpusRequest
from annotator.runs import actions, running
from annotator.runs.forms import ParametersForm
from annotator.runs.models import Extractor
from annotator.runs.tasks import follow
from extraction import extractors


@require_GET
def list_(request: CorpusRequest, slug: str) -> HttpResponse:
    return _show(request)


@require_GET
def progress(request: CorpusRequest, slug: str) -> HttpResponse:
    """The list alone, fetched by the screen while extractors run."""
    return render(request, "administration/extractor_rows.html", _rows(request))


@require_POST
@shows_errors("extractors")
def enable(request: CorpusRequest, slug: str) -> HttpResponse:
    """Run an extractor with the parameters that were sent on all pages; then it is enabled."""
    name = request.POST.get("extractor", "")
    if name not in actions.can_be_enabled():
        raise Http404
    form = ParametersForm(extractors.get(name), request.POST)
    if not form.is_valid():
        return _show(request, invalid=form, status=422)
    return _start(request, actions.register(name, **form.cleaned_data))


@require_POST
@shows_errors("extractors")
def disable(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    extractor = _extractor_or_404(request, pk)
    actions.disable(corpus=request.access.corpus, extractor=extractor)
    messages.success(
        request,
        _("%(extractor)s runs on no more pages. Its extractions and scores stay.") % {"extractor": extractor},
    )
    return redirect("extractors", slug)


@require_POST
@shows_errors("extractors")
def upgrade(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """Run the installed version of an extractor in place of another, or enable a disabled one again."""
    extractor = _extractor_or_404(request, pk)
    if extractor.is_uploaded:
        actions.enable_again(corpus=request.access.corpus, extractor=extractor)
        pipeline.extractors_changed(request.access.corpus.pk)
        return redirect("extractors", slug)
    return _start(request, actions.installed_version(extractor))


@require_POST
def run(request: CorpusRequest, slug: str) -> HttpResponse:
    """Run all enabled extractors on the pages on which they have not run."""
    actions.record_run(corpus=request.access.corpus)
    pipeline.extractors_wanted(request.access.corpus.pk)
    messages.success(request, _("The extractors run on what is missing."))
    return redirect("extractors", slug)


def _start(request: CorpusRequest, extractor: Extractor) -> HttpResponse:
    """Start a run, and follow it, unless nothing was missing."""
    run = running.start_run(corpus=request.access.corpus, extractor=extractor, user=request.user)
    follow(run)
    if not run.completed_at:
        return redirect("run", request.access.corpus.slug, run.pk)
    messages.success(
        request,
        _("%(extractor)s %(version)s is enabled.") % {"extractor": extractor, "version": extractor.version},
    )
    return redirect("extractors", request.access.corpus.slug)


def _extractor_or_404(request: CorpusRequest, pk: int) -> Extractor:
    """The extractor, if the corpus runs it or ran it."""
    known = Extractor.objects.filter(enabled__corpus=request.access.corpus).distinct()
    return get_object_or_404(known, pk=pk)


def _rows(request: CorpusRequest) -> dict[str, Any]:
    rows = queries.rows_of(request.access.corpus)
    return {"rows": rows, "runs": queries.runs_of(request.access.corpus, rows)}


def _show(
    request: CorpusRequest, *, invalid: ParametersForm | None = None, status: int = 200
) -> HttpResponse:
    forms = [
        invalid if invalid and invalid.spec.name == name else ParametersForm(extractors.get(name))
        for name in actions.can_be_enabled()
    ]
    unavailable = [
        (name, extractors.get(name).missing) for name in extractors.names() if extractors.get(name).missing
    ]
    unavailable += extractors.broken_plugins().items()
    context = {**_rows(request), "forms": forms, "invalid": invalid, "unavailable": unavailable}
    return render(request, "administration/extractors.html", context, status=status)
