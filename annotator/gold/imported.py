"""Gold that came with a page: its text aligned to the document, or its spans taken over."""

from dataclasses import dataclass
from typing import Any

from annotator.annotations.models import Verdict
from annotator.common import storage, work
from annotator.common.errors import GoldpanError
from annotator.gold import actions
from annotator.gold.models import Gold, Source
from annotator.pages.models import Document, ImportedGold
from annotator.runs.queries import document_of_page
from extraction.align import align
from extraction.document import Document as Parsed
from extraction.spans import Span, SpanError, clip


@dataclass(frozen=True)
class Placed:
    """Imported gold in a document: its spans, and how many of its characters found their place."""

    spans: list[Span]
    characters: int | None = None
    placed: int | None = None


def align_imported(imported: ImportedGold) -> Gold | None:
    """Place a claimed gold in the page's document; None when it failed, which is recorded (law 9)."""
    document = document_of_page(imported.page_id)
    if document is None:
        work.fail(imported, error=f"the page has no document: {imported.page.error or 'it is not built yet'}")
        return None
    try:
        placed = _place(imported.content, document)
    except (GoldpanError, SpanError) as error:
        work.fail(imported, error=str(error))
        return None
    return _keep(imported, document, placed)


def _keep(imported: ImportedGold, document: Document, placed: Placed) -> Gold | None:
    if not work.finish(imported):
        return None
    content = imported.content
    return actions.add_gold(
        document=document,
        verdict=content.get("verdict") or Verdict.ARTICLE,
        reason=content.get("reason", ""),
        spans=[(span.start, span.end, span.label, Source.IMPORTED) for span in placed.spans],
        tells=content["tells"],
        source=Source.IMPORTED,
        characters=placed.characters,
        placed=placed.placed,
    )


def _place(content: dict[str, Any], document: Document) -> Placed:
    if content.get("spans") is not None:
        return _take_over(content, document)
    parsed = Parsed.unpack(storage.get(document.packed_sha256))
    alignment = align(content["text"], parsed, label=content["tells"][0])
    return Placed(alignment.spans, characters=alignment.total, placed=alignment.placed)


def _take_over(content: dict[str, Any], document: Document) -> Placed:
    """Spans are offsets in one text only: that with their digest (law 1)."""
    if content.get("document_sha256") != document.sha256:
        raise GoldpanError(
            f"its spans speak of another text ({content.get('document_sha256') or 'not said which'}) than "
            f"{document.version} makes of this page ({document.sha256}); give the gold as text instead"
        )
    spans = [Span(*span) for span in content["spans"]]
    return Placed(clip(spans, document.blocks, document.text))
