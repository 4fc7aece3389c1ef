"""The re-annotation screen of an admin: select pages, preview, open rounds, stop, resume."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.common.errors import GoldpanError
from annotator.common.http import answers_errors
from annotator.common.ids import read_id
from annotator.corpora.access import CorpusRequest
from annotator.gold.reannotation import actions, page_selection, queries
from annotator.gold.reannotation.forms import PageCriteriaForm

LISTED = 10


@require_GET
def reannotation(request: CorpusRequest, slug: str) -> HttpResponse:
    """The form and, once it is submitted, its preview."""
    if "seed" not in request.GET:
        return _show(request, PageCriteriaForm.fresh(request.access.corpus))
    form = PageCriteriaForm(request.GET, corpus=request.access.corpus)
    return _show(request, form, status=200 if form.is_valid() else 422)


@require_POST
def open_rounds(request: CorpusRequest, slug: str) -> HttpResponse:
    """Open the previewed rounds; where the number of pages has changed, show the preview again."""
    corpus = request.access.corpus
    form = PageCriteriaForm(request.POST, corpus=corpus)
    previewed = read_id(request.POST.get("pages", ""))
    if not form.is_valid() or previewed is None:
        return _show(request, form, status=422)
    try:
        made = actions.request_reannotation(
            corpus=corpus, criteria=form.criteria(), user=request.user, pages=previewed
        )
    except GoldpanError as error:
        return _show(request, form, error_message=error.message, status=error.status)
    pipeline.enqueue(made)
    messages.success(request, _("Opening rounds. Current gold stays until they are finalised."))
    return redirect("reannotation", slug)


@require_GET
def state(request: CorpusRequest, slug: str) -> HttpResponse:
    """The row of the newest one, fetched by the screen while it runs."""
    newest = queries.reannotations(request.access.corpus).first()
    return render(request, "reannotation/row.html", {"each": newest, "newest": True} if newest else {})


@require_POST
def stop(request: CorpusRequest, slug: str) -> HttpResponse:
    found = queries.unfinished(request.access.corpus)
    if found:
        actions.stop(reannotation=found)
    return redirect("reannotation", slug)


@require_POST
@answers_errors
def resume(request: CorpusRequest, slug: str) -> HttpResponse:
    """Resume the newest one: no other can be stopped or failed."""
    found = queries.reannotations(request.access.corpus).first()
    if found and (found.stopped_at or found.error):
        actions.resume(reannotation=found)
        pipeline.enqueue(found)
    return redirect("reannotation", slug)


def _show(
    request: CorpusRequest, form: PageCriteriaForm, *, error_message: str = "", status: int = 200
) -> HttpResponse:
    corpus = request.access.corpus
    context: dict[str, Any] = {
        "form": form,
        "error_message": error_message,
        "outdated": page_selection.outdated(corpus).count(),
        "plan": page_selection.plan(corpus, form.criteria()) if form.is_bound and form.is_valid() else None,
        "selected_clauses": form["clauses"].value() or [],
        "sites": page_selection.sites(corpus),
        "hidden_fields": _hidden_fields(form),
        "unfinished": queries.unfinished(corpus),
        "reannotations": queries.reannotations(corpus)[:LISTED],
    }
    return render(request, "reannotation/reannotation.html", context, status=status)


def _hidden_fields(form: PageCriteriaForm) -> list[tuple[str, str]]:
    """The submitted values, to be sent again with the confirmation."""
    if not form.is_bound:
        return []
    assert isinstance(form.data, QueryDict)
    return [(name, value) for name in form.fields for value in form.data.getlist(name)]
