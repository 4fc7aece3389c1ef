"""Writes about pages: add one, build its document, pin it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

import py3langid
from django.db import IntegrityError, transaction
from django.db.models import Value
from django.db.models.functions import Coalesce

from annotator.common import storage, work
from annotator.common.errors import Conflict, GoldpanError, OtherVersion
from annotator.common.sites import site_of
from annotator.corpora.models import Corpus
from annotator.pages import near_duplicates
from annotator.pages.assets.actions import store_assets
from annotator.pages.files import PageGone, keep_files, keep_files_of
from annotator.pages.models import Capture, ImportedGold, Page, StoredDocument
from extraction.assets.data_urls import images_in, is_saved_whole
from extraction.formats.records import Asset, Cause
from extraction.parsing.errors import ParseError
from extraction.parsing.file_type import check_is_page
from extraction.parsing.limits import MAX_BYTES
from extraction.sandbox import Parsed, Parser

# In characters. The language of a shorter text is not detected: it is mostly menus.
MIN_LANGUAGE_TEXT = 40
# Only a prefix of the text is classified.
LANGUAGE_PREFIX = 20_000


class PageTooLarge(GoldpanError):
    """The page has more bytes than are ever parsed."""

    cause = Cause.TOO_LARGE


class TakenDown(GoldpanError):
    """The page was taken down: its digest alone is left."""

    status = 410
    cause = "taken-down"

    def __init__(self, message: str = "this page was taken down, and does not come in again") -> None:
        super().__init__(message)


class Archived(Conflict):
    """The corpus is archived: no page of any kind comes in."""

    def __init__(self) -> None:
        super().__init__("the corpus is archived: it can be read, not changed")


@dataclass(frozen=True)
class AddedPage:
    """The page of a record, whether it is new to the corpus, and gold that is new to the page."""

    page: Page
    new: bool
    gold: ImportedGold | None = None


def add_page(
    *,
    corpus: Corpus,
    raw: bytes,
    url: str = "",
    charset: str | None = None,
    captured_at: datetime | None = None,
    language: str | None = None,
    capture: Capture = Capture.SENT,
    note: str = "",
    gold: dict[str, object] | None = None,
    gold_source: str = "",
    assets: Iterable[Asset] = (),
) -> AddedPage:
    """Store a page as captured, unless the corpus has a page with the same bytes.

    `assets` are the style sheets and images of its capture; a page that is known gets those that it lacks,
    its file if that was lost, and the note if it has none.
    `gold` was delivered with the page; it is stored as it is, and aligned when the document is built.
    Raises GoldpanError as `check_bytes` does; TakenDown for a page that was taken down from this corpus;
    Archived in an archived one.
    """
    if corpus.archived_at or corpus.deleted_at:
        raise Archived
    check_bytes(raw)
    page = Page(
        corpus=corpus,
        sha256=sha256(raw).hexdigest(),
        size=len(raw),
        url=url,
        site=site_of(url),
        charset=charset or "",
        captured_at=captured_at,
        language=language or "",
        capture=capture,
        note=note[:1000],
    )
    try:
        return _add(page, raw, assets, gold, gold_source)
    except IntegrityError:
        # Another import has added the page since, or gold to it.
        return _add(page, raw, assets, gold, gold_source)


def check_bytes(raw: bytes) -> None:
    """Raise GoldpanError for no bytes, for more than are ever parsed, and for bytes that are no page."""
    if not raw:
        raise GoldpanError("the page is empty: it has no bytes")
    if len(raw) > MAX_BYTES:
        raise PageTooLarge(f"the page has {len(raw):,} bytes, more than {MAX_BYTES:,}")
    try:
        check_is_page(raw)
    except ParseError as error:
        raise GoldpanError(error.message) from error


def _known(corpus: int, digest: str) -> Page | None:
    """The page that the corpus has with these bytes. Raises TakenDown for one that was taken down."""
    known = Page.objects.filter(corpus=corpus, sha256=digest).select_related("takedown").first()
    if known and hasattr(known, "takedown"):
        raise TakenDown
    return known


def taken_down_of(corpus: int, digests: Iterable[str]) -> set[str]:
    """Return those of the digests that are of pages which were taken down from the corpus."""
    gone = Page.objects.filter(corpus=corpus, sha256__in=list(digests), takedown__isnull=False)
    return set(gone.values_list("sha256", flat=True))


@transaction.atomic
def _add(
    page: Page,
    raw: bytes,
    assets: Iterable[Asset],
    gold: dict[str, object] | None,
    gold_source: str,
) -> AddedPage:
    """Save the page, or take the one that the corpus has; store its bytes and what comes with it."""
    # Before it is asked whether the page was taken down: from then on its file stays away.
    keep_files()
    known = _known(page.corpus_id, page.sha256)
    if known is None:
        page.save(force_insert=True)
    elif page.note and not known.note:
        Page.objects.filter(pk=known.pk).update(note=page.note)
    # Of a known page too: its file may be lost.
    storage.put(raw)
    stored = known or page
    if assets:
        store_assets(page=stored, assets=assets)
    imported = store_imported_gold(page=stored, content=gold, source=gold_source) if gold else None
    return AddedPage(stored, known is None, imported)


def store_imported_gold(*, page: Page, content: dict[str, object], source: str) -> ImportedGold | None:
    """Store gold as it was delivered. Return the row, or None if the page has the same gold already."""
    digest = sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    row, new = ImportedGold.objects.get_or_create(
        page=page, sha256=digest, defaults={"content": content, "source": source[:200]}
    )
    return row if new else None


def build_document(page: Page, parser: Parser) -> StoredDocument | None:
    """Parse a claimed page in the child process, and store the document or the refusal.

    Return None if the page was refused or is gone, or if another worker took it over.
    """
    raw = storage.get(page.sha256)
    try:
        parsed = parser.parse(raw, page.charset or None)
    except ParseError as error:
        work.fail(page, error=error.message, refusal=error.reason)
        return None
    try:
        document = _save_document(page, parsed)
        if document and is_saved_whole(raw):
            store_assets(page=page, assets=images_in(raw))
    except PageGone:
        return None
    return document


@transaction.atomic
def _save_document(page: Page, parsed: Parsed) -> StoredDocument | None:
    made = parsed.document
    document = store_document(page=page, parsed=parsed)
    finished = work.finish(
        page,
        document=document,
        title=made.title[:500],
        language=page.language or language_of(made.text),
        cluster_id=near_duplicates.assign_cluster(page, made.text),
        refusal="",
    )
    if not finished:
        transaction.set_rollback(True)
        return None
    return document


def make_document(*, page: Page, parser: Parser, version: str) -> StoredDocument:
    """Parse a page again in the child process, and store the document beside the current one.

    Raises ParseError for a page that this parser refuses, OtherVersion if the parser has another version.
    """
    parsed = parser.parse(storage.get(page.sha256), page.charset or None)
    made = parsed.document.version
    if made != version:
        raise OtherVersion(f"this worker does not have parser {version} but {made}")
    return store_document(page=page, parsed=parsed)


@transaction.atomic
def store_document(*, page: Page, parsed: Parsed) -> StoredDocument:
    """Store the document of one parser version; it is not used before the page refers to it."""
    made = parsed.document
    keep_files_of(page.pk)
    document, _ = StoredDocument.objects.get_or_create(
        page=page,
        version=made.version,
        defaults={
            "text": made.text,
            "sha256": made.sha256,
            "length": len(made.text),
            "blocks": [[block.start, block.end] for block in made.blocks],
            "encoding": made.encoding,
            "encoding_source": made.encoding_source,
            "repairs": list(made.repairs),
            "packed_sha256": storage.put(parsed.packed),
            "view_sha256": storage.put_compressed(parsed.view),
            "quirks": made.quirks,
            "external_sheets": parsed.lost_sheets,
        },
    )
    return document


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of the text's language; empty for a short text."""
    if len(text) < MIN_LANGUAGE_TEXT:
        return ""
    return str(py3langid.classify(text[:LANGUAGE_PREFIX])[0])


def pin_document(*, page_id: int, now: datetime) -> None:
    """Pin the page's document when its first slot is claimed: from then on only a re-parse replaces it.

    Call it in the transaction of the claim. The update locks the page even if it is pinned already, so that
    a re-parse waits for the claim before it looks at the page's slots.
    """
    Page.objects.filter(pk=page_id).update(pinned_at=Coalesce("pinned_at", Value(now)))
