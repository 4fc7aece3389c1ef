"""Writes about feeds: followed, checked, paused, resumed, removed."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import chain

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common import work
from annotator.common.errors import Conflict
from annotator.common.sites import site_of
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.fetching.addresses import parse_address
from annotator.fetching.client import Fetched, Fetcher, user_agent
from annotator.fetching.errors import NotAnswered, Refused
from annotator.fetching.limits import FEED_TYPES
from annotator.pages.feeds.models import FeedEntry, FollowedFeed
from annotator.pages.feeds.queries import due_feeds, taken_today
from annotator.pages.imports.addresses import FEED, create_import
from annotator.pages.imports.audit import record_import
from annotator.pages.imports.models import Import, SourceKind
from extraction.feeds.parse import INDEX, MAX_ENTRIES, Entry, FeedError, Listing
from extraction.feeds.reading import FeedReader

# Sitemaps of an index that one check reads: the newest.
MAX_SITEMAPS = 5


@dataclass(frozen=True)
class Found:
    """What a feed lists now; nothing where it has not changed."""

    entries: tuple[Entry, ...] = ()
    title: str = ""
    etag: str = ""
    last_modified: str = ""


def read_address(url: str, *, etag: str = "", last_modified: str = "") -> Found:
    """What the feed or the sitemap at an address lists, if it has changed since it had these validators.

    Raises FetchError, and FeedError where the file is no feed.
    """
    fetcher = Fetcher()
    fetched = fetcher.fetch(url, accept=FEED_TYPES, etag=etag, last_modified=last_modified)
    if fetched.not_modified:
        return Found(etag=etag, last_modified=last_modified)
    with FeedReader() as reader:
        listing = _read(reader, fetched)
        if listing.kind == INDEX:
            # An index changes less often than its sitemaps: it is read in full each time.
            return Found(_of_sitemaps(reader, fetcher, listing), listing.title)
    return Found(listing.entries, listing.title, fetched.etag, fetched.last_modified)


def _read(reader: FeedReader, fetched: Fetched) -> Listing:
    charset = f"; charset={fetched.charset}" if fetched.charset else ""
    return reader.read(fetched.body, base=fetched.url, content_type=f"{fetched.media_type}{charset}")


def _of_sitemaps(reader: FeedReader, fetcher: Fetcher, index: Listing) -> tuple[Entry, ...]:
    """What the newest sitemaps list; one that cannot be read is passed over where another can."""
    listings, errors = [], []
    for entry in index.entries[:MAX_SITEMAPS]:
        try:
            listings.append(_read(reader, fetcher.fetch(entry.url, accept=FEED_TYPES)))
        except (Refused, FeedError) as error:
            errors.append(error)
    if errors and not listings:
        raise errors[0]
    # An index in an index is left out, as the protocol has none.
    found = chain.from_iterable(listing.entries for listing in listings if listing.kind != INDEX)
    return tuple(found)[:MAX_ENTRIES]


# A site that did not answer is asked again after so long, and twice as long each time, up to its usual hours.
FIRST_RETRY = timedelta(minutes=15)


@transaction.atomic
def follow_feed(
    *,
    corpus: Corpus,
    url: str,
    every_hours: int,
    daily_cap: int,
    with_assets: bool = False,
    user: User | None = None,
) -> FollowedFeed:
    """Follow a feed or a sitemap; it is checked at once. `with_assets`: style sheets and images come too.

    Raises GoldpanError for an address that is never fetched, Conflict if the corpus follows it already.
    """
    user_agent()
    address = str(parse_address(url))
    feed, new = FollowedFeed.objects.get_or_create(
        corpus=corpus,
        url=address,
        defaults={
            "every_hours": every_hours,
            "daily_cap": daily_cap,
            "with_assets": with_assets,
            "followed_by": user,
        },
    )
    if not new:
        raise Conflict(_("This feed is followed already."))
    _record(AuditAction.FEED_FOLLOWED, feed, by=user)
    return feed


@transaction.atomic
def remove_feed(*, feed: FollowedFeed, user: User | None = None) -> None:
    """Follow the feed no more. Pages and imports that it brought stay."""
    _record(AuditAction.FEED_REMOVED, feed, by=user)
    feed.delete()


@transaction.atomic
def pause_feed(*, feed: FollowedFeed, user: User | None = None) -> None:
    """Check the feed no more until it is resumed."""
    if FollowedFeed.objects.filter(pk=feed.pk, paused_at=None).update(paused_at=timezone.now()):
        _record(AuditAction.FEED_CHANGED, feed, by=user, paused=True)


@transaction.atomic
def resume_feed(*, feed: FollowedFeed, user: User | None = None) -> None:
    """Check the feed at its times again, and first as soon as it is due."""
    if FollowedFeed.objects.filter(pk=feed.pk, paused_at__isnull=False).update(paused_at=None):
        _record(AuditAction.FEED_CHANGED, feed, by=user, paused=False)


def check_now(*, feed: FollowedFeed) -> None:
    """Ask for a check before its time, also of a paused feed. Raises Conflict if one is under way."""
    if not work.reopen(feed):
        raise Conflict(_("This feed is being checked."))


def reopen_due(now: datetime) -> list[FollowedFeed]:
    """Ask for the checks that are due; return the feeds. One that fails unforeseen is due again as usual."""
    return [
        feed
        for feed in due_feeds(now)[:100]
        if work.reopen(feed, next_check_at=now + timedelta(hours=feed.every_hours))
    ]


def _record(action: AuditAction, feed: FollowedFeed, by: User | None, **changes: object) -> None:
    record(action, corpus=feed.corpus, by=by, item=feed.url[:200], changes=changes)


# ---- checking ----


def check_feed(feed: FollowedFeed) -> Import | None:
    """Check a claimed feed; return the import of its new pages, or None where there is nothing to import.

    What makes it unreadable is the result of the check (invariant 9); a site that does not answer is asked
    again soon.
    """
    try:
        found = read_address(feed.url, etag=feed.etag, last_modified=feed.last_modified)
    except NotAnswered as error:
        _put_off(feed, error)
        return None
    except (Refused, FeedError) as error:
        now = timezone.now()
        later = now + timedelta(hours=feed.every_hours)
        work.fail(feed, error=str(error), checked_at=now, next_check_at=later, problem="", misses=0)
        return None
    return _store(feed, found)


def _put_off(feed: FollowedFeed, error: NotAnswered) -> None:
    now = timezone.now()
    soon = max(FIRST_RETRY * 2 ** min(feed.misses, 8), timedelta(seconds=error.retry_after or 0))
    later = now + min(soon, timedelta(hours=feed.every_hours))
    work.finish(feed, problem=error.message[:300], misses=feed.misses + 1, next_check_at=later)


@transaction.atomic
def _store(feed: FollowedFeed, found: Found) -> Import | None:
    """Note what is new in the feed, and import as much of what waits as the daily cap allows."""
    # Feeds of one corpus share the cap.
    corpus = Corpus.objects.select_for_update(no_key=True).get(pk=feed.corpus_id)
    now = timezone.now()
    listed = _note_new(feed, found, now)
    # In a corpus that was archived meanwhile, entries wait as they do for the cap.
    chosen = [] if corpus.archived_at else _chosen(feed, now)
    run = None
    if chosen:
        run = create_import(
            corpus=feed.corpus,
            addresses=[entry.url for entry in chosen],
            name=found.title or feed.title or feed.url,
            kind=SourceKind.FEED,
            with_assets=feed.with_assets,
            format=FEED,
            requested_by=feed.followed_by,
            feed=feed,
        )
        record_import(AuditAction.IMPORT_STARTED, run, by=feed.followed_by)
        FeedEntry.objects.filter(pk__in=[entry.pk for entry in chosen]).update(taken_at=now, run=run)
    changes = {"listed": listed, "taken": len(chosen)} if listed or chosen else {}
    finished = work.finish(
        feed,
        checked_at=now,
        next_check_at=now + timedelta(hours=feed.every_hours),
        problem="",
        misses=0,
        etag=found.etag,
        last_modified=found.last_modified,
        title=found.title or feed.title,
        **changes,
    )
    if not finished:  # another worker has taken over
        transaction.set_rollback(True)
        return None
    return run


def _note_new(feed: FollowedFeed, found: Found, now: datetime) -> int:
    """Store the entries that no feed of the corpus has listed before; return how many."""
    entries = {sha256(entry.url.encode()).hexdigest(): entry for entry in found.entries}
    known = FeedEntry.objects.filter(corpus=feed.corpus_id, digest__in=entries.keys())
    for digest in known.values_list("digest", flat=True):
        entries.pop(digest, None)
    rows = [
        FeedEntry(
            feed=feed,
            corpus_id=feed.corpus_id,
            url=entry.url,
            digest=digest,
            site=site_of(entry.url),
            published_at=entry.at,
            listed_at=now,
        )
        for digest, entry in entries.items()
    ]
    FeedEntry.objects.bulk_create(rows, batch_size=500)
    return len(rows)


def _chosen(feed: FollowedFeed, now: datetime) -> list[FeedEntry]:
    """The newest entries that wait, as many of each site as its cap leaves today."""
    waiting = list(feed.entries.filter(taken_at=None).order_by("-published_at", "pk")[:5_000])
    waiting.sort(key=lambda entry: (entry.published_at is None, entry.listed_at < now))
    used = Counter(taken_today(feed.corpus_id, (entry.site for entry in waiting), now))
    chosen = []
    for entry in waiting:
        if used[entry.site] < feed.daily_cap:
            used[entry.site] += 1
            chosen.append(entry)
    return chosen
