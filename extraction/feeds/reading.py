"""Parsing feeds and sitemaps in a child process, under limits of CPU time and memory.

with FeedReader() as reader:
    listing = reader.read(raw, base="https://example.org/feed")
"""

import json
from datetime import datetime

from extraction import child_process as child
from extraction.child_process import DONE, REFUSED, ChildGone, LimitedChild, Reply
from extraction.feeds.parse import Entry, FeedError, Listing, parse


class FeedReader(LimitedChild):
    """A child process that parses feeds. For one thread of one process."""

    module = "extraction.feeds.reading"
    cpu_seconds = 20
    memory_bytes = 2 << 30
    wall_seconds = 600.0

    def read(self, raw: bytes, *, base: str, content_type: str = "") -> Listing:
        """What the bytes list. Raises FeedError, and TimeoutError or ChildProcessError as the child does."""
        asked = json.dumps({"base": base, "content_type": content_type}).encode()
        try:
            reply = self.ask(asked, raw)
        except ChildGone as gone:
            why = "takes too long" if gone.reason == "time" else "needs more memory than it may have"
            raise FeedError(f"reading it {why}") from None
        if reply.status == REFUSED:
            raise FeedError(reply.first.decode("utf-8", "replace"))
        found = json.loads(reply.first)
        entries = (Entry(url, datetime.fromisoformat(at) if at else None) for url, at in found["entries"])
        return Listing(found["kind"], found["title"], tuple(entries))


def _answer(first: bytes, raw: bytes) -> Reply:
    try:
        listing = parse(raw, **json.loads(first))
    except FeedError as error:
        return Reply(REFUSED, str(error).encode("utf-8", "replace"), b"")
    except MemoryError:
        return Reply(REFUSED, b"reading it needs more memory than it may have", b"")
    except Exception as error:  # noqa: BLE001 - whatever a hostile feed breaks is an answer, too
        return Reply(REFUSED, f"it cannot be read: {type(error).__name__}".encode(), b"")
    rows = [[entry.url, entry.at.isoformat() if entry.at else ""] for entry in listing.entries]
    found = {"kind": listing.kind, "title": listing.title, "entries": rows}
    return Reply(DONE, json.dumps(found).encode(), b"")


if __name__ == "__main__":
    child.answer_parent(_answer)
