"""Imported gold: its text aligned to the document, or its spans adopted."""

from django.db import transaction

from annotator.common import storage, work
from annotator.gold.models import Gold, GoldSource
from annotator.gold.versions import add_gold
from annotator.pages.models import ImportedGold, StoredDocument
from annotator.runs.queries import document_of_page
from extraction.documents.document import Document as Parsed
from extraction.formats import GoldError, PlacedGold, place
from extraction.formats.gold import from_json


def align_imported(imported: ImportedGold) -> Gold | None:
    """Place claimed gold in the page's document; None when it failed, which is recorded (invariant 9)."""
    document = document_of_page(imported.page_id)
    if document is None:
        work.fail(imported, error=f"the page has no document: {imported.page.error or 'it is not built yet'}")
        return None
    try:
        placed = place(from_json(imported.content), Parsed.unpack(storage.get(document.packed_sha256)))
    except GoldError as error:
        work.fail(imported, error=str(error))
        return None
    return _finish(imported, document, placed)


@transaction.atomic
def _finish(imported: ImportedGold, document: StoredDocument, placed: PlacedGold) -> Gold | None:
    if not work.finish(imported):
        return None
    gold = from_json(imported.content)
    return add_gold(
        document=document,
        verdict=gold.verdict,
        reason=gold.reason,
        spans=[(span.start, span.end, span.label, GoldSource.IMPORTED) for span in placed.spans],
        distinguishable_labels=gold.labels,
        source=GoldSource.IMPORTED,
        yields=True,
        characters=placed.total,
        placed=placed.total - placed.unplaced,
    )
