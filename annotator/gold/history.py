"""The versions of a page's gold, and the audits of a corpus: who settled what, when and why."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator.common.errors import GoldpanError
from annotator.corpora.actions import set_audit_share
from annotator.gold import opening, queries
from annotator.pages.models import Page


@require_GET
def page_gold(request: HttpRequest, slug: str, page: int) -> HttpResponse:
    found = _page_or_404(request, page)
    context = {
        "page": found,
        "versions": list(queries.versions(found)),
        "reopening": queries.reopening_of(found),
        "most": opening.MAX_WHY,
    }
    return render(request, "gold/page.html", context)


@require_POST
def reopen(request: HttpRequest, slug: str, page: int) -> HttpResponse:
    """Let an adjudicator look at the version that the admin has before her."""
    found = _page_or_404(request, page)
    version = request.POST.get("version", "")
    gold = get_object_or_404(found.gold, number=int(version) if version.isdecimal() else 0)
    try:
        opening.reopen_gold(gold=gold, by=request.user, why=request.POST.get("why", ""))
        messages.success(request, _("An adjudicator will look at it again; until then this gold stands."))
    except GoldpanError as error:
        messages.error(request, error.message)
    return redirect("page-gold", slug, page)


@require_GET
def audits(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "gold/audits.html", {"audits": queries.audit_figures(request.standing.corpus)})


@require_POST
def audit_share(request: HttpRequest, slug: str) -> HttpResponse:
    """The share from now on, in per cent."""
    given = request.POST.get("percent", "")
    try:
        share = int(given) / 100 if given.isdecimal() and len(given) < 4 else -1
        set_audit_share(corpus=request.standing.corpus, share=share)
        messages.success(request, _("From now on %(percent)s %% of agreed pages.") % {"percent": given})
    except GoldpanError as error:
        messages.error(request, error.message)
    return redirect("audits", slug)


def _page_or_404(request: HttpRequest, pk: int) -> Page:
    return get_object_or_404(Page, corpus=request.standing.corpus, pk=pk)
