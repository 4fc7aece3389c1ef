"""A site that may be asked, and listeners that may not."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.conf import LazySettings

from annotator.fetching import addresses
from annotator.fetching.client import Fetcher
from annotator.fetching.limits import FetchLimits
from tests.annotator.fetching.sites import Listener, Site, listener, site

# Few bytes, and so much time that the site, a thread of the same process, has answered on a busy machine.
SMALL = FetchLimits(
    body_bytes=200_000,
    header_bytes=16_000,
    connect_seconds=60,
    read_seconds=60,
    total_seconds=180,
    redirects=5,
)
# For sites that would never be done: so long can a test wait.
IMPATIENT = replace(SMALL, read_seconds=1, total_seconds=3)


def to_this_machine(limits: FetchLimits) -> Fetcher:
    """A fetcher whose names lead to this machine."""
    return Fetcher(limits=limits, resolve=lambda host, port: ["127.0.0.1"])


@pytest.fixture
def quick() -> Fetcher:
    """A fetcher with small limits; its names lead to this machine."""
    return to_this_machine(SMALL)


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
