"""Parsing untrusted pages in a persistent child process that can be killed.

A request is the charset and the raw bytes. An answer is the packed document and, after the number of style
sheets that it lacks and a line break, the compressed view; or else a reason and a message (see
`extraction.child_process`).

    with Parser() as parser:
        parsed = parser.parse(raw)
"""

from typing import NamedTuple

from extraction import child_process as child
from extraction.child_process import DONE, REFUSED, ChildGone, LimitedChild, Reply
from extraction.documents.document import Document
from extraction.documents.view.build import build_view, packed
from extraction.parsing.errors import REASONS, ParseError
from extraction.parsing.limits import check_bytes
from extraction.parsing.parse import parse


class Parsed(NamedTuple):
    """A document, what its `pack` gives, and its view: gzipped JSON, ready to be stored and served.

    `lost_sheets` is that of the view.
    """

    document: Document
    packed: bytes
    view: bytes
    lost_sheets: int


class Parser(LimitedChild):
    """A child process that parses one page after the other.

    For one thread of one process: a worker that forks makes its own afterwards. After a page that broke its
    limits the child is replaced, so that the next page is parsed like the first.
    """

    module = "extraction.sandbox"
    cpu_seconds = 8  # of one page; the slowest real page takes 0.5
    memory_bytes = 3 << 30
    wall_seconds = 300.0  # that a page is waited for, on however busy a machine

    def parse(self, raw: bytes, charset: str | None = None) -> Parsed:
        """The document and view of a page; raises ParseError for any page that has none.

        Raises TimeoutError and ChildProcessError as `LimitedChild.ask`; they say nothing about the page.
        """
        check_bytes(raw)
        try:
            answer = self.ask((charset or "").encode("utf-8", "replace"), raw)
        except ChildGone as gone:
            raise _died(gone) from None
        return self._read(answer, raw)

    def _read(self, answer: Reply, raw: bytes) -> Parsed:
        if answer.status == DONE:
            lost_sheets, _, view = answer.second.partition(b"\n")
            return Parsed(Document.unpack(answer.first, raw), answer.first, view, int(lost_sheets))
        reason, message = answer.first.decode(), answer.second.decode("utf-8", "replace")
        if reason in ("memory", "crash"):
            self.close()  # the page may have left the child in any state
        raise ParseError(reason if reason in REASONS else "crash", message)


def _died(gone: ChildGone) -> ParseError:
    if gone.reason == "time":
        return ParseError("time", "the page took more CPU time to parse than it may")
    return ParseError("crash", f"the parser ended with status {gone.status}")


def answer(charset: bytes, raw: bytes) -> Reply:
    """The child's answer: the packed document and its view, or why there is none."""
    try:
        document = parse(raw, charset.decode() or None)
        view = build_view(document)
        return Reply(DONE, document.pack(), b"%d\n%b" % (view["lost_sheets"], packed(view)))
    except ParseError as error:
        return Reply(REFUSED, error.reason.encode(), error.message.encode())
    except MemoryError:
        return Reply(REFUSED, b"memory", b"the page needs more memory than it may have")
    except Exception as error:  # noqa: BLE001 - whatever a hostile page breaks is an answer, too
        message = f"{type(error).__name__}: {error}".encode("utf-8", "replace")
        return Reply(REFUSED, b"crash", message)


if __name__ == "__main__":
    child.answer_parent(answer)
