"""Fetches a feed, or a sitemap with those that its index names, and reads it in the child process."""

from dataclasses import dataclass
from itertools import chain

from annotator.fetching.client import Fetched, Fetcher
from annotator.fetching.limits import FEED_TYPES
from annotator.pages.feeds.models import FollowedFeed
from extraction.feeds.parse import INDEX, MAX_ENTRIES, Entry, Listing
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


def read_listing(feed: FollowedFeed) -> Found:
    """What the feed lists. Raises FetchError, and FeedError where the file is no feed."""
    return read_address(feed.url, etag=feed.etag, last_modified=feed.last_modified)


def read_address(url: str, *, etag: str = "", last_modified: str = "") -> Found:
    """What the feed or the sitemap at an address lists, if it has changed since it had these validators."""
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
    sitemaps = (fetcher.fetch(entry.url, accept=FEED_TYPES) for entry in index.entries[:MAX_SITEMAPS])
    listings = (_read(reader, fetched) for fetched in sitemaps)
    # An index in an index is left out, as the protocol has none.
    found = chain.from_iterable(listing.entries for listing in listings if listing.kind != INDEX)
    return tuple(found)[:MAX_ENTRIES]
