"""CETD, composite text density (Sun, Song and Liao, SIGIR 2011): whole subtrees are kept or removed.

Written from the formulas. The original asks a rendering engine for visible text; here text is what the tree
holds, without what a browser's own style sheet or an inline style hides, and an element's own text is that of
its text nodes, without the line breaks that rendering puts between its children. On a page without any text
in links, where the original divides by zero, the whole body is kept.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.extractors.nodes import spans_of
from extraction.extractors.registry import extractor
from extraction.extractors.visible import VisibleBody, visible_body
from extraction.features.tree_arrays import Flags
from extraction.spans import Span

Floats = NDArray[np.float64]

TOLERANCE = 2.2e-16  # of a density below the threshold, as in the original


class SubtreeCounts(NamedTuple):
    """For each element its characters and elements, and those of them that are in links."""

    characters: NDArray[Any]
    tags: NDArray[Any]
    link_characters: NDArray[Any]
    link_tags: NDArray[Any]


class Densities(NamedTuple):
    """For each element its text density, and the sum whose maximum is the main text."""

    density: Floats
    total: Floats


@extractor("cetd", version=1, allowed={"variant": ("composite", "simple")})
def cetd(document: Document, *, variant: str = "composite") -> list[Span]:
    """The subtrees that are as dense as the surroundings of the densest one.

    `variant="simple"` leaves the characters of links out, instead of weighing them against the rest.
    """
    body = visible_body(document)
    if body is None or not body.lengths.any():
        return []
    densities = VARIANTS[variant](body, _counts(document))
    kept = kept_elements(body, densities)[body.node_parents] & (body.lengths > 0)
    return spans_of(document, (np.flatnonzero(kept) + body.first_node).tolist())


@cached_on_document
def _counts(document: Document) -> SubtreeCounts:
    body = visible_body(document)
    assert body is not None, "a page without a body is done with before"
    return count(body)


def count(body: VisibleBody) -> SubtreeCounts:
    """The counters of the composite density; all that is inside a link counts as link."""
    characters, tags = body.characters(), body.of_descendants(body.shown)
    outermost = body.links & ~body.in_link[body.parents]  # the body, its own parent here, is no link
    linked = body.of_descendants(np.where(outermost, characters, 0))
    link_characters = np.where(body.in_link, characters, linked)
    link_tags = _link_tags(body, tags, characters == link_characters)
    return SubtreeCounts(characters, tags, link_characters, link_tags)


def _link_tags(body: VisibleBody, tags: NDArray[Any], only_links: Flags) -> NDArray[Any]:
    """A link counts its descendants; others count what their children do, and each child that is a link
    or consists of nothing but links."""
    counted: list[int] = np.where(body.links, tags, 0).tolist()
    parents, is_link, all_tags, only = (
        body.parents.tolist(),
        body.links.tolist(),
        tags.tolist(),
        only_links.tolist(),
    )
    holding = np.flatnonzero(body.links | (body.of_descendants(body.links) > 0))
    for element in holding[:0:-1].tolist():
        parent, own = parents[element], counted[element]
        if not is_link[parent]:
            counts = is_link[element] or (only[element] and 0 < own == all_tags[element])
            counted[parent] += own + counts
    return np.array(counted)


def composite(body: VisibleBody, counts: SubtreeCounts) -> Densities:
    """The densities in which the links of an element weigh against the rest of its text."""
    share = counts.link_characters[0] / counts.characters[0]
    if not share:
        return _whole(body)
    density = composite_density(counts, share)
    length = np.maximum(body.lengths, 1)  # a blank text node adds as little as one of one character: nothing
    own = length * np.log(length) / np.log(np.log(share * length + np.e))
    with_children = body.of_children(density) + body.of_own_nodes(own)
    return Densities(density, np.where(counts.tags > 0, with_children, density))


def composite_density(counts: SubtreeCounts, share: float) -> Floats:
    """The formula of the paper; `share` is that of the body's characters that are in links, not 0."""
    size = counts.characters
    tags, link_size, link_tags = (np.maximum(part, 1) for part in counts[1:])
    other = np.maximum(size - counts.link_characters, 1)
    # A text of no characters has no density; 1 keeps the logarithms finite.
    ratio = np.maximum(size, 1) * tags / (link_size * link_tags)
    base = np.log(size * link_size / other + share * size + np.e)
    return np.where(size > 0, size / tags * np.log(ratio) / np.log(np.where(size > 0, base, 2)), 0.0)


def _whole(body: VisibleBody) -> Densities:
    """Densities whose main text is the body itself."""
    total = np.zeros(body.ends.size)
    total[0] = 1
    return Densities(np.zeros(body.ends.size), total)


def simple(body: VisibleBody, counts: SubtreeCounts) -> Densities:
    """Characters outside links over tags."""
    own = np.where(body.in_link[body.node_parents], 0, body.lengths)
    density = body.below(own) / np.maximum(counts.tags, 1)
    return Densities(density, body.of_children(density) + body.of_own_nodes(own))


VARIANTS: dict[str, Callable[[VisibleBody, SubtreeCounts], Densities]] = {
    "composite": composite,
    "simple": simple,
}


def kept_elements(body: VisibleBody, densities: Densities) -> Flags:
    """Which elements keep their text: the densest subtrees whole, and their ancestors' own text."""
    parents, ends, total = body.parents.tolist(), body.ends.tolist(), densities.total
    whole, above = bytearray(len(ends)), bytearray(len(ends))

    def keep_densest_below(element: int) -> list[int]:
        """Keep the first of the largest sums; its ancestors and itself."""
        target = element + int(total[element : ends[element]].argmax())
        whole[target : ends[target]] = b"\1" * (ends[target] - target)
        line = [target]
        while line[-1] and not above[parents[line[-1]]]:
            line.append(parents[line[-1]])
            above[line[-1]] = True
        return line

    threshold = densities.density[keep_densest_below(0)].min()
    dense = (densities.density >= threshold - TOLERANCE).tolist()
    waiting = [0]
    while waiting:
        element = waiting.pop()
        if whole[element] or not dense[element]:
            continue
        if not whole[element + int(total[element : ends[element]].argmax())]:
            keep_densest_below(element)
        child = element + 1
        while child < ends[element]:
            waiting.append(child)
            child = ends[child]
    return np.frombuffer(whole, np.bool_) | np.frombuffer(above, np.bool_)
