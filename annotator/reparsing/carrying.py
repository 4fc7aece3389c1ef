"""Gold, carried from one document of a page into another, with what became of each interval."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from annotator.common import storage
from annotator.gold.models import Gold, Source
from annotator.pages.models import Document, ImportedGold
from annotator.reparsing.models import Move
from extraction.align import Carried, carry_each
from extraction.document import Document as Parsed
from extraction.formats import GoldError
from extraction.formats.gold import align_gold, from_json
from extraction.spans import Span

SAME, CHANGED, LOST = "same", "changed", "lost"


@dataclass(frozen=True, slots=True)
class Row:
    """One interval of the earlier gold: from where, to where, and where it comes from in the first place.

    `outcome` is "same" (its text, blanks aside), "changed" (all of it was found, with other text in between
    or drawn otherwise) or "lost" (`characters` of it were not found: those in the stretches `missing`).
    Places only, no text: a page that is taken down must not go on here.
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
class Carriage:
    """Gold as it stands in the other document."""

    spans: list[tuple[int, int, str, str]]
    source: str
    characters: int | None
    placed: int | None
    rows: list[Row]

    def count(self, outcome: str) -> int:
        return sum(row.outcome == outcome for row in self.rows)

    def report(self) -> list[dict[str, Any]]:
        return [asdict(row) for row in self.rows]


def carry_gold(gold: Gold, document: Document) -> Carriage:
    """Gold in another document of its page. Gold that came with the page is placed anew, from what came."""
    parsed = Parsed.unpack(storage.get(document.packed_sha256))
    each = carry_each(gold.document.text, [Span(*row[:3]) for row in gold.spans], parsed)
    rows = [
        _row(carried, source, gold.document.text, document.text)
        for carried, source in zip(each, origins(gold), strict=True)
    ]
    return _as_it_came(gold, parsed, rows) or _carried(gold, each, rows)


def _carried(gold: Gold, each: list[Carried], rows: list[Row]) -> Carriage:
    spans = sorted((*piece, Source.CARRIED.value) for carried in each for piece in carried.pieces)
    # What an earlier document had lost already stays lost.
    lost_before = (gold.characters or 0) - (gold.placed or 0)
    lost = sum(row.characters for row in rows)
    counts = gold.characters is not None or lost > 0
    placed = sum(carried.placed for carried in each)
    return Carriage(
        spans=spans,
        source=Source.IMPORTED if gold.source == Source.IMPORTED else Source.CARRIED,
        characters=placed + lost + lost_before if counts else None,
        placed=placed if counts else None,
        rows=rows,
    )


def _as_it_came(gold: Gold, parsed: Parsed, rows: list[Row]) -> Carriage | None:
    """What the earlier document did not have, this one may: None unless there is one text, and it can be."""
    if gold.source != Source.IMPORTED:
        return None
    came = ImportedGold.objects.filter(page=gold.page_id, error="").exclude(finished_at=None)
    if came.count() != 1:
        return None
    try:
        placed = align_gold(from_json(came.get().content), parsed)
    except GoldError:
        return None
    return Carriage(
        spans=[(*span, Source.IMPORTED.value) for span in placed.spans],
        source=Source.IMPORTED,
        characters=placed.total,
        placed=placed.placed,
        rows=rows,
    )


def origins(gold: Gold) -> list[str]:
    """Where each interval comes from, in order of place; of carried ones, what they were at first."""
    move = Move.objects.filter(gold=gold).first()
    known = {
        (*piece, row["label"]): row["source"]
        for row in (move.report if move else [])
        for piece in map(tuple, row["pieces"])
    }
    return [known.get((start, end, label), source) for start, end, label, source in sorted(gold.spans)]


def _row(carried: Carried, source: str, text: str, new_text: str) -> Row:
    span = carried.span
    quote = text[span.start : span.end]
    found = "".join(new_text[piece.start : piece.end] for piece in carried.pieces)
    outcome = _outcome(carried, _bare([found]) == _bare([quote]))
    # A stretch of signs without ink is not looked for, and yet it was marked.
    unfound = 0 if carried.pieces else len(_bare([quote]))
    return Row(
        label=span.label,
        source=source,
        start=span.start,
        end=span.end,
        pieces=[(piece.start, piece.end) for piece in carried.pieces],
        outcome=outcome,
        characters=(carried.lost or unfound) if outcome == LOST else 0,
        missing=(carried.missing or [(span.start, span.end)]) if outcome == LOST else [],
    )


def _outcome(carried: Carried, is_same: bool) -> str:
    if is_same:
        return SAME
    return LOST if carried.missing or not carried.pieces else CHANGED


def _bare(texts: Iterable[str]) -> str:
    return "".join(char for text in texts for char in text if not char.isspace())
