"""The differences between two releases: pages added, removed and changed, with their spans."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from annotator.common.verdicts import WITH_SPANS
from annotator.pages.models import StoredDocument
from annotator.releases.models import Release, ReleasePage
from extraction.spans import normalise

# Characters of a span's text in a list.
MAX_QUOTE = 160
# Pages compared at once, with their texts.
AT_ONCE = 50


class SpanDifference(NamedTuple):
    """A span in only one of the releases, and the beginning of its text."""

    label: str
    start: int
    end: int
    quote: str


class PageChange(NamedTuple):
    """A page that differs between the releases. Pairs are None where the values are equal."""

    sha256: str
    title: str
    language: str
    verdicts: tuple[str, str] | None
    reasons: tuple[str, str] | None
    sources: tuple[str, str] | None
    splits: tuple[str, str] | None
    parsers: tuple[str, str] | None
    removed: list[SpanDifference]
    added: list[SpanDifference]
    # Its spans are no longer known.
    is_taken_down: bool


class ReleasedPage(NamedTuple):
    """A page of a release, by digests."""

    sha256: str
    gold_sha256: str
    split: str


class ReleaseDifference(NamedTuple):
    """Pages of only one release, and the digests of pages that differ."""

    added: list[ReleasedPage]
    removed: list[ReleasedPage]
    changed: list[str]
    same: int


def between(older: Release, newer: Release) -> ReleaseDifference:
    """Compare two releases by digests, without reading gold."""
    one, other = _digests(older), _digests(newer)
    both = sorted(one.keys() & other.keys())
    changed = [key for key in both if one[key] != other[key]]
    return ReleaseDifference(
        added=[other[key] for key in sorted(other.keys() - one.keys())],
        removed=[one[key] for key in sorted(one.keys() - other.keys())],
        changed=changed,
        same=len(both) - len(changed),
    )


def changes(older: Release, newer: Release, digests: Sequence[str]) -> Iterator[PageChange]:
    """Yield the changes of these pages, which are in both releases."""
    for begin in range(0, len(digests), AT_ONCE):
        yield from _changes(older, newer, digests[begin : begin + AT_ONCE])


def correction_of(release: Release, digest: str) -> Release | None:
    """Return the first later release without this page, or in which its gold says something else.

    Gold that was only parsed again or decided again says the same: it has the verdict, reason and marks.
    """
    later = Release.objects.filter(corpus=release.corpus_id, number__gt=release.number).exclude(sha256="")
    pages = ReleasePage.objects.filter(release__corpus=release.corpus_id, sha256=digest)
    golds = dict(pages.values_list("release", "gold_sha256"))
    # Gold of the same digest says the same: only other gold has to be read.
    others = (
        each
        for each in later.defer("manifest").order_by("number")
        if golds.get(each.pk) != golds.get(release.pk)
    )
    return next((each for each in others if each.pk not in golds or _says_other(release, each, digest)), None)


def _says_other(older: Release, newer: Release, digest: str) -> bool:
    (change,) = changes(older, newer, [digest])
    return bool(change.verdicts or change.reasons or change.removed or change.added)


def listed(release: Release, pages: Sequence[ReleasedPage]) -> list[ReleasePage]:
    """Return the rows of these pages, with gold and page."""
    return list(_rows(release, [each.sha256 for each in pages]).values())


def _changes(older: Release, newer: Release, digests: Sequence[str]) -> Iterator[PageChange]:
    one, other = _rows(older, digests), _rows(newer, digests)
    wanted = {row.gold.document_id for rows in (one, other) for row in rows.values()}
    texts = dict(StoredDocument.objects.filter(pk__in=wanted).values_list("pk", "text"))
    return (_change(one[digest], other[digest], texts) for digest in digests)


def _change(older: ReleasePage, newer: ReleasePage, texts: Mapping[int, str]) -> PageChange:
    one, other = older.gold, newer.gold
    # Offsets of two different documents cannot be compared, so that texts are.
    same_text = one.document.sha256 == other.document.sha256
    before, after = (_marks(row, texts, same_text=same_text) for row in (older, newer))
    known_before, known_after = dict(before), dict(after)
    return PageChange(
        sha256=newer.sha256,
        title=str(other.page),
        language=other.page.language,
        verdicts=_pair(one.verdict, other.verdict),
        reasons=_pair(one.reason, other.reason),
        sources=_pair(one.source, other.source),
        splits=_pair(older.split, newer.split),
        parsers=_pair(one.document.version, other.document.version),
        removed=[mark for key, mark in before if key not in known_after],
        added=[mark for key, mark in after if key not in known_before],
        is_taken_down=hasattr(other.page, "takedown"),
    )


def _digests(release: Release) -> dict[str, ReleasedPage]:
    rows = ReleasePage.objects.filter(release=release).order_by()
    return {row[0]: ReleasedPage(*row) for row in rows.values_list("sha256", "gold_sha256", "split")}


def _rows(release: Release, digests: Sequence[str]) -> dict[str, ReleasePage]:
    rows = ReleasePage.objects.filter(release=release, sha256__in=digests).order_by("sha256")
    rows = rows.select_related("gold__page__takedown", "gold__document")
    return {row.sha256: row for row in rows.defer("gold__document__text", "gold__document__blocks")}


def _marks(
    row: ReleasePage, texts: Mapping[int, str], *, same_text: bool
) -> list[tuple[tuple[Any, ...], SpanDifference]]:
    """Return the spans, each behind what it is compared by: its offsets, or its full text."""
    gold = row.gold
    if gold.verdict not in WITH_SPANS:
        return []
    text = texts[gold.document_id]
    found = []
    # Spans that touch are one, whoever decided on each.
    for start, end, label in normalise(gold.marks):
        quote = text[start:end]
        short = quote if len(quote) <= MAX_QUOTE else f"{quote[:MAX_QUOTE]}…"
        key = (label, start, end) if same_text else (label, quote)
        found.append((key, SpanDifference(label, start, end, short)))
    return found


def _pair(one: str, other: str) -> tuple[str, str] | None:
    return None if one == other else (one, other)
