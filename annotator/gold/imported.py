"""Gold that came with a page: its text aligned to the document, or its spans taken over."""

from django.db import transaction

from annotator.common import storage, work
from annotator.gold import actions
from annotator.gold.models import Gold, Source
from annotator.pages.models import Document, ImportedGold
from annotator.runs.queries import document_of_page
from extraction.document import Document as Parsed
from extraction.formats import GoldError, Placed, place
from extraction.formats.gold import from_json


def align_imported(imported: ImportedGold) -> Gold | None:
    """Place a claimed gold in the page's document; None when it failed, which is recorded (law 9)."""
    document = document_of_page(imported.page_id)
    if document is None:
        work.fail(imported, error=f"the page has no document: {imported.page.error or 'it is not built yet'}")
        return None
    try:
        placed = place(from_json(imported.content), Parsed.unpack(storage.get(document.packed_sha256)))
    except GoldError as error:
        work.fail(imported, error=str(error))
        return None
    return _keep(imported, document, placed)


@transaction.atomic
def _keep(imported: ImportedGold, document: Document, placed: Placed) -> Gold | None:
    if not work.finish(imported):
        return None
    gold = from_json(imported.content)
    return actions.add_gold(
        document=document,
        verdict=gold.verdict,
        reason=gold.reason,
        spans=[(span.start, span.end, span.label, Source.IMPORTED) for span in placed.spans],
        tells=gold.labels,
        source=Source.IMPORTED,
        yields=True,
        characters=placed.total,
        placed=placed.total - placed.unplaced,
    )
