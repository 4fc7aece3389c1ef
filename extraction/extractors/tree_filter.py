"""The tree filter: of what Boilerpipe selected, keep the paragraphs that share one ancestor.

Paragraphs with the same n-th parent form a group; the group with the most text stays. Where the published
steps leave a choice: a text node belongs to its nearest paragraph element even if that holds others, tags
not listed are not paragraphs, generations count from the paragraph and stop at the root, nested ancestors
are separate groups, and nothing that Boilerpipe dropped comes back.
"""

from collections import defaultdict
from collections.abc import Iterable

from extraction.documents.document import Document
from extraction.documents.structure import Structure
from extraction.extractors.boilerpipe import (
    CHAINS,
    TextBlocks,
    content_blocks,
    spans_of_blocks,
    text_blocks_of,
)
from extraction.extractors.registry import extractor
from extraction.spans import Span

_PARAGRAPH_TAGS = "div table ul ol p section article h1 h2 h3 h4 h5 h6 header body"
PARAGRAPH_TAGS = frozenset(_PARAGRAPH_TAGS.split())


@extractor("tree-filter", version=2, family="boilerpipe", allowed={"depth": range(1, 21), "base": CHAINS})
def tree_filter(document: Document, *, depth: int = 2, base: str = "boilerpipe-article") -> list[Span]:
    """Boilerpipe's selection, cut down to the paragraphs that share the ancestor with the most text.

    `base` names the Boilerpipe extractor that selects, `depth` the generation of the ancestor.
    """
    text_blocks = text_blocks_of(document)
    selected = content_blocks(text_blocks, base)
    return spans_of_blocks(text_blocks, heaviest_group(document.structure, text_blocks, selected, depth))


def heaviest_group(tree: Structure, text_blocks: TextBlocks, blocks: Iterable[int], depth: int) -> list[int]:
    """The text blocks of the group with the most characters, blanks collapsed; the first one wins a tie.

    A paragraph ends text blocks, so that all text nodes of a block belong to the same one.
    """
    groups: defaultdict[int, list[int]] = defaultdict(list)
    nearest: dict[int, int] = {}
    for block in blocks:
        paragraph = _paragraph(tree, text_blocks.elements[block], nearest)
        if paragraph >= 0:
            groups[tree.ancestor(paragraph, depth)].append(block)
    characters = text_blocks.characters
    return max(groups.values(), key=lambda group: sum(map(characters.__getitem__, group)), default=[])


def _paragraph(tree: Structure, element: int, nearest: dict[int, int]) -> int:
    """The nearest paragraph around an element, or -1; `nearest` remembers the way, which can be long."""
    passed: list[int] = []
    while element >= 0 and element not in nearest and tree.tags[element] not in PARAGRAPH_TAGS:
        passed.append(element)
        element = tree.parents[element]
    found = nearest.get(element, element)
    nearest.update(dict.fromkeys(passed, found))
    return found
