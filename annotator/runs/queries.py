"""Enabled extractors, and missing extractions.

An extractor whose version this Goldpan does not have is unavailable: it runs on no page and has no score.
"""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.pages.models import StoredDocument
from annotator.runs.models import CorpusExtractor, Extraction, Extractor


def enabled_in(corpus_id: int) -> list[int]:
    """Return the primary keys of the corpus's enabled extractors that are available."""
    rows = Extractor.objects.filter(enabled__corpus=corpus_id, enabled__ended_at=None).order_by("pk")
    return [extractor.pk for extractor in rows if extractor.is_available]


def document_of_page(page_id: int) -> StoredDocument | None:
    """Return the current document."""
    return StoredDocument.objects.filter(current_of=page_id).select_related("page").first()


def documents_without_extraction(since: datetime | None = None) -> QuerySet[StoredDocument]:
    """Return the current documents that lack an extraction by an enabled extractor of their corpus.

    With `since` those that were made later, or whose corpus has had an extractor enabled later.
    """
    available = [extractor.pk for extractor in Extractor.objects.all() if extractor.is_available]
    requested = Extraction.objects.filter(document=OuterRef(OuterRef("pk")), extractor=OuterRef("extractor"))
    enabled = CorpusExtractor.objects.filter(corpus=OuterRef("page__corpus"), ended_at=None)
    missing = enabled.filter(extractor__in=available).exclude(Exists(requested))
    current = StoredDocument.objects.filter(current_of__isnull=False)
    if since:
        extended = set(CorpusExtractor.objects.filter(since__gte=since).values_list("corpus", flat=True))
        current = current.filter(Q(made_at__gte=since) | Q(page__corpus__in=extended))
    return current.filter(Exists(missing)).select_related("page")
