"""Boilerpipe 1.2.0: chains of small filters over text blocks.

A step changes a `Segmentation` in place. Rules read the blocks as they are at that moment, so order counts.
Thresholds are those of the Java sources; both trees were learnt by their authors on L3S-GN1.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from extraction.document import Document
from extraction.extractors.blocks import EDGE, Segmentation, TextBlock, segment
from extraction.extractors.nodes import spans_of
from extraction.extractors.registry import ExtractorError, extractor
from extraction.spans import Span

Step = Callable[[Segmentation], None]
Rule = Callable[[TextBlock, TextBlock, TextBlock], bool]

END_OF_TEXT = "end of text"
TITLE = "title"
MIGHT_BE_CONTENT = "might be content"

# Both trees share these splits on link density.
MAX_LINK_DENSITY = 0.333333
MAX_LINK_DENSITY_BEFORE = 0.555556

FULL_TEXT_DENSITY = 9  # words a line; sparser blocks have no full-text words
MIN_WORDS_BEFORE_END = 60
END_BLOCK_MAX_WORDS = 14
END_BLOCK_MIN_LENGTH = 8  # characters


def chain(*steps: Step) -> Step:
    """One step that does these in order."""

    def run(page: Segmentation) -> None:
        for step in steps:
            step(page)

    return run


def classify(rule: Rule) -> Step:
    """Mark each block by a rule over the previous, the current and the next one."""

    def run(page: Segmentation) -> None:
        padded = [EDGE, *page.blocks, EDGE]
        for previous, current, following in zip(padded, padded[1:], padded[2:], strict=False):
            current.is_content = rule(previous, current, following)

    return run


def by_word_count(previous: TextBlock, current: TextBlock, following: TextBlock) -> bool:
    """The decision tree over numbers of words."""
    if current.link_density > MAX_LINK_DENSITY:
        return False
    if previous.link_density > MAX_LINK_DENSITY_BEFORE:
        return current.words > 40 or following.words > 17
    return current.words > 16 or following.words > 15 or previous.words > 4


def by_text_density(previous: TextBlock, current: TextBlock, following: TextBlock) -> bool:
    """The decision tree over text densities, in words a line."""
    if current.link_density > MAX_LINK_DENSITY:
        return False
    if previous.link_density > MAX_LINK_DENSITY_BEFORE:
        return following.text_density > 11
    if current.text_density > 9:
        return following.text_density != 0
    return following.text_density > 10 or previous.text_density > 4


def fuse_equal_densities(page: Segmentation) -> None:
    """Merge neighbours of exactly the same text density."""
    fused: list[TextBlock] = []
    for block in page.blocks:
        if fused and fused[-1].text_density == block.text_density:
            fused[-1].merge(block)
        else:
            fused.append(block)
    page.blocks = fused


def fuse_neighbours(*, distance: int, content_only: bool) -> Step:
    """Merge a content block into the one before it, when at most `distance` blocks are missing between.

    Unless `content_only`, the block before may be boilerplate, and the merge makes it content.
    """

    def run(page: Segmentation) -> None:
        fused: list[TextBlock] = []
        for block in page.blocks:
            last = fused[-1] if fused else None
            near = last is not None and block.start - last.end - 1 <= distance
            if last and near and block.is_content and (last.is_content or not content_only):
                last.merge(block)
            else:
                fused.append(block)
        page.blocks = fused

    return run


def drop_boilerplate(page: Segmentation) -> None:
    """Delete the blocks that are not content."""
    page.blocks = [block for block in page.blocks if block.is_content]


def keep_largest(page: Segmentation) -> None:
    """Keep only the content block with the most words, the first of equals; a lone block stays as it is."""
    if len(page.blocks) < 2:
        return
    content = [block for block in page.blocks if block.is_content]
    largest = max(content, key=lambda block: block.words, default=None)
    for block in page.blocks:
        block.is_content = block is largest
        if not block.is_content:
            block.labels.add(MIGHT_BE_CONTENT)


def expand_to_title(page: Segmentation) -> None:
    """Take back the candidates between the title and the first content block."""
    start = next((i for i, block in enumerate(page.blocks) if block.is_content), -1)
    titles = [i for i, block in enumerate(page.blocks[: start + 1]) if TITLE in block.labels]
    if titles:
        for block in page.blocks[titles[-1] : start]:
            block.is_content |= MIGHT_BE_CONTENT in block.labels


def ignore_after_end(page: Segmentation) -> None:
    """Drop all from the first end mark that has enough full text before it."""
    words, ended = 0, False
    for block in page.blocks:
        if block.is_content and block.text_density >= FULL_TEXT_DENSITY:
            words += block.words
        ended |= END_OF_TEXT in block.labels and words >= MIN_WORDS_BEFORE_END
        block.is_content &= not ended


def find_ends(page: Segmentation) -> None:
    """Label the short blocks that stand where a text ends: comment counts and calls to comment."""
    for block in page.blocks:
        text = block.text.strip().lower()
        short = block.words <= END_BLOCK_MAX_WORDS and len(text) >= END_BLOCK_MIN_LENGTH
        if short and _ends_text(text):
            block.labels.add(END_OF_TEXT)


_END_START = re.compile(
    r"comments|[0-9]+ (?:comments|users responded in)|© reuters|please rate this|post a comment"
)
_END_INSIDE = (
    "what you think...",
    "add your comment",
    "add comment",
    "reader views",
    "have your say",
    "reader comments",
    "rätta artikeln",
)
_END_WHOLE = "thanks for your comments - this feedback is now closed"


def _ends_text(text: str) -> bool:
    return bool(_END_START.match(text)) or text == _END_WHOLE or any(part in text for part in _END_INSIDE)


#: Separators of a title's parts, tried one set after the other.
_TITLE_SEPARATORS = ("|»:", "|»:()", "|»:()-", "|»,:()-")


def match_title(page: Segmentation) -> None:
    """Label every block whose text is the page's title or the longest part of it."""
    title = page.title.strip()
    candidates = {title, *(_longest_part(title, separators) for separators in _TITLE_SEPARATORS)} - {""}
    for block in page.blocks:
        if block.text.strip() in candidates:
            block.labels.add(TITLE)


