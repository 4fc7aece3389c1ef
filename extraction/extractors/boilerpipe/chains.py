"""Boilerpipe: chains of small steps over text blocks, after 1.2.0 (2011) and the unreleased 2.0.

A step changes `Blocks` in place. Rules read the blocks as they are at that moment, so order counts.
"""

from typing import NamedTuple

from extraction.documents.document import Document
from extraction.extractors.boilerpipe.blocks import Blocks
from extraction.extractors.boilerpipe.rules import by_canola, by_text_density, by_word_count, everything
from extraction.extractors.boilerpipe.steps import (
    Step,
    chain,
    drop_all_but_title,
    drop_boilerplate,
    drop_trailing_headlines,
    expand_to_title,
    find_ends,
    find_ends_2,
    fuse_equal_densities,
    fuse_neighbours,
    ignore_after_end,
    keep_beside_largest,
    keep_clauses,
    keep_largest,
    match_title,
    match_title_2,
    split_paragraphs,
    take_back_large_blocks,
    take_back_list_at_end,
)
from extraction.extractors.boilerpipe.text_blocks import TextBlocks, spans_of_blocks, text_blocks_of
from extraction.extractors.registry import extractor
from extraction.extractors.spec import ExtractorError
from extraction.spans import Span

#: With no block marked as content yet, the second step changes nothing; the original has it too.
DEFAULT = chain(fuse_equal_densities, fuse_neighbours(), by_text_density)
ARTICLE = chain(
    find_ends,
    match_title,
    by_word_count,
    ignore_after_end,
    fuse_neighbours(),
    drop_boilerplate,
    fuse_neighbours(content_only=True),
    keep_largest,
    expand_to_title,
)
ARTICLE_2 = chain(
    find_ends_2,
    match_title_2,
    by_word_count,
    ignore_after_end,
    drop_trailing_headlines,
    fuse_neighbours(),
    drop_all_but_title,
    fuse_neighbours(content_only=True, same_level=True),
    keep_largest,
    keep_beside_largest,
    expand_to_title,
    take_back_large_blocks,
    take_back_list_at_end,
)
ARTICLE_SENTENCES = chain(ARTICLE, split_paragraphs, keep_clauses)
LARGEST = chain(by_word_count, fuse_neighbours(), keep_largest)


class _Entry(NamedTuple):
    """A chain as an extractor; `about` is what lists say of it."""

    steps: Step
    version: int
    about: str
    can_be_arm: bool = True


_ENTRIES = {
    "boilerpipe-default": _Entry(
        DEFAULT, 1, "Boilerpipe's DefaultExtractor: text densities of a block and its neighbours."
    ),
    "boilerpipe-article": _Entry(
        ARTICLE, 2, "Boilerpipe's ArticleExtractor as of 1.2.0: the largest region of text."
    ),
    "boilerpipe-article-2": _Entry(
        ARTICLE_2, 1, "Boilerpipe's ArticleExtractor as of 2.0: more than one region, by tag levels."
    ),
    "boilerpipe-article-sentences": _Entry(
        ARTICLE_SENTENCES,
        1,
        "Boilerpipe's ArticleSentencesExtractor: of the article, the paragraphs with a clause of five words.",
    ),
    "boilerpipe-largest": _Entry(
        LARGEST, 1, "Boilerpipe's LargestContentExtractor: the longest run of content."
    ),
    "boilerpipe-canola": _Entry(
        by_canola, 1, "Boilerpipe's CanolaExtractor: a rule learnt from the KrdWrd corpus."
    ),
    "boilerpipe-num-words": _Entry(
        by_word_count,
        1,
        "Boilerpipe's NumWordsRulesExtractor: numbers of words of a block and its neighbours.",
    ),
    "boilerpipe-everything": _Entry(
        everything, 1, "Boilerpipe's KeepEverythingExtractor: all text that it reads.", can_be_arm=False
    ),
}
CHAINS: dict[str, Step] = {name: entry.steps for name, entry in _ENTRIES.items()}


def content_blocks(text_blocks: TextBlocks, name: str) -> list[int]:
    """The text blocks that the named chain takes for content, in document order.

    Raises `ExtractorError` when no chain has that name.
    """
    if name not in CHAINS:
        raise ExtractorError(f"no Boilerpipe extractor is called {name!r}; known: {', '.join(CHAINS)}")
    page = Blocks.of(text_blocks)
    CHAINS[name](page)
    return page.selected()


def text_of_chain(document: Document, name: str) -> str:
    """What the original prints: the text of each content block on a line, with blanks around links."""
    text_blocks = text_blocks_of(document)
    return "\n".join(text_blocks.texts[block] for block in content_blocks(text_blocks, name))


def _register(name: str, entry: _Entry) -> None:
    """Make an extractor of a chain, with the text that the original would print."""

    def spans(document: Document) -> list[Span]:
        text_blocks = text_blocks_of(document)
        return spans_of_blocks(text_blocks, content_blocks(text_blocks, name))

    def prints(document: Document) -> str:
        return text_of_chain(document, name)

    spans.__doc__ = entry.about
    register = extractor(
        name, version=entry.version, family="boilerpipe", can_be_arm=entry.can_be_arm, prints=prints
    )
    register(spans)


for _name, _entry in _ENTRIES.items():
    _register(_name, _entry)
