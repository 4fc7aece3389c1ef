"""Hierarchical delta debugging: the smallest page on which an extractor still makes an error.

Source: Misherghi and Su, "HDD: Hierarchical Delta Debugging", ICSE 2006. Level by level, from the page down,
as many elements and texts are left out as the error allows, half of a level at first, then ever smaller runs.
Then tags are left out around what remains, then attributes, then words. All of it is repeated until
nothing more can go, as what one step removes may have held up another.
"""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from extraction.parsing.decode import decode
from extraction.shrinking.errors import ExtractionError, ShrinkError, Treatment
from extraction.shrinking.source_tree import Element, TextNode, read_source

DOCTYPE = "<!doctype html>\n"
SECONDS = 30.0
_SPACE = re.compile(r"\s+")

Item = TypeVar("Item")
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Shrunk:
    """The reduced page, how many pages were tried, and whether no single thing more can be left out."""

    html: str
    tried: int
    is_minimal: bool

    @property
    def size(self) -> int:
        """In bytes of UTF-8."""
        return len(self.html.encode())


class _OutOfTime(Exception):
    pass


def shrink(
    raw: bytes,
    error: ExtractionError,
    *,
    charset: str | None = None,
    seconds: float = SECONDS,
    on_try: Progress | None = None,
) -> Shrunk:
    """Return the smallest page found within `seconds` of wall-clock time on which the error is still made.

    If the extractor treats other text of the page in the other way, it does on the reduced page: a paragraph
    that it misses for being alone would be another error. `on_try` hears the bytes
    left and the number of pages tried. Raises ShrinkError if the error is not made on the page, ParseError
    for a page beyond the limits, and what the extractor raises on the page.
    """
    html = decode(raw, charset).text
    treatment = error.check(html)
    return _Reduction(read_source(html), error, treatment, time.monotonic() + seconds, on_try).run()


class _Reduction:
    """One page that is being reduced. Its tree always holds a page on which the error is made."""

    def __init__(
        self,
        page: Element,
        error: ExtractionError,
        treatment: Treatment,
        deadline: float,
        on_try: Progress | None,
    ) -> None:
        self._page = page
        self._error = error
        self._outcome = treatment
        self._deadline = deadline
        self._on_try = on_try
        self._doctype = DOCTYPE
        self._known: dict[str, bool] = {}
        self._size = 0

    def run(self) -> Shrunk:
        if not self._holds():
            raise ShrinkError("the error goes away when the page is parsed and written again")
        is_minimal = False
        try:
            while not is_minimal:
                before = self._size
                self._leave_out_doctype()
                for level in self._page.levels():
                    self._reduce(level, _drop)
                self._reduce(self._page.elements(), _unwrap)
                self._leave_out_attributes()
                self._leave_out_words()
                is_minimal = self._size == before
        except _OutOfTime:
            pass
        return Shrunk(self._html(), len(self._known), is_minimal)

    def _html(self) -> str:
        return self._doctype + self._page.write()

    def _holds(self) -> bool:
        html = self._html()
        if html not in self._known:
            if self._known and time.monotonic() > self._deadline:
                raise _OutOfTime
            self._known[html] = self._is_kept(html)
            if self._on_try:
                self._on_try(self._size, len(self._known))
        if self._known[html]:
            self._size = len(html.encode())
        return self._known[html]

    def _is_kept(self, html: str) -> bool:
        try:
            treatment = self._error.treatment(html)
        except Exception:  # noqa: BLE001  a page that breaks the extractor shows another error than this one
            return False
        return treatment == self._outcome

    def _leave_out_doctype(self) -> None:
        before, self._doctype = self._doctype, ""
        self._undo_unless_held(partial(setattr, self, "_doctype", before))

    def _leave_out_attributes(self) -> None:
        for element in self._page.elements():
            self._reduce_parts(list(element.attributes.items()), partial(_set_attributes, element))

    def _leave_out_words(self) -> None:
        for text in self._page.texts():
            before, text.value = text.value, _SPACE.sub(" ", text.value)
            self._undo_unless_held(partial(setattr, text, "value", before))
            self._reduce_parts(text.value.split(" "), partial(_set_words, text))

    def _reduce(self, nodes: Sequence[Item], mark: Callable[[Item, bool], None]) -> None:
        """Mark as many of the nodes as the error allows."""

        def keep(kept: Sequence[Item]) -> None:
            among = set(map(id, kept))
            for node in nodes:
                mark(node, id(node) not in among)

        self._reduce_parts(nodes, keep)

    def _reduce_parts(self, parts: Sequence[Item], keep: Callable[[Sequence[Item]], None]) -> None:
        """Keep as few of the parts as the error allows: leave out runs of them, all at first, then halves."""
        kept, length = list(parts), len(parts)
        while length:
            start = 0
            while start < len(kept):
                fewer = kept[:start] + kept[start + length :]
                keep(fewer)
                if self._undo_unless_held(partial(keep, kept)):
                    kept = fewer
                else:
                    start += length
            length //= 2

    def _undo_unless_held(self, undo: Callable[[], None]) -> bool:
        is_held = False
        try:
            is_held = self._holds()
        finally:
            if not is_held:
                undo()
        return is_held


def _drop(node: Element | TextNode, is_dropped: bool) -> None:
    node.is_dropped = is_dropped


def _unwrap(element: Element, is_unwrapped: bool) -> None:
    element.is_unwrapped = is_unwrapped


def _set_attributes(element: Element, pairs: Sequence[tuple[str, str]]) -> None:
    element.attributes = dict(pairs)


def _set_words(text: TextNode, words: Sequence[str]) -> None:
    text.value = " ".join(words)
