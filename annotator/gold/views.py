"""The adjudication screen and its requests. An adjudicator reaches the dispute in her hands, and no other."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator import journey
from annotator.annotations.forms import quoted, whole
from annotator.common.errors import GoldpanError
from annotator.common.http import answers_errors, json_body, trusted_types
from annotator.corpora.guideline.queries import rules_beside
from annotator.corpora.models import Corpus, User
from annotator.gold import actions, bench, queries
from annotator.gold.models import Adjudication
from annotator.pages.views import send_view


def held_or_404(request: HttpRequest, pk: int) -> Adjudication:
    adjudication = queries.adjudication_of(request.standing.corpus, request.user, pk)
    if adjudication is None:
        raise Http404
    return adjudication


def next_address(corpus: Corpus, user: User) -> str | None:
    """Take the next dispute and give its address; None when there is none."""
    adjudication = actions.claim_next(corpus=corpus, user=user)
    return reverse("adjudicate", args=[corpus.slug, adjudication.pk]) if adjudication else None


@require_POST
def next_dispute(request: HttpRequest, slug: str) -> HttpResponse:
    return redirect(next_address(request.standing.corpus, request.user) or "home")


@require_GET
@trusted_types
def adjudicate(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    adjudication = held_or_404(request, pk)
    context = {
        "adjudication": adjudication,
        "bench": bench.of_adjudication(adjudication),
        "rules": rules_beside(request.standing.corpus, queries.guideline_of(adjudication)),
    }
    return render(request, "gold/adjudicate.html", context)


@require_GET
def view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return send_view(queries.document_of(held_or_404(request, pk)))


@require_POST
@answers_errors
def verdict(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    body = json_body(request)
    settled = actions.settle_verdict(
        adjudication=held_or_404(request, pk),
        user=request.user,
        verdict=str(body.get("verdict", "")),
        reason=str(body.get("reason") or ""),
    )
    described = bench.describe(settled)
    return JsonResponse({"settled": settled.verdict, "reason": settled.reason, **described})


@require_POST
@answers_errors
def decide(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    body = json_body(request)
    adjudication = held_or_404(request, pk)
    marks, quotes = quoted(body.get("spans") or [])
    segments = actions.decide_all(
        adjudication=adjudication,
        user=request.user,
        numbers=_numbers(body.get("segments")),
        choice=str(body.get("choice", "")),
        clause=str(body.get("clause") or ""),
        marks=marks,
        quotes=quotes,
    )
    return JsonResponse(
        {
            "segments": [segment.number for segment in segments],
            "choice": actions.letter_of(adjudication, segments[0].choice),
            "open": queries.open_segments(adjudication).count(),
        }
    )


def _numbers(value: Any) -> list[int]:
    if not isinstance(value, list) or not value:
        raise GoldpanError(_("“segments” must be a list of numbers."))
    return [whole({"segments": number}, "segments") for number in value]


@require_POST
@answers_errors
def settle(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    gold = actions.settle(adjudication=held_or_404(request, pk), user=request.user)
    journey.gold_settled(gold.pk)
    return JsonResponse({"next": next_address(request.standing.corpus, request.user)})


@require_POST
@answers_errors
def later(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    actions.put_off(adjudication=held_or_404(request, pk), user=request.user)
    return JsonResponse({"next": next_address(request.standing.corpus, request.user)})


@require_POST
@answers_errors
def heartbeat(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    held = actions.heartbeat(adjudication=held_or_404(request, pk), user=request.user)
    return JsonResponse({"lease_until": held.lease_until.isoformat()})
