"""Gold, and the annotations of pages whose round is decided."""

from collections import defaultdict
from datetime import datetime
from itertools import accumulate
from typing import Any

from ninja import Query, Router, Schema
from pydantic import Field

from annotator.agreement.queries import compared_rounds
from annotator.annotations.models import Annotation, Revision, Round, Submission
from annotator.annotations.queries import submissions_of_rounds
from annotator.api.fields import Digest, Listed, Window, sliced
from annotator.api.pages import page_or_404
from annotator.api.routing import operation
from annotator.corpora.access import CorpusRequest
from annotator.gold import queries
from annotator.gold.models import Gold
from annotator.pages.models import StoredDocument
from extraction.parsing.limits import MAX_TEXT

router = Router(tags=["gold"])

# Code points of text in one slice of gold: what one page may have, so that each slice has one at least.
SLICE_TEXT = MAX_TEXT


class GoldSpan(Schema):
    start: int = Field(description="Code points of the document's text")
    end: int
    label: str
    source: str = Field(description="unanimous, adjudicated, single, imported or projected")


class GoldVersion(Schema):
    """One version of a page's gold."""

    number: int
    is_current: bool
    verdict: str
    reason: str
    source: str
    spans: list[GoldSpan]
    distinguishable_labels: list[str] = Field(description="Labels that this gold can tell apart")
    document_sha256: str
    finalised_at: datetime


class PageGold(GoldVersion):
    page_sha256: str
    url: str
    site: str
    language: str
    text: str | None = Field(description="Of its document, if `with_text`")


class GoldWindow(Window):
    with_text: bool = False


class MarkedSpan(Schema):
    start: int
    end: int
    label: str


class SubmittedAnnotation(Schema):
    """What one annotator submitted; who that was is not told."""

    slot: int
    verdict: str
    reason: str
    spans: list[MarkedSpan]
    guideline_version: int
    active_seconds: int
    submitted_at: datetime


class AnnotatedPageOut(Schema):
    page_sha256: str
    document_sha256: str
    purpose: str = Field(description="main, or guideline for a re-annotation")
    annotations: list[SubmittedAnnotation]


@operation(router, "GET", "/corpora/{slug:slug}/gold", "list-gold", response=Listed[PageGold])
def list_gold(request: CorpusRequest, slug: str, window: Query[GoldWindow]) -> dict[str, Any]:
    """The current gold, one item a page.

    With their texts, a slice has as many pages as have three million characters together, at most `limit`.
    """
    golds = queries.current_gold(request.access.corpus).select_related("page", "document")
    shown, following = sliced(golds.defer("document__text", "document__blocks"), window)
    texts: dict[int, str] = {}
    if window.with_text:
        fitting = _fitting(shown)
        following = following if len(fitting) == len(shown) else fitting[-1].pk
        shown = fitting
        documents = StoredDocument.objects.filter(pk__in=[gold.document_id for gold in shown])
        texts = dict(documents.values_list("pk", "text"))
    return {"items": [_of_page(gold, texts.get(gold.document_id)) for gold in shown], "next": following}


@operation(
    router,
    "GET",
    "/corpora/{slug:slug}/pages/{sha256}/gold",
    "get-page-gold",
    response=list[GoldVersion],
)
def get_page_gold(request: CorpusRequest, slug: str, sha256: Digest) -> list[dict[str, Any]]:
    """The versions of a page's gold, the newest first; none where it has no gold."""
    made = queries.versions(page_or_404(request.access.corpus, sha256)).select_related("document")
    return [_version(gold) for gold in made.defer("document__text", "document__blocks")]


@operation(
    router,
    "GET",
    "/corpora/{slug:slug}/annotations",
    "list-annotations",
    response=Listed[AnnotatedPageOut],
)
def list_annotations(request: CorpusRequest, slug: str, window: Query[Window]) -> dict[str, Any]:
    """What was submitted in each page's last round of which gold was made; nothing of rounds in dispute."""
    compared = compared_rounds(request.access.corpus).values("round")
    rounds = Round.objects.filter(pk__in=compared, finalised_at__isnull=False, page__takedown=None)
    shown, following = sliced(rounds.select_related("page"), window)
    submitted: dict[int, list[Submission]] = defaultdict(list)
    for submission in submissions_of_rounds(shown):
        submitted[submission.annotation.slot.round_id].append(submission)
    return {"items": [_annotated(round_, submitted[round_.pk]) for round_ in shown], "next": following}


def _fitting(golds: list[Gold]) -> list[Gold]:
    """The first of them, one at least, whose texts are no longer together than a slice may be."""
    lengths = accumulate(gold.document.length for gold in golds)
    return golds[: max(1, sum(length <= SLICE_TEXT for length in lengths))]


def _of_page(gold: Gold, text: str | None) -> dict[str, Any]:
    page = gold.page
    return {
        **_version(gold),
        "page_sha256": page.sha256,
        **{name: getattr(page, name) for name in ("url", "site", "language")},
        "text": text,
    }


def _version(gold: Gold) -> dict[str, Any]:
    fields = ("number", "verdict", "reason", "source", "distinguishable_labels", "finalised_at")
    return {
        **{name: getattr(gold, name) for name in fields},
        "is_current": bool(gold.current),
        "spans": [dict(zip(("start", "end", "label", "source"), span, strict=True)) for span in gold.spans],
        "document_sha256": gold.document.sha256,
    }


def _annotated(round_: Round, submitted: list[Submission]) -> dict[str, Any]:
    return {
        "page_sha256": round_.page.sha256,
        "document_sha256": submitted[0].annotation.document.sha256,
        "purpose": round_.purpose,
        "annotations": [_submitted(each.annotation, each.revision) for each in submitted],
    }


def _submitted(annotation: Annotation, revision: Revision) -> dict[str, Any]:
    return {
        "slot": annotation.slot.number,
        "verdict": revision.verdict,
        "reason": revision.reason,
        "spans": [dict(zip(("start", "end", "label"), span, strict=False)) for span in revision.spans],
        "guideline_version": annotation.guideline_version,
        "active_seconds": annotation.active_seconds,
        "submitted_at": annotation.submitted_at,
    }
