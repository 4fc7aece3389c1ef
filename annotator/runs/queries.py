"""Enabled extractors, and missing extractions.

An extractor whose version this Goldpan does not have is unavailable: it runs on no page and has no score.
"""

from django.db.models import Exists, OuterRef, QuerySet

from annotator.corpora.models import Corpus
from annotator.pages.models import StoredDocument
from annotator.runs.models import CorpusExtractor, Extraction, Extractor


def enabled_in(corpus_id: int) -> list[int]:
    """Return the primary keys of the corpus's enabled extractors that are available."""
    rows = Extractor.objects.filter(enabled__corpus=corpus_id, enabled__ended_at=None).order_by("pk")
    return [extractor.pk for extractor in rows if extractor.is_available]


def document_of_page(page_id: int) -> StoredDocument | None:
    """Return the current document."""
    return StoredDocument.objects.filter(current_of=page_id).select_related("page").first()


def documents_without_extraction(corpus: Corpus | None = None) -> QuerySet[StoredDocument]:
    """Return the current documents that lack an extraction by an enabled extractor of their corpus."""
    available = [extractor.pk for extractor in Extractor.objects.all() if extractor.is_available]
    requested = Extraction.objects.filter(document=OuterRef(OuterRef("pk")), extractor=OuterRef("extractor"))
    enabled = CorpusExtractor.objects.filter(corpus=OuterRef("page__corpus"), ended_at=None)
    missing = enabled.filter(extractor__in=available).exclude(Exists(requested))
    current = StoredDocument.objects.filter(current_of__isnull=False)
    documents = current.filter(Exists(missing)).select_related("page")
    return documents.filter(page__corpus=corpus) if corpus else documents
