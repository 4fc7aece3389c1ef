"""Extractors, run by the bulk workers."""

from celery import shared_task

from annotator import journey
from annotator.common import work
from annotator.runs import actions, queries
from annotator.runs.models import Extraction

# As many documents as one look takes up; the next look takes the next ones.
AT_ONCE = 500


@shared_task(**work.LIMITS)
def request_extractions(page_id: int) -> None:
    document = queries.document_of_page(page_id)
    if document:
        enabled = queries.enabled_in(document.page.corpus_id)
        journey.extractions_requested(actions.request_extractions(document=document, enabled=enabled))


@shared_task(**work.LIMITS)
def run_extractor(extraction_id: int) -> None:
    extraction = work.claim(Extraction, extraction_id)
    if extraction and actions.run_extraction(extraction):
        journey.extraction_made(extraction.pk)


@shared_task(**work.LIMITS)
def request_missing() -> None:
    for document in queries.documents_without_extraction()[:AT_ONCE]:
        enabled = queries.enabled_in(document.page.corpus_id)
        journey.extractions_requested(actions.request_extractions(document=document, enabled=enabled))
