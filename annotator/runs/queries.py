"""Which extractions are there, and which are wanting."""

from django.db.models import Exists, OuterRef, QuerySet

from annotator.corpora.models import Corpus
from annotator.pages.models import Document
from annotator.runs.models import CorpusExtractor, Extraction


def enabled_in(corpus_id: int) -> list[int]:
    """Primary keys of the corpus's extractors."""
    rows = CorpusExtractor.objects.filter(corpus_id=corpus_id, ended_at=None)
    return list(rows.order_by("extractor_id").values_list("extractor_id", flat=True))


def document_of_page(page_id: int) -> Document | None:
    """The one that counts."""
    return Document.objects.filter(current_of=page_id).select_related("page").first()


def documents_without_extraction(corpus: Corpus | None = None) -> QuerySet[Document]:
    """Current documents of a corpus that has an enabled extractor which was never asked about them."""
    asked = Extraction.objects.filter(document=OuterRef(OuterRef("pk")), extractor=OuterRef("extractor"))
    missing = CorpusExtractor.objects.filter(corpus=OuterRef("page__corpus"), ended_at=None).exclude(
        Exists(asked)
    )
    current = Document.objects.filter(current_of__isnull=False)
    documents = current.filter(Exists(missing)).select_related("page")
    return documents.filter(page__corpus=corpus) if corpus else documents
