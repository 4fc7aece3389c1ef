"""Fetches the style sheets and images that pages name and their captures lack, on an admin's word.

What cannot be fetched is noted with the reason, and keeps nothing from being shown. A site that does not
answer is asked again later; what another page of the corpus got of late is not asked for again.
"""

import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from annotator.common import storage, work
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.fetching.client import Fetched, Fetcher
from annotator.fetching.errors import FetchError, NotAnswered
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
# Seconds after which other pages have their turn.
VISIT = 240.0
# How often, and after how long, what did not answer in the last visit is asked for again.
RETURNS, RETURN_AFTER = 2, timedelta(minutes=2)
# A page that is being parsed is looked at again after so long.
PARSING = timedelta(seconds=10)
# An address that was fetched for another page of the corpus is the same for so long.
FRESH = timedelta(days=1)
MAX_PROBLEM = 300

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


def request_with_import(*, pages: Iterable[Page], by: User | None) -> None:
    """Ask for what pages name that were just fetched themselves; it waits until they are parsed."""
    AssetFetch.objects.bulk_create(
        [AssetFetch(page=page, source=FetchSource.ORIGIN, requested_by=by) for page in pages],
        ignore_conflicts=True,
    )


def fetch_missing(row: AssetFetch, sandbox: AssetSandbox, fetcher: Fetcher) -> bool:
    """Fetch what the page of a claimed row lacks, and store it; the view is made again afterwards.

    False if it is not finished with that: the page is not parsed yet, or something is asked for again later.
    """
    document = row.page.document
    if document is None:
        if row.page.finished_at:
            work.finish(row)  # what cannot be parsed is shown as such
        else:
            work.requeue(row, until=timezone.now() + PARSING - work.UNCLAIMED)
        return False
    visit = _Visit(row, fetcher)
    try:
        for _round in range(ROUNDS):
            if not visit.ask_for(_missing(build_with_assets(document, sandbox))):
                break
    except AssetRefused as refusal:
        work.fail(row, error=str(refusal))
        return False
    except _Interrupted:
        return False
    return visit.end()


class _Interrupted(Exception):
    """The row was given back, or another worker has it."""


class _Visit:
    """One worker's work on a row: what it found, what is not there, and what did not answer."""

    def __init__(self, row: AssetFetch, fetcher: Fetcher) -> None:
        self._row, self._fetcher = row, fetcher
        self._found = row.found
        self._problems: dict[str, str] = dict(row.problems)
        self._unanswered: dict[str, str] = {}
        self._until = time.monotonic() + VISIT

    def ask_for(self, wanted: Iterable[tuple[str, frozenset[str]]]) -> bool:
        """Fetch what was not asked for yet; False where that is nothing. Raises _Interrupted."""
        known = self._problems | self._unanswered
        new = [(url, types) for url, types in wanted if url not in known]
        left = max(0, MAX_FETCHES - self._found - len(known))
        for url, types in new[:left]:
            self._ask(url, types)
            if not work.send_heartbeat(self._row, found=self._found, problems=self._problems):
                raise _Interrupted
            if time.monotonic() > self._until:
                # What did not answer is done with: the next visit would ask it first, and never end.
                problems = self._problems | self._unanswered
                work.requeue(self._row, until=timezone.now() - work.UNCLAIMED, problems=problems)
                raise _Interrupted
        return bool(new[:left])

    def end(self) -> bool:
        """Write the result; False, and the row waits, if a site is to be asked again."""
        if self._unanswered and self._row.returns < RETURNS:
            later = timezone.now() + RETURN_AFTER * 5**self._row.returns
            work.requeue(self._row, until=later - work.UNCLAIMED, returns=self._row.returns + 1)
            return False
        problems = self._problems | self._unanswered
        return work.finish(self._row, found=self._found, missing=len(problems), problems=problems)

    def _ask(self, url: str, types: frozenset[str]) -> None:
        try:
            asset, at = _fetched_before(url, self._row.page) or _fetch(self._row, url, types, self._fetcher)
        except NotAnswered as error:
            self._unanswered[url] = error.message[:MAX_PROBLEM]
        except FetchError as error:
            self._problems[url] = error.message[:MAX_PROBLEM]
        else:
            if store_assets(page=self._row.page, assets=[asset], fetched_at=at):
                self._found += 1
            else:
                self._problems[url] = "it is empty, or more than a page may have"


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


# An asset, and when it was fetched.
Got = tuple[Asset, datetime]


def _fetch(row: AssetFetch, url: str, types: frozenset[str], fetcher: Fetcher) -> Got:
    address = (
        url if row.source == FetchSource.ORIGIN else archived(url, row.page, is_sheet=types is SHEET_TYPES)
    )
    answer: Fetched = fetcher.fetch(address, accept=types)
    return Asset(url, answer.body, answer.media_type), timezone.now()


def _fetched_before(url: str, page: Page) -> Got | None:
    """What was fetched from the address of late for another page of the same corpus."""
    twin = queries.fetched_since(timezone.now() - FRESH, url=url, corpus=page.corpus_id)
    if twin is None or twin.fetched_at is None:
        return None
    try:
        return Asset(url, storage.get(twin.sha256), twin.media_type), twin.fetched_at
    except FileNotFoundError:  # taken down meanwhile
        return None


def archived(url: str, page: Page, *, is_sheet: bool) -> str:
    """The Internet Archive's address of an asset as it was when the page was captured, or nearest to that."""
    captured = (page.captured_at or page.added_at).astimezone(UTC)
    return f"{ARCHIVE}/{captured:%Y%m%d%H%M%S}{'cs_' if is_sheet else 'im_'}/{url}"
