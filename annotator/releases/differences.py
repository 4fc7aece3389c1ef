"""What differs between two releases: pages added, removed and changed, with the spans."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from annotator.annotations.models import WITH_SPANS
from annotator.pages.models import Document
from annotator.releases.models import Release, ReleasePage

# Of a span's text, what a list shows.
QUOTED = 160
# So many pages are compared at once, with their texts.
AT_ONCE = 50


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


class Held(NamedTuple):
    """A page as a release holds it, by digests."""

    sha256: str
    gold_sha256: str
    split: str


class Difference(NamedTuple):
    """What only one release holds, and the digests of pages that both hold and that differ."""

    older: Release
    newer: Release
    added: list[Held]
    removed: list[Held]
    changed: list[str]
    same: int


def between(older: Release, newer: Release) -> Difference:
    """The two compared by digests: no gold is read, however large they are."""
    one, other = _held(older), _held(newer)
    both = sorted(one.keys() & other.keys())
    changed = [key for key in both if one[key] != other[key]]
    return Difference(
        older,
        newer,
        added=[other[key] for key in sorted(other.keys() - one.keys())],
        removed=[one[key] for key in sorted(one.keys() - other.keys())],
        changed=changed,
        same=len(both) - len(changed),
    )


def changes(found: Difference, digests: Sequence[str]) -> Iterator[Change]:
    """These changed pages in full, a few at a time."""
    for begin in range(0, len(digests), AT_ONCE):
        yield from _changes(found, digests[begin : begin + AT_ONCE])


def listed(release: Release, held: Sequence[Held]) -> list[ReleasePage]:
    """The rows of these pages, with gold and page."""
    return list(_rows(release, [each.sha256 for each in held]).values())


def _changes(found: Difference, digests: Sequence[str]) -> Iterator[Change]:
    one, other = (_rows(release, digests) for release in (found.older, found.newer))
    wanted = {row.gold.document_id for rows in (one, other) for row in rows.values()}
    texts = dict(Document.objects.filter(pk__in=wanted).values_list("pk", "text"))
    return (_change(one[digest], other[digest], texts) for digest in digests)


def _change(older: ReleasePage, newer: ReleasePage, texts: Mapping[int, str]) -> Change:
    one, other = older.gold, newer.gold
    before, after = _marks(older, texts), _marks(newer, texts)
    # Of two documents, offsets say nothing: texts are compared.
    same_text = one.document.sha256 == other.document.sha256
    held_before, held_after = _keys(before, same_text), _keys(after, same_text)
    return Change(
        sha256=newer.sha256,
        title=str(other.page),
        verdicts=_pair(one.verdict, other.verdict),
        splits=_pair(older.split, newer.split),
        parsers=_pair(one.document.version, other.document.version),
        gone=[mark for key, mark in held_before if key not in dict(held_after)],
        come=[mark for key, mark in held_after if key not in dict(held_before)],
        is_down=hasattr(other.page, "takedown"),
    )


def _held(release: Release) -> dict[str, Held]:
    rows = ReleasePage.objects.filter(release=release).order_by()
    return {row[0]: Held(*row) for row in rows.values_list("sha256", "gold_sha256", "split")}


def _rows(release: Release, digests: Sequence[str]) -> dict[str, ReleasePage]:
    rows = ReleasePage.objects.filter(release=release, sha256__in=digests).order_by("sha256")
    rows = rows.select_related("gold__page__takedown", "gold__document")
    return {row.sha256: row for row in rows.defer("gold__document__text", "gold__document__blocks")}


def _marks(row: ReleasePage, texts: Mapping[int, str]) -> list[tuple[str, Mark]]:
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
