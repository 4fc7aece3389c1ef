"""The data that the annotation screen starts with."""

from collections.abc import Sequence
from typing import Any

from django.db.models import TextChoices
from django.urls import reverse
from django.utils import timezone

from annotator.annotations import actions
from annotator.annotations.models import LEASE, Annotation, Purpose, SkipReason, Slot
from annotator.annotations.queries import progress_of
from annotator.common.verdicts import WITH_SPANS, NotArticleReason, Verdict
from annotator.corpora.models import Label, User
from annotator.pages.assets.addresses import stage_urls, versioned
from annotator.pages.assets.queries import look_of
from annotator.pages.models import Page, StoredDocument
from annotator.runs import reasons
from annotator.runs.models import Extraction

VERDICT_KEYS = {
    Verdict.ARTICLE: "y",
    Verdict.NOT_ARTICLE: "d",
    Verdict.SEVERAL: "m",
    Verdict.CANNOT_TELL: "c",
}


def of_slot(slot: Slot, annotation: Annotation, labels: Sequence[Label]) -> dict[str, Any]:
    """The payload of annotate.html: addresses, choices, the suggestion, the annotator's state."""
    corpus, page = slot.corpus, slot.round.page
    return {
        "urls": _urls(slot, annotation),
        "document": document_payload(annotation.document),
        **choices(labels),
        "suggestion": suggestion(annotation),
        "state": actions.state_of(annotation),
        "submitted": not annotation.is_open,
        "reopened": annotation.reopened_at is not None,
        "can_reopen": not annotation.is_open and slot.round.finalised_at is None,
        "page": page_payload(page),
        "progress": progress_of(corpus, annotation.annotator)._asdict(),
        "lease": _lease(slot),
        "practice": slot.round.purpose == Purpose.PRACTICE,
    }


def _lease(slot: Slot) -> dict[str, int]:
    """Seconds left of the lease, and its full length in seconds."""
    length = int(LEASE.total_seconds())
    left = int((slot.lease_until - timezone.now()).total_seconds()) if slot.lease_until else length
    return {"left": max(0, left), "length": length}


def _urls(slot: Slot, annotation: Annotation) -> dict[str, str]:
    names = ("view", "save", "heartbeat", "submit", "skip", "reserve", "reopen")
    key = [slot.corpus.slug, slot.key]
    own = {name: reverse(f"annotate-{name}", args=key) for name in names}
    if slot.round.purpose == Purpose.PRACTICE:
        own["submit"] = reverse("practice-submit", args=key)
    shown = stage_addresses(own["view"], annotation.document, annotation.annotator)
    return {**own, **shown, "last": f"{shown['home']}#last-{slot.corpus_id}"}


def stage_addresses(view: str, document: StoredDocument, user: User) -> dict[str, str]:
    """Where a screen finds a document's view, whose plain address is `view`, its frame, and the way home."""
    return {**stage_urls(view, document, user)._asdict(), "home": reverse("home")}


def reserved_view(slot: Slot) -> str:
    """The address of the view that the slot will show, as its screen will have it."""
    document = slot.round.page.document
    view = reverse("annotate-view", args=[slot.corpus.slug, slot.key])
    return versioned(view, look_of(document)) if document else view


def document_payload(document: StoredDocument) -> dict[str, Any]:
    return {
        "sha256": document.sha256,
        "length": document.length,
        "quirks": document.quirks,
    }


def page_payload(page: Page) -> dict[str, str]:
    return {"title": str(page), "site": page.site, "url": page.url, "language": page.language}


def choices(labels: Sequence[Label]) -> dict[str, Any]:
    """Labels, verdicts and reasons, with their titles and keyboard keys."""
    return {
        "labels": [
            {"name": label.name, "title": str(label), "number": label.number, "key": label.key}
            for label in labels
        ],
        "verdicts": [
            {
                "name": verdict.value,
                "title": str(verdict.label),
                "key": VERDICT_KEYS[verdict],
                "has_marks": verdict in WITH_SPANS,
            }
            for verdict in Verdict
        ],
        "reasons": _titled(NotArticleReason),
        "skip_reasons": _titled(SkipReason),
    }


def _titled(choices_: type[TextChoices]) -> list[dict[str, str]]:
    return [{"name": choice.value, "title": str(choice.label)} for choice in choices_]


def suggestion(annotation: Annotation) -> dict[str, Any] | None:
    """The spans that the arm showed, and the extractor's reasons; None when nothing was shown."""
    if annotation.shown_id is None:
        return None
    shown = Extraction.objects.filter(document=annotation.document_id, extractor=annotation.shown_id)
    spans, why = shown.values_list("spans", "reasons").get()
    return {"spans": spans, "reasons": reasons.descriptions(reasons.labelled(why))}
