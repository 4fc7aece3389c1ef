"""Running an extractor on a page that is stored nowhere, in a child process that can be killed.

A request is the extractor's name and the page's bytes, an answer the marked text nodes as JSON, or a message
(see `extraction.child_process`).
"""

import json
from dataclasses import asdict
from typing import Any

from extraction import child_process as child
from extraction.child_process import DONE, REFUSED, ChildGone, KillableChild, Reply
from extraction.extractors import extract
from extraction.extractors.external import LibraryError
from extraction.marked_nodes import marked_nodes
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse

CPU_SECONDS = 20  # of one page, its parsing included; the slowest extractor takes 6 on the largest real page
WALL_SECONDS = 60.0  # somebody waits


def marks_of_page(raw: bytes, extractor: str) -> list[dict[str, Any]]:
    """What an extractor takes of a page: each `MarkedNode` as a dictionary.

    Raises ParseError for a page that is refused or that the extractor fails on, and TimeoutError and
    ChildProcessError as `KillableChild.ask`, which say nothing about the page.
    """
    command = child.python_module("extraction.extractor_sandbox", CPU_SECONDS)
    try:
        with KillableChild(command, wall_seconds=WALL_SECONDS) as process:
            status, first, second = process.ask(extractor.encode(), raw)
    except ChildGone as gone:
        raise ParseError("crash", f"{extractor} does not survive this page: {gone.reason}") from None
    if status != DONE:
        raise ParseError(first.decode(), second.decode("utf-8", "replace"))
    marked: list[dict[str, Any]] = json.loads(first)
    return marked


def _answer(extractor: bytes, raw: bytes) -> Reply:
    try:
        document = parse(raw)
        marked = marked_nodes(document, extract(document, extractor.decode()))
    except ParseError as refused:
        return Reply(REFUSED, refused.reason.encode(), refused.message.encode("utf-8", "replace"))
    except LibraryError as broken:
        return Reply(REFUSED, b"crash", str(broken).encode("utf-8", "replace"))
    except Exception as broken:  # noqa: BLE001 - whatever a hostile page breaks is an answer, too
        return Reply(REFUSED, b"crash", f"{type(broken).__name__}: {broken}".encode("utf-8", "replace"))
    return Reply(DONE, json.dumps([asdict(node) for node in marked]).encode(), b"")


if __name__ == "__main__":
    # Its memory is not limited: the libraries of others, which it starts, have limits of their own.
    child.answer_parent(_answer)
