"""A site that may be asked, and listeners that may not."""

from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from annotator.fetching import addresses
from annotator.fetching.client import Fetcher
from annotator.fetching.limits import FetchLimits
from tests.annotator.fetching.sites import Listener, Site, listener, site

# Seconds and bytes that a test can wait for.
QUICK = FetchLimits(
    body_bytes=200_000, header_bytes=16_000, connect_seconds=5, read_seconds=1, total_seconds=3, redirects=5
)


@pytest.fixture
def quick() -> Fetcher:
    """A fetcher with small limits; its names lead to this machine."""
    return Fetcher(limits=QUICK, resolve=lambda host, port: ["127.0.0.1"])


@pytest.fixture
def good(settings: LazySettings) -> Iterator[Site]:
    """A site on 127.0.0.1 that the test setting opens, with no robots.txt and no pauses."""
    with site() as served:
        settings.FETCH_LOOPBACK_PORTS = frozenset({served.port})
        settings.FETCH_PAUSE_SECONDS = 0
        yield served


@pytest.fixture
def forbidden(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """Listens on all addresses of this machine; its port may be named, so only its address is in the way."""
    with listener() as counting:
        monkeypatch.setattr(addresses, "PORTS", addresses.PORTS | {counting.port})
        yield counting
