"""Gold that is reopened, and the audits of a corpus."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator.common.errors import GoldpanError
from annotator.common.ids import read_id
from annotator.corpora.access import CorpusRequest
from annotator.corpora.actions import set_audit_share
from annotator.gold import finalisation, queries
from annotator.pages.models import Page


@require_POST
def reopen(request: CorpusRequest, slug: str, page: int) -> HttpResponse:
    """Send the version that the admin was shown back to adjudication."""
    found = _page_or_404(request, page)
    version = request.POST.get("version", "")
    gold = get_object_or_404(found.gold, number=read_id(version))
    try:
        finalisation.reopen_gold(gold=gold, by=request.user, why=request.POST.get("why", ""))
        message = _("Sent back to adjudication. This gold stays current until a new version is submitted.")
        messages.success(request, message)
    except GoldpanError as error:
        messages.error(request, error.message)
    return redirect("page-gold", slug, page)


@require_GET
def audits(request: CorpusRequest, slug: str) -> HttpResponse:
    return render(request, "gold/audits.html", {"audits": queries.audit_figures(request.access.corpus)})


@require_POST
def audit_share(request: CorpusRequest, slug: str) -> HttpResponse:
    """Set the share in percent, from now on."""
    given = request.POST.get("percent", "")
    try:
        share = int(given) / 100 if given.isdecimal() and len(given) < 4 else -1
        set_audit_share(corpus=request.access.corpus, share=share)
        messages.success(
            request, _("Audit share saved: %(percent)s %% of agreed pages.") % {"percent": given}
        )
    except GoldpanError as error:
        messages.error(request, error.message)
    return redirect("audits", slug)


def _page_or_404(request: CorpusRequest, pk: int) -> Page:
    return get_object_or_404(Page, corpus=request.access.corpus, pk=pk)
