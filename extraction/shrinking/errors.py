"""The error of an extractor that a reduced page has to keep."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from extraction.extractors.learned.trained import find
from extraction.parsing.parse import parse
from extraction.spans import LABELS, relevant, text_of


class ShrinkError(ValueError):
    """The extractor does not make the error on the page; the message says what it does."""


class Treatment(NamedTuple):
    """What an extractor does with a page, and whether it treats another block of text in the other way."""

    has_words: bool
    takes_words: bool
    tells_apart: bool


@dataclass(frozen=True)
class ExtractionError:
    """Words of a page that an extractor misses, or takes wrongly. White space does not count.

    `labels` are those that count as taken, `parameters` those of the extractor.
    Raises ShrinkError for a text without words.
    """

    extractor: str
    text: str
    is_missing: bool
    parameters: dict[str, Any] = field(default_factory=dict)
    labels: frozenset[str] = frozenset(LABELS)

    def __post_init__(self) -> None:
        if not self._words:
            raise ShrinkError("there are no words to look for: name some of the page's text")

    @property
    def _words(self) -> str:
        return _single_spaced(self.text)

    def check(self, html: str) -> Treatment:
        """Return what the extractor does with this page. Raises ShrinkError if it does not make the error."""
        treatment = self.treatment(html)
        if not treatment.has_words:
            raise ShrinkError("the page does not contain these words one after the other")
        if treatment.takes_words and self.is_missing:
            raise ShrinkError(f"{self.extractor} takes these words: it does not miss them")
        if not treatment.takes_words and not self.is_missing:
            raise ShrinkError(f"{self.extractor} does not take these words")
        return treatment

    def treatment(self, html: str) -> Treatment:
        """Return what the extractor does with this page.

        Raises ParseError, and whatever the extractor raises.
        """
        document = parse(html.encode(), "utf-8")
        spans, printed, _seconds = find(self.extractor).run(document, **self.parameters)
        taken = text_of(document, spans, self.labels) if printed is None else printed
        takes_words = self._words in _single_spaced(taken)
        kept = relevant(spans, self.labels)
        return Treatment(
            has_words=self._words in _single_spaced(document.text),
            takes_words=takes_words,
            tells_apart=any(
                any(start < block.end and block.start < end for start, end in kept) is not takes_words
                for block in document.blocks
                if self._is_other(document.text[block.start : block.end])
            ),
        )

    def _is_other(self, block: str) -> bool:
        words = _single_spaced(block)
        return words not in self._words and self._words not in words


def _single_spaced(text: str) -> str:
    return " ".join(text.split())
