"""Unfluff 3.2.0, of Goose's family: the parent whose paragraphs have the most stop words.

After a description and traces of the original, with its peculiarities: an outermost `div` that holds blocks
is dissolved and its children lose their tags, while those inside are left alone; half points are cut.
"""

import math
from collections import defaultdict
from functools import cached_property

from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.extractors.nodes import spans_of
from extraction.extractors.registry import extractor
from extraction.extractors.unfluff_page import CleanedPage, clean
from extraction.features.stop_words import language_of, languages, stop_words
from extraction.spans import Span

SYSTEM = "unfluff"  # whose stop words

_PUNCTUATION = "|@<>[]\"'.,-/#?!$%^&*+;:{}=_`~()"
_LISTS = frozenset({"td", "ul", "ol"})
_QUOTES_AND_LISTS = _LISTS | {"blockquote"}
_TEXT_ONLY = ("b", "strong", "i", "br", "sup")
_MEDIA = frozenset({"object", "embed"})

_MANY_CANDIDATES = 15
_LAST_QUARTER = 0.25
_MIN_PARAGRAPH = 25  # characters
_MIN_SHARE_OF_SIBLING = 0.30  # of the stop words of a mean paragraph
_NO_BASELINE = 100_000
_MIN_SHARE_OF_TOP = 0.08  # of its score


@extractor("unfluff", version=1, allowed={"language": ("auto", *languages(SYSTEM))})
def unfluff(document: Document, *, language: str = "auto") -> list[Span]:
    """The element whose paragraphs have the most stop words, cleaned, and the paragraphs before it.

    `language` is an ISO code of a stop list; `auto` is the one that the page declares, or English.
    """
    if language == "auto":
        language = declared(document)
    reading = ShrinkingPage(cleaned(document), stop_words(SYSTEM, language))
    top = reading.top()
    return [] if top is None else spans_of(document, sorted(article_nodes(reading, top)))


@cached_on_document
def declared(document: Document) -> str:
    """The language of the html element or of a meta element, English where there is no list of it."""
    tree = document.structure
    codes = [tree.attributes[0].get("lang", "")]
    for tag, attributes in zip(tree.tags, tree.attributes, strict=True):
        if tag == "meta" and "content-language" in (
            attributes.get("http-equiv", "").lower(),
            attributes.get("name"),
        ):
            codes.append(attributes.get("content", ""))
    return next((found for code in codes if code and (found := language_of(code[:2], SYSTEM))), "en")


class Cleaned:
    """A cleaned page, and what is the same of it in every language."""

    def __init__(self, page: CleanedPage) -> None:
        self.page = page
        self.candidates = page.tagged("p", "pre", "td")
        self.before = _paragraphs_before(page)
        self._words: dict[int, list[str]] = {}
        self._is_link_dense: dict[int, bool] = {}

    def words(self, page: CleanedPage, element: int) -> list[str]:
        """The words of an element in lower case, without punctuation; only a blank ends one.

        `page` is the cleaned one, or what is left of it.
        """
        if element in page.thinned:
            return _words(page.text(element))
        if element not in self._words:
            self._words[element] = _words(page.text(element))
        return self._words[element]

    def is_link_dense(self, page: CleanedPage, element: int) -> bool:
        """Whether links have more of the words than one over their number."""
        if element in page.thinned:
            return _is_link_dense(page, element)
        if element not in self._is_link_dense:
            self._is_link_dense[element] = _is_link_dense(page, element)
        return self._is_link_dense[element]


@cached_on_document
def cleaned(document: Document) -> Cleaned:
    """The cleaned page of a document."""
    return Cleaned(clean(document))


def _words(text: str) -> list[str]:
    for mark in _PUNCTUATION:  # much faster than `translate` where a text is not ASCII
        if mark in text:
            text = text.replace(mark, "")
    return text.lower().split(" ")


def _is_link_dense(page: CleanedPage, element: int) -> bool:
    links = page.links(element)
    if not links:
        return False
    linked = " ".join(map(page.text, links)).count(" ") + 1
    return linked / (page.text(element).count(" ") + 1) * len(links) >= 1


def _paragraphs_before(page: CleanedPage) -> dict[int, list[int]]:
    """For each paragraph the three before it under the same parent, nearest first."""
    siblings: defaultdict[int, list[int]] = defaultdict(list)
    before: dict[int, list[int]] = {}
    for element in page.tagged("p"):
        earlier = siblings[page.parents[element]]
        before[element] = earlier[:-4:-1]
        earlier.append(element)
    return before


