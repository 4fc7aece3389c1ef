"""Boilerpipe's steps over blocks: labelling, merging, keeping and taking back."""

from collections.abc import Callable
from itertools import compress
from math import inf
from operator import and_, eq

from extraction.extractors.boilerpipe.blocks import Blocks
from extraction.extractors.boilerpipe.rules import text_densities

Step = Callable[[Blocks], None]

END_OF_TEXT = "end of text"
TITLE = "title"
MIGHT_BE_CONTENT = "might be content"
VERY_LIKELY_CONTENT = "very likely content"

FULL_TEXT_DENSITY = 9  # words a line; sparser blocks have no full-text words
MIN_WORDS_BEFORE_END = 60
MIN_WORDS_BESIDE_LARGEST = 150
MIN_WORDS_OF_LARGE_BLOCK = 100


def chain(*steps: Step) -> Step:
    """One step that does these in order."""

    def run(page: Blocks) -> None:
        for step in steps:
            step(page)

    return run


def find_ends(page: Blocks) -> None:
    """Label the blocks where a text ends."""
    page.label(END_OF_TEXT, page.text_blocks.article_ends)


def find_ends_2(page: Blocks) -> None:
    """The same by 2.0."""
    page.label(END_OF_TEXT, page.text_blocks.article_ends_2)


def match_title(page: Blocks) -> None:
    """Label every block that is the title."""
    page.label(TITLE, page.text_blocks.titles)


def match_title_2(page: Blocks) -> None:
    """Label the first block that is the title, by 2.0."""
    page.label(TITLE, page.text_blocks.titles_2)


def ignore_after_end(page: Blocks) -> None:
    """Drop all from the first end mark that has enough full text before it."""
    ends = page.having(END_OF_TEXT)
    if not ends:
        return
    sizes, densities = page.sums("words"), text_densities(page)
    words = 0
    for block, is_content in enumerate(page.content):
        if is_content and densities[block] >= FULL_TEXT_DENSITY:
            words += sizes[block]
        if words >= MIN_WORDS_BEFORE_END and block in ends:
            page.content[block:] = [False] * (len(page) - block)
            return


def drop_trailing_headlines(page: Blocks) -> None:
    """The last content blocks are none while they are headings."""
    for block in reversed(range(len(page))):
        if page.content[block]:
            if not page.holds(block, page.text_blocks.headings):
                return
            page.content[block] = False


def fuse_equal_densities(page: Blocks) -> None:
    """Merge neighbours of exactly the same text density."""
    densities = text_densities(page)
    page.merge([False, *map(eq, densities, densities[1:])][: len(page)])


def fuse_neighbours(*, content_only: bool = False, same_level: bool = False) -> Step:
    """Merge a content block into the one before it, when at most one block is missing between.

    Unless `content_only`, the block before may be boilerplate, and the merge makes it content. `same_level`:
    only where tag levels are equal.
    """

    def run(page: Blocks) -> None:
        content, cuts = page.content, page.cuts
        if True not in content:
            return
        follows = [False, *content[1:]][: len(page)]
        if content_only:
            follows = list(map(and_, follows, [False, *content]))
        if len(page) != len(page.text_blocks.words):  # else no block is missing between two
            for block in compress(range(len(page)), follows):
                missing = page.members[cuts[block]] - page.members[cuts[block] - 1] - 1
                follows[block] = missing <= 1
        if same_level:
            levels = page.levels()
            follows = [follow and levels[block] == levels[block - 1] for block, follow in enumerate(follows)]
        page.merge(follows)

    return run


def drop_boilerplate(page: Blocks) -> None:
    """Delete the blocks that are not content."""
    page.keep(page.content)


def drop_all_but_title(page: Blocks) -> None:
    """Delete the blocks that are neither content nor the title."""
    kept = page.content.copy()
    for block in page.having(TITLE):
        kept[block] = True
    page.keep(kept)


def keep_largest(page: Blocks) -> None:
    """Keep only the content block with the most words, the first of equals; a lone block stays as it is."""
    if len(page) < 2:
        return
    content = compress(range(len(page)), page.content)
    largest = max(content, key=page.sums("words").__getitem__, default=-1)
    page.content = [False] * len(page)
    if largest >= 0:
        page.content[largest] = True
    kept = page.selected()
    page.label(MIGHT_BE_CONTENT, set(page.members).difference(kept))
    page.label(VERY_LIKELY_CONTENT, kept)


def keep_beside_largest(page: Blocks) -> None:
    """Take back long blocks on the tag level of the largest one, as far as no lower level comes between."""
    largest = _first(page.content)
    if len(page) < 2 or largest < 0:
        return
    levels = page.levels()
    for side in (reversed(range(largest)), range(largest + 1, len(page))):
        for block in side:
            if levels[block] < levels[largest]:
                break
            if levels[block] == levels[largest] and page.words(block) >= MIN_WORDS_BESIDE_LARGEST:
                page.content[block] = True


def expand_to_title(page: Blocks) -> None:
    """Take back the candidates between the title and the first content block."""
    start = _first(page.content)
    title = max((block for block in page.having(TITLE) if block <= start), default=-1)
    if title >= 0:
        for block in range(title, start):
            page.content[block] |= page.has(block, MIGHT_BE_CONTENT)


def take_back_large_blocks(page: Blocks) -> None:
    """Take back blocks of many words on the tag level of the largest one."""
    levels = page.levels()
    likely = [
        b for b, is_content in enumerate(page.content) if is_content and page.has(b, VERY_LIKELY_CONTENT)
    ]
    for block in range(len(page)) if likely else ():
        if levels[block] == levels[likely[0]] and page.words(block) >= MIN_WORDS_OF_LARGE_BLOCK:
            page.content[block] = True


def take_back_list_at_end(page: Blocks) -> None:
    """Take back list items without links that follow the largest block on deeper levels."""
    levels, level = page.levels(), inf
    for block, is_content in enumerate(page.content):
        if is_content and page.has(block, VERY_LIKELY_CONTENT):
            level = levels[block]
        elif (
            levels[block] > level
            and page.has(block, MIGHT_BE_CONTENT)
            and page.holds(block, page.text_blocks.items)
            and not page.holds(block, page.text_blocks.linked_words)
        ):
            page.content[block] = True
        else:
            level = inf


def split_paragraphs(page: Blocks) -> None:
    """Make every text block a block of its own again."""
    page.split()


def keep_clauses(page: Blocks) -> None:
    """Content must have a clause of at least five words."""
    clauses = set(page.text_blocks.clauses)
    for block in compress(range(len(page)), page.content):
        page.content[block] = not clauses.isdisjoint(page.parts(block))


def _first(content: list[bool]) -> int:
    return content.index(True) if True in content else -1
