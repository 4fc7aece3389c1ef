"""Why a block got its label: for the annotator's tooltip, and to find out what goes wrong."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from extraction.extractors.goldpan.features import COMMENT, PageFeatures
from extraction.extractors.goldpan.labels import Labelled
from extraction.extractors.goldpan.layout import BY_HIDING, MIN_RECORDS, TAG_BITS
from extraction.extractors.goldpan.measures import Numbers
from extraction.extractors.goldpan.names import BITS
from extraction.extractors.learned.trees import Trees
from extraction.extractors.spec import BlockReason, Evidence

#: At most so much evidence is given for a block.
MAX_EVIDENCE = 3


class SentenceEvidence(Evidence):
    """Evidence that has a sentence."""

    __slots__ = ()

    def __str__(self) -> str:
        return SENTENCES[self.code].format(**self.values)


#: The evidence in English; other languages translate these.
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
    "near-headline": "stands {steps} blocks from the headline",
    "no-headline": "no headline was found",
    "among-signs": "stands among dates, signatures and buttons of comments",
    "no-signs": "no dates, signatures or buttons of comments stand around it",
    "like-comments": "reads like readers’ comments",
    "unlike-comments": "does not read like readers’ comments",
    "container-prose": "its container is mostly running text",
    "container-links": "its container is {linked} % links",
    "container-mixed": "its container holds little running text",
    "kind-prose": "blocks made alike are mostly running text",
    "kind-links": "blocks made alike are {linked} % links",
    "kind-mixed": "blocks made alike hold little running text",
}

FOR, AGAINST = 1, -1
_SIDES = {
    **dict.fromkeys(("near-prose", "plain", "alone", "in-core", "container-prose", "kind-prose"), FOR),
    **dict.fromkeys(("far-from-prose", "hidden", "records", "before-core", "after-core"), AGAINST),
    **dict.fromkeys(("container-links", "kind-links", "among-signs", "like-comments"), AGAINST),
    **dict.fromkeys(("no-signs", "unlike-comments"), FOR),
}
_MOSTLY = 0.5
_SHORT = 8  # words
_AROUND = 8  # blocks


def reasons(page: PageFeatures, labelled: Labelled, probability: Numbers, trees: Trees) -> list[BlockReason]:
    """One reason for each block, with the evidence that counted most for what was decided."""
    sides = np.array([FOR if each else AGAINST for each in labelled.labels])
    moved = sides * _by_theme(trees.contributions(page.body_features))
    # Of each block the themes that moved the probability to its side, the strongest first.
    order = np.argsort(-moved, axis=0, kind="stable").T.tolist()
    ends = np.count_nonzero(moved > 0, axis=0).tolist()
    found = []
    for block, (start, end) in enumerate(page.blocks):
        label, rule = labelled.labels[block], labelled.rules[block]
        evidence = (
            (SentenceEvidence(rule, {}),)
            if rule
            else _evidence(page, block, order[block][: ends[block]], FOR if label else AGAINST)
        )
        found.append(BlockReason(start, end, label, round(float(probability[block]), 3), evidence))
    return found


def _evidence(page: PageFeatures, block: int, themes: Iterable[int], side: int) -> tuple[Evidence, ...]:
    """What moved the probability most to one side, unless it reads as if it spoke for the other."""
    moving, fitting = [], []
    for theme in themes:
        item = _THEMES[theme](page, block)
        moving.append(item)
        if _SIDES.get(item.code, side) == side:
            fitting.append(item)
            if len(fitting) == MAX_EVIDENCE:
                break
    return tuple((fitting or moving)[:MAX_EVIDENCE])


def _by_theme(contributions: Numbers) -> Numbers:
    """Contributions of features added up by the part that they belong to, the page as a whole left out."""
    edges = np.cumsum([0, *PageFeatures.part_sizes()]).tolist()
    ends = zip(pairwise(edges), _PARTS, strict=True)
    return np.stack([contributions[start:end].sum(axis=0) for (start, end), theme in ends if theme])


def _text(page: PageFeatures, block: int) -> Evidence:
    words = int(page.measures.words[block])
    linked = round(100 * float(page.layout.linked[block] / page.measures.characters[block]))
    if words < _SHORT and linked < 100 * _MOSTLY:
        return SentenceEvidence("short", {"words": words})
    return SentenceEvidence("words", {"words": words, "linked": linked})


def _neighbours(page: PageFeatures, block: int) -> Evidence:
    beside = page.layout.prose[max(0, block - 1) : block + 2].sum() - page.layout.prose[block]
    return SentenceEvidence("near-prose" if beside > 0 else "far-from-prose", {})


def _names(page: PageFeatures, block: int) -> Evidence:
    index = int(page.layout.element[block])
    if page.layout.foreign[index] & BY_HIDING:
        return SentenceEvidence("hidden", {})
    called = [kind for kind, bit in BITS.items() if page.ways.kinds[index] & bit]
    if called:
        return SentenceEvidence("called", {"names": ", ".join(called)})
    tags = [tag for tag, bit in TAG_BITS.items() if page.ways.speaking[index] & bit and tag != "p"]
    return SentenceEvidence("in-tag", {"names": ", ".join(tags)}) if tags else SentenceEvidence("plain", {})


def _repetition(page: PageFeatures, block: int) -> Evidence:
    records = int(page.records[block])
    return (
        SentenceEvidence("records", {"alike": records})
        if records >= MIN_RECORDS
        else SentenceEvidence("alone", {})
    )


def _place(page: PageFeatures, block: int) -> Evidence:
    core = page.core.element
    index = int(page.layout.element[block])
    if page.core.parent[block] == core:
        return SentenceEvidence("in-core", {})
    if block < page.layout.first[core]:
        return SentenceEvidence("before-core", {})
    if block >= page.layout.end[core]:
        return SentenceEvidence("after-core", {})
    return SentenceEvidence("near-core", {"steps": int(page.ways.fall[index] + page.ways.rise[index])})


def _headline(page: PageFeatures, block: int) -> Evidence:
    if page.headline.block < 0:
        return SentenceEvidence("no-headline", {})
    return SentenceEvidence("near-headline", {"steps": abs(block - page.headline.block)})


def _signs(page: PageFeatures, block: int) -> Evidence:
    around = slice(max(0, block - _AROUND), block + _AROUND + 1)
    signs = page.signs.signatures[around].any() or page.signs.buttons[around].any()
    return SentenceEvidence("among-signs" if signs else "no-signs", {})


def _comments(page: PageFeatures, block: int) -> Evidence:
    return SentenceEvidence("like-comments" if page.comments[block] > COMMENT else "unlike-comments", {})


def _container(page: PageFeatures, block: int) -> Evidence:
    parent = int(page.core.parent[block])
    inside = slice(int(page.layout.first[parent]), int(page.layout.end[parent]))
    return _density("container", page, np.arange(page.size)[inside])


def _kind(page: PageFeatures, block: int) -> Evidence:
    return _density("kind", page, np.flatnonzero(page.core.by_shape.of == page.core.by_shape.of[block]))


def _density(what: str, page: PageFeatures, blocks: np.ndarray[Any, np.dtype[Any]]) -> Evidence:
    characters = max(1.0, float(page.measures.characters[blocks].sum()))
    linked = float(page.layout.linked[blocks].sum()) / characters
    if linked >= _MOSTLY:
        return SentenceEvidence(f"{what}-links", {"linked": round(100 * linked)})
    prose = float(page.layout.prose[blocks].sum()) / characters
    return SentenceEvidence(f"{what}-prose" if prose >= _MOSTLY else f"{what}-mixed", {})


# In the order of the parts of the features; None for the page as a whole, which says nothing of one block.
_PARTS: tuple[Callable[[PageFeatures, int], Evidence] | None, ...] = (
    _text,
    _neighbours,
    _names,
    _repetition,
    _place,
    _headline,
    _container,
    _kind,
    _signs,
    None,
    _comments,
)
_THEMES = [theme for theme in _PARTS if theme]