class ShrinkingPage:
    """A cleaned page, which loses more and more, with its stop words counted."""

    def __init__(self, cleaned_page: Cleaned, stops: frozenset[str]) -> None:
        self.cleaned = cleaned_page
        self.page = cleaned_page.page.copy()
        self.stops = stops
        self._counts: dict[int, int] = {}

    def stops_in(self, element: int) -> int:
        """The stop words in an element as it is left."""
        count = None if element in self.page.thinned else self._counts.get(element)
        if count is None:
            count = sum(map(self.stops.__contains__, self.cleaned.words(self.page, element)))
            self._counts[element] = count
        return count

    def is_link_dense(self, element: int) -> bool:
        """Whether links have more of the words than one over their number."""
        return self.cleaned.is_link_dense(self.page, element)

    def is_wordy(self, element: int) -> bool:
        """Whether a paragraph counts: more than two stop words and not mostly links."""
        return self.stops_in(element) > 2 and not self.is_link_dense(element)

    @cached_property
    def scores(self) -> dict[int, float]:
        """What each candidate gives to its parent, and half of that to the parent's parent, added up.

        Scores are in the order in which elements got their first points; halves are cut when more is added.
        """
        scores: dict[int, float] = {}
        candidates = [element for element in self.cleaned.candidates if self.is_wordy(element)]
        boosted = 0
        for index, element in enumerate(candidates):
            boost = 0.0
            if any(self.stops_in(earlier) > 5 for earlier in self.cleaned.before.get(element, ())):
                boosted += 1
                boost = 50 / boosted
            points = math.floor(self.stops_in(element) + _late_boost(index, len(candidates), boost))
            parent = self.page.parents[element]
            _add(scores, parent, points)
            _add(scores, self.page.parents[parent], points / 2)
        return scores

    def top(self) -> int | None:
        """The element with the highest score, the first of equals; the first of all if none is positive."""
        best = max(self.scores, key=self.scores.__getitem__, default=None)
        return best if best is None or self.scores[best] > 0 else next(iter(self.scores))


def _add(scores: dict[int, float], element: int, points: float) -> None:
    if element >= 0:
        scores[element] = int(scores.get(element, 0)) + points


def _late_boost(index: int, candidates: int, boost: float) -> float:
    """In the last quarter of many candidates points are taken away instead, up to a limit."""
    left = candidates - index
    quarter = _LAST_QUARTER * candidates
    if candidates <= _MANY_CANDIDATES or left > quarter:
        return boost
    penalty = (quarter - left) ** 2
    return 5.0 if penalty > 40 else -penalty


def article_nodes(reading: ShrinkingPage, top: int) -> set[int]:
    """The text nodes of the article: what is left of the top element, and paragraphs from before it."""
    page = reading.page
    before = paragraphs_before(reading, top)
    drop_children(reading, top)
    for root in (*before, top):
        tidy(reading, root, is_top=root == top)
    return {
        node
        for root in (*before, top)
        if not page.status[root]
        for node in page.nodes(root)
        if page.texts[node]
    }


def paragraphs_before(reading: ShrinkingPage, top: int) -> list[int]:
    """Paragraphs from the siblings before the top element: whole ones, and wordy ones in others."""
    page = reading.page
    wordy = [
        element for element in page.below(top) if page.tags[element] == "p" and reading.is_wordy(element)
    ]
    baseline = sum(map(reading.stops_in, wordy)) / len(wordy) if wordy else _NO_BASELINE
    found: list[int] = []
    for sibling in page.children(page.parents[top]) if page.parents[top] >= 0 else []:
        if sibling == top:
            break
        if page.tags[sibling] == "p":
            found += [sibling] if page.text(sibling) else []
            continue
        for element in [inner for inner in page.below(sibling) if page.tags[inner] == "p"]:
            enough = reading.stops_in(element) > _MIN_SHARE_OF_SIBLING * baseline
            if enough and not reading.is_link_dense(element):
                found.append(element)
    return found


def drop_children(reading: ShrinkingPage, top: int) -> None:
    """Drop the children of the top element that are mostly links, have no paragraph, or few points."""
    page = reading.page
    enough = _MIN_SHARE_OF_TOP * reading.scores[top]
    for child in page.children(top):
        tag = page.tags[child]
        if tag in ("p", "a"):
            continue
        few_points = reading.scores.get(child, 0) < enough and tag not in _QUOTES_AND_LISTS
        if reading.is_link_dense(child) or _has_no_paragraph(page, child) or few_points:
            page.drop(child)


def _has_no_paragraph(page: CleanedPage, element: int) -> bool:
    """Drop the short paragraphs of an element; whether it must have others and has none."""
    paragraphs = [inner for inner in page.below(element) if page.tags[inner] == "p"]
    short = [inner for inner in paragraphs if len(page.text(inner)) < _MIN_PARAGRAPH]
    for inner in short:
        page.drop(inner)
    return len(short) == len(paragraphs) and page.tags[element] not in _LISTS


def tidy(reading: ShrinkingPage, root: int, *, is_top: bool) -> None:
    """Drop what has no points, few stop words or stands in brackets, from the outside in.

    Links and bold or italic text are text by then. The top element itself stays.
    """
    page = reading.page
    for element in page.below(root):
        if not page.status[element] and reading.scores.get(element, 1) < 1:
            page.drop(element)
    for element in page.below(root):
        if page.tags[element] == "a":
            page.unwrap(element)
        elif page.tags[element] in _TEXT_ONLY and not page.status[element]:
            page.flatten(element)
    for element in page.below(root) if is_top else [root, *page.below(root)]:
        if not page.status[element] and _is_noise(reading, element):
            page.drop(element)


def _is_noise(reading: ShrinkingPage, element: int) -> bool:
    page = reading.page
    if reading.stops_in(element) < 3:
        return not any(page.tags[inner] in _MEDIA for inner in page.below(element))
    text = page.text(element).strip()
    return text.startswith("(") and text.endswith(")")
