"""What fetching one address may cost, and which kinds of file are accepted."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from annotator.fetching.errors import NotAnswered, ResponseTooLarge

MIB = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class FetchLimits:
    """Bytes and seconds. `total_seconds` counts all redirects of an address, but no waiting for our turn."""

    # Of the body, both as sent and decompressed.
    body_bytes: int = 10 * MIB
    # Of the headers of one answer.
    header_bytes: int = 64 * 1024
    connect_seconds: float = 10
    # Between two reads.
    read_seconds: float = 20
    total_seconds: float = 60
    redirects: int = 5


PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml"})
FEED_TYPES = frozenset(
    {
        "application/atom+xml",
        "application/rdf+xml",
        "application/rss+xml",
        "application/xml",
        "application/x-rss+xml",
        "application/gzip",
        "application/x-gzip",
        "text/xml",
        "text/plain",
        "text/html",
    }
)


class FetchBudget:
    """What is left of the time and the bytes of one fetch. For one thread."""

    def __init__(self, limits: FetchLimits) -> None:
        self.limits = limits
        self._left = limits.total_seconds
        self._deadline = 0.0
        self._bytes_left = 0

    @contextmanager
    def spending(self) -> Iterator[None]:
        """Time passes, and a new answer is read."""
        self._deadline = time.monotonic() + self._left
        # Room for what is no body: headers, the sizes of chunks, trailers.
        self._bytes_left = 2 * self.limits.body_bytes + 4 * self.limits.header_bytes
        try:
            yield
        finally:
            self._left = self._deadline - time.monotonic()

    def seconds(self, most: float) -> float:
        """How long to wait for the next step, at most so long. Raises NotAnswered when the time is up."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise NotAnswered(f"the site was too slow: not finished after {self.limits.total_seconds:.0f} s")
        return min(most, left)

    def received(self, count: int) -> None:
        """Count bytes from the network. Raises ResponseTooLarge."""
        self._bytes_left -= count
        if self._bytes_left < 0:
            raise ResponseTooLarge("the site sent more than an answer may have")
