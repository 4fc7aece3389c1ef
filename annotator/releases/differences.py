"""What differs between two releases: pages added, removed and changed, with the spans."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from annotator.annotations.models import WITH_SPANS
from annotator.pages.models import Document
from annotator.releases.models import Release, ReleasePage

# Of a span's text, what a list shows.
QUOTED = 160


class Mark(NamedTuple):
    """A span of one of the releases only, and how its text begins."""

    label: str
    start: int
    end: int
    quote: str


class Change(NamedTuple):
    """A page that both releases hold, differently. Empty where nothing of the kind differs."""

    sha256: str
    title: str
    verdicts: tuple[str, str] | None
    splits: tuple[str, str] | None
    parsers: tuple[str, str] | None
    gone: list[Mark]
    come: list[Mark]
    # It was taken down since: what its spans were is no longer known.
    is_down: bool


class Difference(NamedTuple):
    """Rows of pages that only one release holds, pairs of rows of those that both hold and that differ."""

    added: list[ReleasePage]
    removed: list[ReleasePage]
    changed: list[tuple[ReleasePage, ReleasePage]]
    same: int


def between(older: Release, newer: Release) -> Difference:
    """The two compared by digests: nothing of the texts is read."""
    one, other = _rows(older), _rows(newer)
    both = sorted(one.keys() & other.keys())
    changed = [(one[key], other[key]) for key in both if _said(one[key]) != _said(other[key])]
    return Difference(
        added=[other[key] for key in sorted(other.keys() - one.keys())],
        removed=[one[key] for key in sorted(one.keys() - other.keys())],
        changed=changed,
        same=len(both) - len(changed),
    )


def changes(pairs: list[tuple[ReleasePage, ReleasePage]]) -> Iterator[Change]:
    """The pairs in full, for the few that are shown at once."""
    wanted = {row.gold.document_id for pair in pairs for row in pair}
    texts = dict(Document.objects.filter(pk__in=wanted).values_list("pk", "text"))
    for older, newer in pairs:
        one, other = older.gold, newer.gold
        before, after = _marks(older, texts), _marks(newer, texts)
        # Of two documents, offsets say nothing: texts are compared.
        same_text = one.document.sha256 == other.document.sha256
        held_before, held_after = _keys(before, same_text), _keys(after, same_text)
        yield Change(
            sha256=newer.sha256,
            title=str(other.page),
            verdicts=_pair(one.verdict, other.verdict),
            splits=_pair(older.split, newer.split),
            parsers=_pair(one.document.version, other.document.version),
            gone=[mark for key, mark in held_before if key not in dict(held_after)],
            come=[mark for key, mark in held_after if key not in dict(held_before)],
            is_down=hasattr(other.page, "takedown"),
        )


def _rows(release: Release) -> dict[str, ReleasePage]:
    rows = ReleasePage.objects.filter(release=release)
    rows = rows.select_related("gold__page__takedown", "gold__document")
    return {row.sha256: row for row in rows.defer("gold__document__text", "gold__document__blocks")}


def _said(row: ReleasePage) -> tuple[str, str]:
    return row.gold_sha256, row.split


def _marks(row: ReleasePage, texts: dict[int, str]) -> list[tuple[str, Mark]]:
    """The spans with the whole of their texts."""
    gold = row.gold
    if gold.verdict not in WITH_SPANS:
        return []
    text = texts[gold.document_id]
    found = []
    for start, end, label, _source in gold.spans:
        quote = text[start:end]
        short = quote if len(quote) <= QUOTED else f"{quote[:QUOTED]}…"
        found.append((quote, Mark(label, start, end, short)))
    return found


def _keys(marks: list[tuple[str, Mark]], same_text: bool) -> list[tuple[Any, Mark]]:
    return [((mark[:3] if same_text else (mark.label, quote)), mark) for quote, mark in marks]


def _pair(one: str, other: str) -> tuple[str, str] | None:
    return None if one == other else (one, other)
