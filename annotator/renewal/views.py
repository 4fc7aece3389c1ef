"""The admin's screen of new rounds: choose settled pages, look what that would be, open, stop, go on."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator import journey
from annotator.common.errors import GoldpanError
from annotator.common.http import answers_errors
from annotator.renewal import actions, choosing, queries
from annotator.renewal.forms import RenewalForm

LISTED = 10


@require_GET
def renewal(request: HttpRequest, slug: str) -> HttpResponse:
    """The choice, and what it would come to once it is asked for."""
    if "seed" not in request.GET:
        return _show(request, RenewalForm.fresh(request.standing.corpus))
    form = RenewalForm(request.GET, corpus=request.standing.corpus)
    return _show(request, form, status=200 if form.is_valid() else 422)


@require_POST
def open_rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Open what she was shown; where it is something else by now, she is shown that."""
    corpus = request.standing.corpus
    form = RenewalForm(request.POST, corpus=corpus)
    told = request.POST.get("pages", "")
    if not form.is_valid() or not (told.isdecimal() and len(told) < 10):
        return _show(request, form, status=422)
    try:
        made = actions.request_renewal(corpus=corpus, asked=form.asked(), user=request.user, pages=int(told))
    except GoldpanError as error:
        return _show(request, form, problem=error.message, status=error.status)
    journey.renewal_requested(made)
    messages.success(request, _("The rounds are being opened; until they are settled the gold stands."))
    return redirect("renewal", slug)


@require_GET
def state(request: HttpRequest, slug: str) -> HttpResponse:
    """The line of the newest one, as it stands now; asked for by the screen while it runs."""
    newest = queries.renewals(request.standing.corpus).first()
    return render(request, "renewal/line.html", {"each": newest} if newest else {})


@require_POST
def stop(request: HttpRequest, slug: str) -> HttpResponse:
    found = queries.unfinished(request.standing.corpus)
    if found:
        actions.stop(renewal=found)
    return redirect("renewal", slug)


@require_POST
@answers_errors
def go_on(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest one: only it can be stopped or have failed without another after it."""
    found = queries.renewals(request.standing.corpus).first()
    if found and (found.stopped_at or found.error):
        actions.go_on(renewal=found)
        journey.renewal_requested(found)
    return redirect("renewal", slug)


def _show(request: HttpRequest, form: RenewalForm, *, problem: str = "", status: int = 200) -> HttpResponse:
    corpus = request.standing.corpus
    context: dict[str, Any] = {
        "form": form,
        "problem": problem,
        "outdated": choosing.outdated(corpus).count(),
        "plan": choosing.plan(corpus, form.asked()) if form.is_bound and form.is_valid() else None,
        "chosen": form["clauses"].value() or [],
        "sites": choosing.sites(corpus),
        "given": _given(form),
        "unfinished": queries.unfinished(corpus),
        "renewals": queries.renewals(corpus)[:LISTED],
    }
    return render(request, "renewal/renewal.html", context, status=status)


def _given(form: RenewalForm) -> list[tuple[str, str]]:
    """What was asked, to be sent again."""
    if not form.is_bound:
        return []
    return [(name, value) for name in form.fields for value in form.data.getlist(name)]
