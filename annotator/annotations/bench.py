"""What the annotation screen is given as data."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

from django.core.cache import caches
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotator.annotations import actions, queries
from annotator.annotations.models import LEASE, Annotation, Purpose, Reason, SkipReason, Slot, Verdict
from annotator.common.written import Written
from annotator.corpora.models import Corpus, Label
from annotator.pages.models import Document, Page
from annotator.runs import reasons
from annotator.runs.models import Extraction

# Seconds for which the number of her pages stands, done and left together.
PAGES_LAST = 300

VERDICT_KEYS = {
    Verdict.ARTICLE: "y",
    Verdict.NOT_ARTICLE: "d",
    Verdict.SEVERAL: "m",
    Verdict.CANNOT_TELL: "c",
}


class Choice(dict[str, Any]):
    """One of what she may choose; never changed, so that templates may keep what they render of it."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


def of_slot(slot: Slot, annotation: Annotation, labels: Sequence[Label]) -> dict[str, Any]:
    """The `bench` of annotate.html: addresses, words, the suggestion, her state."""
    corpus, page = slot.corpus, slot.round.page
    return {
        "urls": _urls(slot),
        "document": document_facts(annotation.document),
        **choices(labels),
        "suggestion": suggestion(annotation),
        "state": actions.state_of(annotation),
        "submitted": not annotation.is_open,
        "reopened": annotation.reopened_at is not None,
        "can_reopen": not annotation.is_open and slot.round.settled_at is None,
        "page": page_facts(page),
        "user_key": annotation.annotator.browser_key,
        "progress": _progress(corpus, annotation),
        "lease": _lease(slot),
        "practice": slot.round.purpose == Purpose.PRACTICE,
    }


def _lease(slot: Slot) -> dict[str, int]:
    """Seconds that are left of it, and seconds that a sign of life gives."""
    length = int(LEASE.total_seconds())
    left = int((slot.lease_until - timezone.now()).total_seconds()) if slot.lease_until else length
    return {"left": max(0, left), "length": length}


def _urls(slot: Slot) -> dict[str, str]:
    names = ("view", "save", "heartbeat", "submit", "skip", "reserve", "take-up")
    own = {name: _address(f"annotate-{name}", slot) for name in names}
    if slot.round.purpose == Purpose.PRACTICE:
        own["submit"] = _address("practice-submit", slot)
    fixed = frames()
    return {**own, **fixed, "last": f"{fixed['home']}#last-{slot.corpus_id}"}


def _address(name: str, slot: Slot) -> str:
    before, after = _around_key(name, slot.corpus.slug)
    return f"{before}{slot.pk}{after}"


@lru_cache
def _around_key(name: str, slug: str) -> tuple[str, str]:
    """What stands before and after a slot's key in an address: the same for all slots of a corpus."""
    before, _key, after = reverse(name, args=[slug, 0]).rpartition("0")
    return before, after


@cache
def frames() -> Mapping[str, str]:
    names = {"frame": "frame", "frame_quirks": "frame-quirks", "home": "home"}
    return MappingProxyType({name: reverse(route) for name, route in names.items()})


def document_facts(document: Document) -> dict[str, Any]:
    return {
        "sha256": document.sha256,
        "length": document.length,
        "prefer": document.prefer,
        "quirks": document.quirks,
    }


def page_facts(page: Page) -> dict[str, str]:
    return {"title": str(page), "site": page.site, "url": page.url, "language": page.language}


def choices(labels: Sequence[Label]) -> dict[str, Any]:
    """Labels, verdicts and reasons, with the words and keys that the screen shows."""
    shown = tuple(
        Choice(name=label.name, title=_(label.name.capitalize()), number=label.number) for label in labels
    )
    return {"labels": shown, **_judgements(get_language())}


@cache
def _judgements(_language: str) -> dict[str, tuple[Choice, ...]]:
    return {
        "verdicts": tuple(
            Choice(name=verdict.value, title=str(verdict.label), key=VERDICT_KEYS[verdict])
            for verdict in Verdict
        ),
        "reasons": tuple(Choice(name=reason.value, title=str(reason.label)) for reason in Reason),
        "skip_reasons": tuple(Choice(name=reason.value, title=str(reason.label)) for reason in SkipReason),
    }


def suggestion(annotation: Annotation) -> dict[str, Any] | None:
    """What the arm put before her, and why it took what it took; None when she was shown nothing."""
    if annotation.shown_id is None:
        return None
    ((spans, why),) = _said(document=annotation.document_id, extractor=annotation.shown_id)
    return {"spans": spans, "reasons": reasons.in_words(reasons.labelled(why))}


_said: Written[tuple[list[Any], list[Any]]] = Written(
    lambda document, extractor: Extraction.objects.filter(document=document, extractor=extractor).values_list(
        "spans", "reasons"
    )
)


def _progress(corpus: Corpus, annotation: Annotation) -> dict[str, int]:
    """What is left is counted now and then only: it looks at every open slot, and is the end of a bar."""
    person = annotation.annotator
    counts = queries.submitted_counts(corpus, person)
    key = f"pages:{corpus.pk}:{person.pk}"
    pages = caches["near"].get_or_set(
        key, lambda: counts["done"] + queries.rounds_left(corpus, person), PAGES_LAST
    )
    return {**counts, "left": max(0, int(pages or 0) - counts["done"])}
