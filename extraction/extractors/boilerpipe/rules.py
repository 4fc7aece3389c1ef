"""Boilerpipe's rules: which blocks are content, by the numbers of a block and of its neighbours.

Thresholds are those of the Java sources; both trees were learnt by their authors on L3S-GN1. Before the first
block and after the last one stand blocks of nothing.
"""

from collections.abc import Sequence
from operator import truediv

from extraction.extractors.boilerpipe.blocks import Blocks

# Both trees share these splits on link density.
MAX_LINK_DENSITY = 0.333333
MAX_LINK_DENSITY_BEFORE = 0.555556


def by_word_count(page: Blocks) -> None:
    """The decision tree over numbers of words: of the block before, the block, and the one after."""
    words = [0, *page.sums("words"), 0]
    links = [0.0, *link_densities(page)]
    page.content = [
        link <= MAX_LINK_DENSITY
        and (
            now > 16 or after > 15 or before > 4
            if link_before <= MAX_LINK_DENSITY_BEFORE
            else now > 40 or after > 17
        )
        for link_before, link, before, now, after in zip(
            links, links[1:], words, words[1:], words[2:], strict=False
        )
    ]


def by_text_density(page: Blocks) -> None:
    """The decision tree over text densities, in words a line."""
    density = [0.0, *text_densities(page), 0.0]
    links = [0.0, *link_densities(page)]
    page.content = [
        link <= MAX_LINK_DENSITY
        and (
            (after != 0 if now > 9 else after > 10 or before > 4)
            if link_before <= MAX_LINK_DENSITY_BEFORE
            else after > 11
        )
        for link_before, link, before, now, after in zip(
            links, links[1:], density, density[1:], density[2:], strict=False
        )
    ]


def by_canola(page: Blocks) -> None:
    """The rule learnt from the KrdWrd Canola corpus."""
    words = [0, *page.sums("words"), 0]
    links = [0.0, *link_densities(page), 0.0]
    page.content = [
        now > 19
        or (link > 0 and after > 11)
        or (after > 6 and link_after == 0 and link_before == 0 and (now > 6 or before > 7 or after > 19))
        for link_before, link, link_after, before, now, after in zip(
            links, links[1:], links[2:], words, words[1:], words[2:], strict=False
        )
    ]


def everything(page: Blocks) -> None:
    """Every block is content."""
    page.content = [True] * len(page)


def link_densities(page: Blocks) -> Sequence[float]:
    """The share of linked words in the words of each block."""
    text_blocks = page.text_blocks
    if len(page) == len(text_blocks.words):
        return text_blocks.link_densities
    sums = zip(page.sums("linked_words"), page.sums("words"), strict=True)
    return [linked and linked / words for linked, words in sums]


def text_densities(page: Blocks) -> Sequence[float]:
    """The words a line of each block."""
    text_blocks = page.text_blocks
    if len(page) == len(text_blocks.words):
        return text_blocks.text_densities
    return list(map(truediv, page.sums("wrapped_words"), page.sums("lines")))
