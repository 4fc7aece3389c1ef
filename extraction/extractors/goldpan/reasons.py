"""Why a block got its label: for the annotator's tooltip, and for finding out what goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from extraction.extractors.goldpan.facts import PARTS, Page
from extraction.extractors.goldpan.labels import Labelled
from extraction.extractors.goldpan.layout import BY_HIDING, MIN_RECORDS, TAG_BITS
from extraction.extractors.goldpan.measures import Numbers
from extraction.extractors.goldpan.names import BITS
from extraction.extractors.spec import Finding, Reason
from extraction.learned.trees import Trees

#: How many findings are told of a block.
TOLD = 3


class Said(Finding):
    """A finding that has a sentence."""

    __slots__ = ()

    def __str__(self) -> str:
        return SENTENCES[self.code].format(**self.values)


#: The findings in English. Whoever shows them in another language translates these.
SENTENCES = {
    "headline": "stands as the headline",
    "caption": "stands as a caption",
    "before-body": "stands between headline and body",
    "comments": "stands among the comments",
    "related": "leads to other pages",
    "words": "{words} words, {linked} % of it in links",
    "short": "only {words} words",
    "near-prose": "running text stands beside it",
    "far-from-prose": "no running text stands beside it",
    "called": "is called {names}",
    "in-tag": "stands in {names}",
    "hidden": "is hidden",
    "plain": "nothing in its names speaks against it",
    "records": "one of {alike} alike entries",
    "alone": "is not one of many alike entries",
    "in-core": "stands where most of the running text is",
    "near-core": "stands {steps} steps from where most of the running text is",
    "before-core": "comes before the article",
    "after-core": "comes after the article",
    "container-prose": "its container is mostly running text",
    "container-links": "its container is {linked} % links",
    "container-mixed": "its container holds little running text",
    "kind-prose": "blocks made alike are mostly running text",
    "kind-links": "blocks made alike are {linked} % links",
    "kind-mixed": "blocks made alike hold little running text",
}

_RULES = {
    "core": "in-core",
    "headline": "headline",
    "caption": "caption",
    "before body": "before-body",
    "comments": "comments",
    "related": "related",
}
FOR, AGAINST = 1, -1
_SIDES = {
    **dict.fromkeys(("near-prose", "plain", "alone", "in-core", "container-prose", "kind-prose"), FOR),
    **dict.fromkeys(("far-from-prose", "hidden", "records", "before-core", "after-core"), AGAINST),
    **dict.fromkeys(("container-links", "kind-links"), AGAINST),
}
_MOSTLY = 0.5
_SHORT = 8  # words


def reasons(page: Page, labelled: Labelled, probability: Numbers, trees: Trees) -> list[Reason]:
    """One reason for each block, with the findings that counted most for what was decided."""
    weights = _by_theme(trees.contributions(page.facts))
    found = []
    for block, (start, end) in enumerate(page.blocks):
        label, rule = labelled.labels[block], labelled.rules[block]
        side = FOR if label else AGAINST
        findings = (Said(_RULES[rule], {}),) if rule else _findings(page, block, weights[:, block], side)
        found.append(Reason(start, end, label, round(float(probability[block]), 3), findings))
    return found


def _findings(page: Page, block: int, weights: Numbers, side: int) -> tuple[Finding, ...]:
    """What moved the probability most to one side, unless it reads as if it spoke for the other."""
    order = np.argsort(-side * weights, kind="stable").tolist()
    moving = [_THEMES[theme](page, block) for theme in order if side * weights[theme] > 0]
    fitting = [finding for finding in moving if _SIDES.get(finding.code, side) == side]
    return tuple((fitting or moving)[:TOLD])


def _by_theme(contributions: Numbers) -> Numbers:
    """Contributions of facts added up by the part that they belong to, the page as a whole left out."""
    edges = np.cumsum([0, *Page.part_sizes()]).tolist()
    parts = [contributions[start:end].sum(axis=0) for start, end in pairwise(edges)]
    return np.stack(parts[: len(_THEMES)])


def _text(page: Page, block: int) -> Finding:
    words = int(page.measures.words[block])
    linked = round(100 * float(page.layout.linked[block] / page.measures.characters[block]))
    if words < _SHORT and linked < 100 * _MOSTLY:
        return Said("short", {"words": words})
    return Said("words", {"words": words, "linked": linked})


def _neighbours(page: Page, block: int) -> Finding:
    beside = page.layout.prose[max(0, block - 1) : block + 2].sum() - page.layout.prose[block]
    return Said("near-prose" if beside > 0 else "far-from-prose", {})


def _names(page: Page, block: int) -> Finding:
    place = int(page.layout.element[block])
    if page.layout.foreign[place] & BY_HIDING:
        return Said("hidden", {})
    called = [kind for kind, bit in BITS.items() if page.ways.kinds[place] & bit]
    if called:
        return Said("called", {"names": ", ".join(called)})
    tags = [tag for tag, bit in TAG_BITS.items() if page.ways.speaking[place] & bit and tag != "p"]
    return Said("in-tag", {"names": ", ".join(tags)}) if tags else Said("plain", {})


def _repetition(page: Page, block: int) -> Finding:
    records = int(page.records[block])
    return Said("records", {"alike": records}) if records >= MIN_RECORDS else Said("alone", {})


def _place(page: Page, block: int) -> Finding:
    core = page.core.element
    place = int(page.layout.element[block])
    if page.core.parent[block] == core:
        return Said("in-core", {})
    if block < page.layout.first[core]:
        return Said("before-core", {})
    if block >= page.layout.end[core]:
        return Said("after-core", {})
    return Said("near-core", {"steps": int(page.ways.fall[place] + page.ways.rise[place])})


def _container(page: Page, block: int) -> Finding:
    parent = int(page.core.parent[block])
    inside = slice(int(page.layout.first[parent]), int(page.layout.end[parent]))
    return _density("container", page, np.arange(page.size)[inside])


def _kind(page: Page, block: int) -> Finding:
    return _density("kind", page, np.flatnonzero(page.core.by_shape.of == page.core.by_shape.of[block]))


def _density(what: str, page: Page, blocks: np.ndarray[Any, np.dtype[Any]]) -> Finding:
    characters = max(1.0, float(page.measures.characters[blocks].sum()))
    linked = float(page.layout.linked[blocks].sum()) / characters
    if linked >= _MOSTLY:
        return Said(f"{what}-links", {"linked": round(100 * linked)})
    prose = float(page.layout.prose[blocks].sum()) / characters
    return Said(f"{what}-prose" if prose >= _MOSTLY else f"{what}-mixed", {})


# In the order of the parts of the facts; the last part is about the whole page, and tells nothing of a block.
_THEMES: tuple[Callable[[Page, int], Finding], ...] = (
    _text,
    _neighbours,
    _names,
    _repetition,
    _place,
    _container,
    _kind,
)
assert len(_THEMES) == len(PARTS) - 1