def _longest_part(title: str, separators: str) -> str:
    """The longest part between separators that names no site; nothing when there is one part only."""
    parts = re.split(f" *[{re.escape(separators)}] *", title)
    while parts and not parts[-1]:  # as Java's split, which drops empty parts at the end only
        parts.pop()
    longest = max((part for part in parts if ".com" not in part), key=len, default="")
    return longest.strip() if len(parts) > 1 else ""


#: With no block marked as content yet, the second step changes nothing; the original has it too.
DEFAULT = chain(
    fuse_equal_densities,
    fuse_neighbours(distance=1, content_only=False),
    classify(by_text_density),
)
ARTICLE = chain(
    find_ends,
    match_title,
    classify(by_word_count),
    ignore_after_end,
    fuse_neighbours(distance=1, content_only=False),
    drop_boilerplate,
    fuse_neighbours(distance=1, content_only=True),
    keep_largest,
    expand_to_title,
)
CHAINS: dict[str, Step] = {"boilerpipe-default": DEFAULT, "boilerpipe-article": ARTICLE}


def content_nodes(document: Document, name: str) -> list[int]:
    """The text nodes that the named chain takes for content, in document order.

    Raises `ExtractorError` when no chain has that name.
    """
    if name not in CHAINS:
        raise ExtractorError(f"no Boilerpipe extractor is called {name!r}; known: {', '.join(CHAINS)}")
    page = segment(document)
    CHAINS[name](page)
    return sorted(node for block in page.blocks if block.is_content for node in block.nodes)


@extractor("boilerpipe-default", version=1, family="boilerpipe")
def boilerpipe_default(document: Document) -> list[Span]:
    """Boilerpipe's DefaultExtractor: text densities of a block and its neighbours."""
    return spans_of(document, content_nodes(document, "boilerpipe-default"))


@extractor("boilerpipe-article", version=1, family="boilerpipe")
def boilerpipe_article(document: Document) -> list[Span]:
    """Boilerpipe's ArticleExtractor as of 1.2.0: the largest region of text."""
    return spans_of(document, content_nodes(document, "boilerpipe-article"))
