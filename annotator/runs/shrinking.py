"""Writes about the smallest pages on which extractors err."""

from django.utils.translation import gettext as _

from annotator.common import storage, work
from annotator.common.errors import GoldpanError, OtherVersion
from annotator.runs.models import Extraction, ShrunkPage
from extraction.shrinking import ExtractionError, ShrinkError, shrink_in_child
from extraction.spans import label_set

SECONDS = 60.0
# The characters of an error that a page can be shrunk for: longer ones are a page of their own.
MAX_ERROR = 5_000


def request_shrunk_page(
    *, extraction: Extraction, start: int, end: int, is_missing: bool, labels: str
) -> tuple[ShrunkPage, bool]:
    """Return the smallest page for an error of an extraction, and whether a worker has to look for it.

    Raises GoldpanError for uploaded outputs, for a trained model, and for an error without text, outside the
    document or longer than 5,000 characters.
    """
    if extraction.extractor.is_uploaded:
        raise GoldpanError(_("These outputs were uploaded: their system cannot be run on a smaller page."))
    if extraction.extractor.is_trained:
        raise GoldpanError(
            _("A trained model cannot be run on a smaller page yet: choose another extractor.")
        )
    if not 0 <= start < end <= extraction.document.length:
        raise GoldpanError(_("This error is not on the page."))
    if end - start > MAX_ERROR:
        raise GoldpanError(_("This error is too long. Choose one of at most 5,000 characters."))
    row, is_new = ShrunkPage.objects.get_or_create(
        extraction=extraction, start=start, end=end, is_missing=is_missing, labels=labels
    )
    return row, is_new or work.retry(row)


def shrink_page(row: ShrunkPage) -> bool:
    """Find the smallest page of a claimed row; False when another worker took it over.

    Raises OtherVersion if this worker has another version of the extractor.
    """
    extraction = row.extraction
    page, extractor = extraction.document.page, extraction.extractor
    if not extractor.is_available:
        raise OtherVersion(f"this worker does not have {extractor.name} {extractor.version}")
    try:
        shrunk = shrink_in_child(
            storage.get(page.sha256),
            ExtractionError(
                extractor.name,
                extraction.document.text[row.start : row.end],
                is_missing=row.is_missing,
                parameters=extractor.parameters,
                labels=label_set(row.labels),
            ),
            charset=page.charset or None,
            seconds=SECONDS,
        )
    except ShrinkError as error:
        return work.fail(row, error=str(error))
    return work.finish(row, html=shrunk.html, tried=shrunk.tried, is_minimal=shrunk.is_minimal)
