"""The adjudication screen and its requests: an adjudicator reaches only the page that they hold."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.annotations.workbench.forms import quoted, whole
from annotator.common.errors import GoldpanError, Gone
from annotator.common.http import answers_errors, json_body, shows_errors, trusted_types
from annotator.common.ids import read_id
from annotator.corpora.access import CorpusRequest
from annotator.corpora.actions import set_audit_share
from annotator.corpora.guideline.queries import rules_beside
from annotator.corpora.models import Corpus, User
from annotator.gold import actions, finalisation, payload, queries
from annotator.gold.models import Adjudication
from annotator.pages.models import Page
from annotator.pages.views import send_view


def held_or_gone(request: CorpusRequest, pk: int) -> Adjudication:
    adjudication = queries.adjudication_of(request.access.corpus, request.user, pk)
    if adjudication is None:
        raise Gone(
            _(
                "You do not hold this page now: it was adjudicated, deferred, annotated again or assigned to"
                " someone else. Your decisions are kept."
            )
        )
    return adjudication


def next_address(corpus: Corpus, user: User) -> str | None:
    """Claim the next adjudication and return its address; None when there is none."""
    adjudication = actions.claim_next(corpus=corpus, user=user)
    return reverse("adjudicate", args=[corpus.slug, adjudication.pk]) if adjudication else None


@require_POST
def next_adjudication(request: CorpusRequest, slug: str) -> HttpResponse:
    return redirect(next_address(request.access.corpus, request.user) or "home")


@require_GET
@trusted_types
@answers_errors
def adjudicate(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    adjudication = held_or_gone(request, pk)
    context = {
        "payload": payload.of_adjudication(adjudication, request.user),
        "rules": rules_beside(request.access.corpus, queries.guideline_of(adjudication)),
    }
    return render(request, "gold/adjudicate.html", context)


@require_GET
@answers_errors
def view(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    return send_view(queries.document_of(held_or_gone(request, pk)))


@require_POST
@answers_errors
def verdict(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    body = json_body(request)
    decided = actions.decide_verdict(
        adjudication=held_or_gone(request, pk),
        user=request.user,
        verdict=str(body.get("verdict", "")),
        reason=str(body.get("reason") or ""),
    )
    described = payload.describe(decided)
    return JsonResponse({"decided": decided.verdict, "reason": decided.reason, **described})


@require_POST
@answers_errors
def decide(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    body = json_body(request)
    marks, quotes = quoted(body.get("spans") or [])
    actions.decide(
        adjudication=held_or_gone(request, pk),
        user=request.user,
        numbers=_numbers(body.get("segments")),
        choice=str(body.get("choice", "")),
        clause=str(body.get("clause") or ""),
        marks=marks,
        quotes=quotes,
    )
    return JsonResponse({})


def _numbers(value: Any) -> list[int]:
    if not isinstance(value, list) or not value:
        raise GoldpanError(_("“segments” must be a list of numbers."))
    return [whole({"segments": number}, "segments") for number in value]


@require_POST
@answers_errors
def submit(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """Submitting twice is submitting once: a window that missed the answer asks again."""
    shown = json_body(request).get("shown")
    if not isinstance(shown, dict):
        raise GoldpanError(_("“shown” must be the verdict and the decisions that are submitted."))
    corpus, user = request.access.corpus, request.user
    if not queries.adjudicated(corpus, user).filter(pk=pk).exists():
        gold = actions.submit(adjudication=held_or_gone(request, pk), user=user, shown=shown)
        pipeline.gold_finalised(gold.pk, is_live=True)
    return JsonResponse({"next": next_address(corpus, user)})


@require_POST
@answers_errors
def defer(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    actions.defer(adjudication=held_or_gone(request, pk), user=request.user)
    return JsonResponse({"next": next_address(request.access.corpus, request.user)})


@require_POST
@answers_errors
def heartbeat(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    actions.heartbeat(adjudication=held_or_gone(request, pk), user=request.user)
    return JsonResponse({})


@require_POST
@shows_errors("page-gold", "page")
def reopen(request: CorpusRequest, slug: str, page: int) -> HttpResponse:
    """Send the version that the admin was shown back to adjudication."""
    found = get_object_or_404(Page, corpus=request.access.corpus, pk=page)
    gold = get_object_or_404(found.gold, number=read_id(request.POST.get("version", "")))
    finalisation.reopen_gold(gold=gold, by=request.user, why=request.POST.get("why", ""))
    message = _("Sent back to adjudication. This gold stays current until a new version is submitted.")
    messages.success(request, message)
    return redirect("page-gold", slug, page)


@require_GET
def audits(request: CorpusRequest, slug: str) -> HttpResponse:
    return render(request, "gold/audits.html", {"audits": queries.audit_figures(request.access.corpus)})


@require_POST
@shows_errors("audits")
def audit_share(request: CorpusRequest, slug: str) -> HttpResponse:
    """Set the share in percent, from now on."""
    given = request.POST.get("percent", "")
    if not (given.isdecimal() and len(given) < 4 and int(given) <= 100):
        raise GoldpanError(_("Enter a whole percentage from 0 to 100."))
    set_audit_share(corpus=request.access.corpus, share=int(given) / 100)
    messages.success(request, _("Audit share saved: %(percent)s %% of agreed pages.") % {"percent": given})
    return redirect("audits", slug)
