"""Fetches the style sheets and images that pages name and their captures lack, on an admin's word."""

from collections.abc import Iterable
from datetime import UTC

from django.db import transaction
from django.utils import timezone

from annotator.common import work
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.fetching.client import Fetched, Fetcher
from annotator.fetching.errors import FetchError
from annotator.pages.assets import queries
from annotator.pages.assets.actions import build_with_assets, store_assets
from annotator.pages.assets.models import AssetFetch, FetchSource, Look
from annotator.pages.models import Page
from extraction.asset_sandbox import AssetSandbox, BuiltView
from extraction.assets.errors import AssetRefused
from extraction.formats.records import Asset

# Sheets name other sheets and images: so often is looked again.
ROUNDS = 3
# Of one page; sheets come first.
MAX_FETCHES = 150
SHEET_TYPES = frozenset({"text/css", "text/plain", "application/octet-stream"})
IMAGE_TYPES = frozenset({"image/", "application/octet-stream"})

ARCHIVE = "https://web.archive.org/web"


@transaction.atomic
def request_fetches(*, corpus: Corpus, source: FetchSource, by: User) -> list[AssetFetch]:
    """Ask for the missing assets of every page of the corpus that lacks its styles; return the open rows."""
    pages = queries.without_styles(corpus)
    AssetFetch.objects.bulk_create(
        [AssetFetch(page=page, source=source, requested_by=by) for page in pages], ignore_conflicts=True
    )
    rows = AssetFetch.objects.filter(page__in=pages, source=source)
    for row in rows.exclude(finished_at=None):
        work.reopen(row, requested_by=by)
    record(AuditAction.ASSETS_REQUESTED, corpus=corpus, by=by, item=source.value)
    return list(rows.filter(finished_at=None).order_by("pk"))


def fetch_missing(row: AssetFetch, sandbox: AssetSandbox, fetcher: Fetcher) -> bool:
    """Fetch what the page of a claimed row lacks, and store it; the view is made again afterwards.

    False if there is no document to look at, or it cannot be read.
    """
    document = row.page.document
    if document is None:
        work.fail(row, error="the page is not parsed")
        return False
    tried: set[str] = set()
    found = 0
    try:
        for _round in range(ROUNDS):
            built = build_with_assets(document, sandbox)
            wanted = [(url, types) for url, types in _missing(built) if url not in tried]
            for url, types in wanted[: MAX_FETCHES - len(tried)]:
                tried.add(url)
                found += _fetch(row, url, types, fetcher)
                work.send_heartbeat(row, found=found)
            if not wanted:
                break
    except AssetRefused as refusal:
        work.fail(row, error=str(refusal))
        return False
    return work.finish(row, found=found, missing=len(tried) - found)


def look_to_make(row: AssetFetch) -> Look | None:
    """The look that has to be made after a fetch; None if there was nothing to fetch."""
    document = row.page.document
    if document is None:
        return None
    look, _ = Look.objects.get_or_create(document=document)
    return look if look.finished_at is None else None


def _missing(built: BuiltView) -> Iterable[tuple[str, frozenset[str]]]:
    for addresses, types in ((built.missing_sheets, SHEET_TYPES), (built.missing_images, IMAGE_TYPES)):
        yield from ((url, types) for url in addresses if url.startswith(("http://", "https://")))


def _fetch(row: AssetFetch, url: str, types: frozenset[str], fetcher: Fetcher) -> int:
    address = (
        url if row.source == FetchSource.ORIGIN else archived(url, row.page, is_sheet=types is SHEET_TYPES)
    )
    try:
        answer: Fetched = fetcher.fetch(address, accept=types)
    except FetchError:
        return 0  # counted as missing
    asset = Asset(url, answer.body, answer.media_type)
    return store_assets(page=row.page, assets=[asset], fetched_at=timezone.now())


def archived(url: str, page: Page, *, is_sheet: bool) -> str:
    """The Internet Archive's address of an asset as it was when the page was captured, or nearest to that."""
    captured = (page.captured_at or page.added_at).astimezone(UTC)
    return f"{ARCHIVE}/{captured:%Y%m%d%H%M%S}{'cs_' if is_sheet else 'im_'}/{url}"
