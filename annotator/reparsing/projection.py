"""The projection of gold from one document of a page onto another, with the change of each interval."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotator.common import storage
from annotator.gold.models import Gold, GoldSource
from annotator.gold.versions import joined
from annotator.pages.models import ImportedGold, StoredDocument
from annotator.reparsing.models import ReparseJob
from extraction.alignment import ProjectedSpan, project_each
from extraction.documents.document import Document as Parsed
from extraction.formats import GoldError
from extraction.formats.gold import from_json, place

SAME, CHANGED, LOST = "same", "changed", "lost"


@dataclass(frozen=True, slots=True)
class ProjectedInterval:
    """One interval of the earlier gold, the `pieces` it became, and its original `source`.

    `outcome` is "same" (its text, whitespace aside), "changed" (all of it was found, with other text between
    or cut otherwise) or "lost" (`characters` of it were not found: those of the intervals `missing`).
    Offsets only, no text, as a page may be taken down.
    """

    label: str
    source: str
    start: int
    end: int
    pieces: list[tuple[int, int]]
    outcome: str
    characters: int
    missing: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class GoldProjection:
    """Gold in the other document."""

    spans: list[tuple[int, int, str, str]]
    source: str
    characters: int | None
    placed: int | None
    rows: list[ProjectedInterval]

    def count(self, outcome: str) -> int:
        return sum(row.outcome == outcome for row in self.rows)

    @property
    def lost_characters(self) -> int:
        """Characters that were not found."""
        return sum(row.characters for row in self.rows)


def project_gold(gold: Gold, document: StoredDocument) -> GoldProjection:
    """Project gold onto another document of its page. Imported gold is aligned again."""
    parsed = Parsed.unpack(storage.get(document.packed_sha256))
    each = project_each(gold.document, gold.marks, parsed)
    rows = [
        _row(projected, source, gold.document.text, document.text)
        for projected, source in zip(each, origins(gold), strict=True)
    ]
    return _realigned(gold, parsed, rows) or _projected(gold, parsed, each, rows)


def _projected(
    gold: Gold, parsed: Parsed, each: list[ProjectedSpan], rows: list[ProjectedInterval]
) -> GoldProjection:
    pieces = [(*piece, GoldSource.PROJECTED.value) for projected in each for piece in projected.pieces]
    # What an earlier document had already lost stays lost.
    lost_before = (gold.characters or 0) - (gold.placed or 0)
    lost = sum(row.characters for row in rows)
    counts = gold.characters is not None or lost > 0
    placed = sum(span.projected for span in each)
    return GoldProjection(
        spans=joined(pieces, parsed),
        source=GoldSource.IMPORTED if gold.source == GoldSource.IMPORTED else GoldSource.PROJECTED,
        characters=placed + lost + lost_before if counts else None,
        placed=placed if counts else None,
        rows=rows,
    )


def _realigned(gold: Gold, parsed: Parsed, rows: list[ProjectedInterval]) -> GoldProjection | None:
    """Imported gold, aligned to the new document; None unless exactly one was imported and can be aligned."""
    if gold.source != GoldSource.IMPORTED:
        return None
    imported = ImportedGold.objects.done().filter(page=gold.page_id)
    if imported.count() != 1:
        return None
    try:
        placed = place(from_json(imported.get().content), parsed)
    except GoldError:
        return None
    return GoldProjection(
        spans=[(*span, GoldSource.IMPORTED.value) for span in placed.spans],
        source=GoldSource.IMPORTED,
        characters=placed.total,
        placed=placed.placed,
        rows=rows,
    )


def origins(gold: Gold) -> list[str]:
    """The source of each interval in text order; of projected ones, their original source."""
    job = ReparseJob.objects.filter(gold=gold).first()
    # By their ends: `joined` has moved the start of some.
    known = {end: row["source"] for row in (job.intervals if job else []) for _start, end in row["pieces"]}
    return [known.get(end, source) for _start, end, _label, source in sorted(gold.spans)]


def _row(projected: ProjectedSpan, source: str, text: str, new_text: str) -> ProjectedInterval:
    span = projected.span
    found = (new_text[piece.start : piece.end] for piece in projected.pieces)
    is_same = _bare(found) == _bare([text[span.start : span.end]])
    return ProjectedInterval(
        label=span.label,
        source=source,
        start=span.start,
        end=span.end,
        pieces=[(piece.start, piece.end) for piece in projected.pieces],
        outcome=LOST if projected.lost else SAME if is_same else CHANGED,
        characters=projected.lost,
        missing=projected.missing,
    )


def _bare(texts: Iterable[str]) -> str:
    return "".join(char for text in texts for char in text if not char.isspace())
