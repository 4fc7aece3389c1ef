"""Shrinking pages of strangers, in a child process that can be killed.

A request is the error and the limits as JSON, and the page's bytes; an answer the reduced page and what is
known of it as JSON, or a message (see `extraction.child_process`).
"""

import json
from dataclasses import asdict

from extraction import child_process as child
from extraction.child_process import DONE, REFUSED, ChildGone, KillableChild, Reply
from extraction.parsing.errors import ParseError
from extraction.shrinking.errors import ExtractionError, ShrinkError
from extraction.shrinking.shrink import SECONDS, Shrunk, shrink

# What the child may use and how long it is waited for, beyond the time of the reduction itself.
MARGIN_CPU_SECONDS, MARGIN_WALL_SECONDS = 60, 300.0


def shrink_in_child(
    raw: bytes, error: ExtractionError, *, charset: str | None = None, seconds: float = SECONDS
) -> Shrunk:
    """As `shrink`, for a page that may break the parser or the extractor.

    Raises ShrinkError for whatever the page does to them, and TimeoutError and ChildProcessError as
    `KillableChild.ask`, which say nothing about the page.
    """
    cpu_seconds = int(seconds) + MARGIN_CPU_SECONDS
    command = child.python_module("extraction.shrinking.child", cpu_seconds)
    asked = {**asdict(error), "labels": sorted(error.labels), "charset": charset, "seconds": seconds}
    try:
        with KillableChild(command, wall_seconds=seconds + MARGIN_WALL_SECONDS) as process:
            status, first, second = process.ask(json.dumps(asked).encode(), raw)
    except ChildGone as gone:
        raise ShrinkError(f"{error.extractor} does not survive this page: {gone.reason}") from None
    if status != DONE:
        raise ShrinkError(second.decode("utf-8", "replace"))
    return Shrunk(first.decode(), **json.loads(second))


def _answer(asked: bytes, raw: bytes) -> Reply:
    options = json.loads(asked)
    charset, seconds = options.pop("charset"), options.pop("seconds")
    error = ExtractionError(**options | {"labels": frozenset(options["labels"])})
    try:
        shrunk = shrink(raw, error, charset=charset, seconds=seconds)
    except (ParseError, ShrinkError) as refused:
        return Reply(REFUSED, b"", str(refused).encode("utf-8", "replace"))
    except Exception as broken:  # noqa: BLE001 - whatever a hostile page breaks is an answer, too
        return Reply(REFUSED, b"", f"{type(broken).__name__}: {broken}".encode("utf-8", "replace"))
    known = {"tried": shrunk.tried, "is_minimal": shrunk.is_minimal}
    return Reply(DONE, shrunk.html.encode("utf-8", "replace"), json.dumps(known).encode())


if __name__ == "__main__":
    # Its memory is not limited: the libraries of others, which it starts, have limits of their own.
    child.answer_parent(_answer)
