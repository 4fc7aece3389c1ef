"""The annotation screen and its requests. An annotator reaches slots that are or were hers, and no others."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotator import journey
from annotator.annotations import actions, bench, forms, queries
from annotator.annotations.models import Slot
from annotator.annotations.practice.queries import must_practise
from annotator.common.http import answers_errors, json_body, trusted_types, wants_json
from annotator.corpora.guideline.queries import rules_beside
from annotator.corpora.models import Corpus, User
from annotator.corpora.queries import labels_of
from annotator.pages.views import send_view


def own_slot_or_404(request: HttpRequest, pk: int) -> Slot:
    slot = queries.slot_of(request.standing.corpus, request.user, pk)
    if slot is None:
        raise Http404
    return slot


def next_address(corpus: Corpus, annotator: User) -> str | None:
    """Claim the next page and give its address, or that of practice where it comes first; None: none left."""
    slot = actions.claim_next(corpus=corpus, annotator=annotator)
    if slot is None:
        return reverse("practice", args=[corpus.slug]) if must_practise(corpus, annotator) else None
    return reverse("annotate", args=[corpus.slug, slot.pk])


def next_answer(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"next": next_address(request.standing.corpus, request.user)})


@require_POST
def next_page(request: HttpRequest, slug: str) -> HttpResponse:
    return redirect(next_address(request.standing.corpus, request.user) or "home")


@require_GET
@trusted_types
def annotate(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    corpus = request.standing.corpus
    annotation = actions.open_own(corpus=corpus, annotator=request.user, pk=pk)
    if annotation is None:
        raise Http404
    labels = labels_of(corpus)
    context = {
        "slot": annotation.slot,
        "annotation": annotation,
        "bench": bench.of_slot(annotation.slot, annotation, labels),
        "rules": rules_beside(corpus, annotation.guideline_version, labels),
    }
    return render(request, "annotations/annotate.html", context)


@require_GET
def view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The page as it is built in the browser; what waits in reserve may be fetched before it is opened."""
    document = queries.document_seen(request.standing.corpus, request.user, pk)
    if document is None:
        raise Http404
    return send_view(document)


@require_POST
@answers_errors
def reserve(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Keep the next page for her while she works on this one, and say where its view is fetched."""
    waiting = actions.reserve_next(slot=own_slot_or_404(request, pk), annotator=request.user)
    return JsonResponse({"view": reverse("annotate-view", args=[slug, waiting.pk]) if waiting else None})


@require_POST
@answers_errors
def save(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    slot = Slot(pk=pk, corpus=request.standing.corpus)
    revision = actions.save(slot=slot, annotator=request.user, draft=forms.draft_from(json_body(request)))
    return JsonResponse({"revision": revision.number, "saved_at": revision.saved_at.isoformat()})


@require_POST
@answers_errors
def heartbeat(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    slot = own_slot_or_404(request, pk)
    held = actions.heartbeat(
        slot=slot, annotator=request.user, active_seconds=forms.seconds(json_body(request))
    )
    return JsonResponse({"lease_until": held.lease_until.isoformat()})


@require_POST
@answers_errors
def submit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    slot = Slot(pk=pk, corpus=request.standing.corpus)
    based_on = forms.whole(json_body(request), "based_on")
    handed_in = actions.submit(slot=slot, annotator=request.user, based_on=based_on)
    journey.slot_submitted(handed_in.slot.round_id, **handed_in.follows._asdict())
    return next_answer(request)


@require_POST
@answers_errors
def skip(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    slot = own_slot_or_404(request, pk)
    body: dict[str, Any] = json_body(request) if wants_json(request) else {}
    actions.skip(
        slot=slot,
        annotator=request.user,
        reason=forms.words(body.get("reason")),
        note=forms.words(body.get("note")),
    )
    if wants_json(request):
        return next_answer(request)
    return redirect(next_address(request.standing.corpus, request.user) or "home")


@require_POST
@answers_errors
def take_up(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Go on with a draft, or take up again what she handed in."""
    slot = own_slot_or_404(request, pk)
    if slot.submitted_at and slot.annotator_id == request.user.pk:
        actions.reopen(slot=slot, annotator=request.user)
    else:
        slot = actions.take_up(slot=slot, annotator=request.user)
    return redirect("annotate", slug, slot.pk)
