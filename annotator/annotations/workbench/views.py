"""The annotation screen and its requests. Annotators reach only slots that they hold or have opened."""

import uuid
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.annotations import actions, queries
from annotator.annotations.models import Slot
from annotator.annotations.qualification.queries import must_practise
from annotator.annotations.workbench import forms, payload
from annotator.common.http import answers_errors, json_body, refuse, trusted_types, wants_json
from annotator.corpora.access import CorpusRequest
from annotator.corpora.guideline.queries import rules_beside
from annotator.corpora.models import Corpus, User
from annotator.corpora.queries import labels_of
from annotator.pages.views import send_view


def own_slot_or_404(request: CorpusRequest, key: uuid.UUID) -> Slot:
    slot = queries.slot_of(request.access.corpus, request.user, key)
    if slot is None:
        raise Http404
    return slot


def next_address(corpus: Corpus, annotator: User) -> str | None:
    """Claim the next page and return its address, or that of practice if it is due; None: none left."""
    slot = actions.claim_next(corpus=corpus, annotator=annotator)
    if slot is None:
        return reverse("practice", args=[corpus.slug]) if must_practise(corpus.pk, annotator.pk) else None
    return reverse("annotate", args=[corpus.slug, slot.key])


def next_answer(request: CorpusRequest) -> JsonResponse:
    return JsonResponse({"next": next_address(request.access.corpus, request.user)})


@require_POST
def next_page(request: CorpusRequest, slug: str) -> HttpResponse:
    return redirect(next_address(request.access.corpus, request.user) or "home")


@require_GET
@trusted_types
def annotate(request: CorpusRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    corpus = request.access.corpus
    annotation = actions.open_own(corpus=corpus, annotator=request.user, key=key)
    if annotation is None:
        raise Http404
    if hasattr(annotation.slot.round.page, "takedown"):
        return refuse(request, 410, _("This page was taken down."))
    labels = labels_of(corpus)
    context = {
        "slot": annotation.slot,
        "payload": payload.of_slot(annotation.slot, annotation, labels),
        "rules": rules_beside(corpus, annotation.guideline_version, labels),
    }
    return render(request, "annotations/annotate.html", context)


@require_GET
def view(request: CorpusRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """The page view that the browser builds; that of the reserve may be fetched before it is opened."""
    document = queries.document_seen(request.access.corpus, request.user, key)
    if document is None:
        raise Http404
    return send_view(document)


@require_POST
@answers_errors
def reserve(request: CorpusRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """Reserve the next page while this one is open, and return the address of its view."""
    reserved = actions.reserve_next(slot=own_slot_or_404(request, key), annotator=request.user)
    return JsonResponse({"view": payload.reserved_view(reserved) if reserved else None})


@require_POST
@answers_errors
def save(request: CorpusRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    slot = actions.SlotKey(request.access.corpus, key)
    revision = actions.save(slot=slot, annotator=request.user, draft=forms.draft_from(json_body(request)))
    return JsonResponse({"revision": revision.number, "saved_at": revision.saved_at.isoformat()})


@require_POST
@answers_errors
def heartbeat(request: CorpusRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    slot, seconds = own_slot_or_404(request, key), forms.seconds(json_body(request))
    revision = actions.heartbeat(slot=slot, annotator=request.user, active_seconds=seconds)
    return JsonResponse({"revision": revision})


@require_POST
@answers_errors
def submit(request: CorpusRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    slot = actions.SlotKey(request.access.corpus, key)
    based_on = forms.whole(json_body(request), "based_on")
    submitted = actions.submit(slot=slot, annotator=request.user, based_on=based_on).slot
    pipeline.slot_submitted(submitted.round_id, **queries.after_submission(submitted)._asdict())
    return next_answer(request)


@require_POST
@answers_errors
def skip(request: CorpusRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    slot = own_slot_or_404(request, key)
    body: dict[str, Any] = json_body(request) if wants_json(request) else {}
    actions.skip(
        slot=slot,
        annotator=request.user,
        reason=str(body.get("reason") or ""),
        note=str(body.get("note") or ""),
    )
    if wants_json(request):
        return next_answer(request)
    return redirect("home")


@require_POST
@answers_errors
def reopen(request: CorpusRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """Resume a draft, or reopen a submitted page."""
    slot = own_slot_or_404(request, key)
    if slot.submitted_at and slot.annotator_id == request.user.pk:
        actions.reopen(slot=slot, annotator=request.user)
    else:
        slot = actions.resume(slot=slot, annotator=request.user)
    return redirect("annotate", slug, slot.key)
