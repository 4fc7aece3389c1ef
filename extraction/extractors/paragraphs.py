"""jusText's segmentation: text nodes between block-level tags become paragraphs.

After the library's walk over the tree: any tag of its list ends a paragraph at its start and at its end, a
second `br` in a row does, and blank text nodes are as if they were not there, so that
`<b>New</b> <i>York</i>` is one word. What a removed element leaves on both sides of it stays two text nodes.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.features.tree_arrays import Flags, Ints, TreeArrays, tree_arrays

_PARAGRAPH_TAGS = """
    body blockquote caption center col colgroup dd div dl dt fieldset form legend optgroup option p pre table
    td textarea tfoot th thead tr ul li h1 h2 h3 h4 h5 h6
"""
PARAGRAPH_TAGS = frozenset(_PARAGRAPH_TAGS.split())
REMOVED = frozenset(["script", "style", "head", "applet", "button", "input", "select", "textarea"])
#: These are taken away, and their content stays in place: to the rest it is as if they were not there.
UNWRAPPED = frozenset(["form", "iframe", "embed", "layer", "object", "param"])
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])


@dataclass
class Paragraph:
    """A run of text nodes; `text` has its whitespace collapsed, `link_characters` count what is in links
    with one blank for each run of whitespace, at its ends too."""

    nodes: list[int]
    text: str
    link_characters: int
    is_heading: bool

    def __post_init__(self) -> None:
        self.length = len(self.text)
        self.is_copyright = "\xa9" in self.text or "&copy" in self.text
        #: The share of characters in links; more than 1 where links are padded with blanks.
        self.link_density = self.link_characters / self.length

    @cached_property
    def words(self) -> list[str]:
        """The words in lower case, punctuation included."""
        return self.text.lower().split()


@cached_on_document
def paragraphs(document: Document) -> list[Paragraph]:
    """The paragraphs of a document in their order; none of them is without words."""
    tree, texts = tree_arrays(document), document.structure.node_texts
    kept = ~tree.within(tree.having(REMOVED))
    solid = (tree.words > 0) & kept[tree.node_parents]
    edges, blanks = _edges(tree, kept, solid)
    nodes = np.flatnonzero(solid)
    numbers, blanks = np.cumsum(edges)[nodes], np.cumsum(blanks)[nodes]
    spaced = (np.diff(blanks, prepend=0) > 0).tolist()
    linked = np.where(_linked(tree, kept), tree.lengths + tree.leads + tree.trails, 0)[nodes].tolist()
    headings = tree.within(tree.having(HEADINGS))[tree.node_parents[nodes]].tolist()
    bounds = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), nodes.size] if nodes.size else []
    found = nodes.tolist()
    pieces = [f" {texts[node]}" if blank else texts[node] for node, blank in zip(found, spaced, strict=True)]
    return [
        Paragraph(
            found[first:end],
            " ".join("".join(pieces[first:end]).split()),
            sum(linked[first:end]),
            headings[first],
        )
        for first, end in pairwise(bounds)
    ]


def _edges(tree: TreeArrays, kept: Flags, solid: Flags) -> tuple[Ints, Ints]:
    """How many edges of paragraphs, and how many blanks for a lone `br`, stand before each text node."""
    dividing = tree.having(PARAGRAPH_TAGS - UNWRAPPED) & kept
    breaks = np.flatnonzero(tree.having(frozenset({"br"})) & kept)
    repeated = _repeated(tree, breaks, dividing | ~kept, solid)
    edges = tree.starts_before(dividing) + tree.ends_before(dividing)
    size = edges.size
    indices = tree.first_nodes[breaks]
    return edges + np.bincount(indices[repeated], minlength=size), np.bincount(
        indices[~repeated], minlength=size
    )


def _repeated(tree: TreeArrays, breaks: Ints, passing: Flags, solid: Flags) -> Flags:
    """Which of the `br` follow another without text or another inline element between."""
    forgetting = ~(passing | tree.having(UNWRAPPED | {"br"}))
    tags = np.cumsum(forgetting)[breaks]
    texts = np.concatenate(([0], np.cumsum(solid)))[tree.first_nodes[breaks]]
    return np.asarray((np.diff(tags, prepend=-1) == 0) & (np.diff(texts, prepend=-1) == 0))


def _linked(tree: TreeArrays, kept: Flags) -> Flags:
    """Which text nodes stand in a link: the end of any link ends all of them."""
    linked = np.zeros(tree.words.size, dtype=np.bool_)
    outer = 0
    for element in np.flatnonzero(tree.having(frozenset({"a"})) & kept).tolist():
        first, end = tree.first_nodes[element], tree.end_nodes[element]
        linked[end:outer] = False
        linked[first:end] = True
        outer = max(outer, end)
    return linked
