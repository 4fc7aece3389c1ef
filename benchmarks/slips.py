"""A model of human slips: two annotators who mark the gold of a real page, each with mistakes of their own.

Pages are not alike: how hard one is is drawn once for both annotators (gamma, mean 1, shape `SHAPE`), and
multiplies every probability. Then each annotator, alone, block by block:

- misses a block of the gold (`MISSED`), or gives it another label (`SWAPPED`);
- marks a block next to the gold that is none (`EXTRA`), more rarely any other one (`STRAY`);
- moves an edge of a block by one to twelve words (`MOVED`);
- and once in a while misunderstands a page (`MISREAD`): all from some block of the gold on is missed, or all
  text after the gold, comments or another article, is marked as its body.

Published gold has no labels. Here its first block is the headline, blocks of less than `SHORT` characters are
supplemental, as captions and bylines are, and the rest is the body.
"""

import re
from collections.abc import Sequence

import numpy as np

from extraction.document import Document
from extraction.spans import Span, bridge, relevant

SHAPE = 0.7
MISSED = 0.02
SWAPPED = 0.02
EXTRA = 0.08
STRAY = 0.002
MOVED = 0.02
MISREAD = 0.015
WORDS = 12  # an edge moves by so many at most
NEAR = 2  # blocks away from the gold
SHORT = 60
LABELS = ("headline", "body", "supplemental")

Random = np.random.Generator
Blocks = Sequence[tuple[int, int]]


def annotators(document: Document, gold: Sequence[Span], random: Random) -> dict[str, list[Span]]:
    """What ada and ben mark on a page with this gold."""
    hardness = float(random.gamma(SHAPE, 1 / SHAPE))
    truth = labelled(gold, document.blocks)
    return {name: _marked(document, truth, hardness, random) for name in ("ada", "ben")}


def labelled(gold: Sequence[Span], blocks: Blocks) -> list[str]:
    """For each block its label, "" where less than half of it is gold."""
    intervals = relevant(gold, {span.label for span in gold})
    found = [""] * len(blocks)
    at = 0
    for number, (start, end) in enumerate(blocks):
        while at < len(intervals) and intervals[at][1] <= start:
            at += 1
        inside = sum(max(0, min(end, high) - max(start, low)) for low, high in intervals[at : at + 20])
        if 2 * inside > end - start:
            found[number] = (
                "headline" if not any(found) else "supplemental" if end - start < SHORT else "body"
            )
    return found


def _marked(document: Document, truth: Sequence[str], hardness: float, random: Random) -> list[Span]:
    labels = [_label(truth, place, hardness, random) for place in range(len(truth))]
    _misread(labels, truth, hardness, random)
    spans = [
        Span(*_edges(document.text, block, hardness, random), label)
        for block, label in zip(document.blocks, labels, strict=True)
        if label
    ]
    return bridge(spans, document.blocks, document.text)


def _label(truth: Sequence[str], place: int, hardness: float, random: Random) -> str:
    label, drawn = truth[place], float(random.random())
    if label:
        if drawn < MISSED * hardness:
            return ""
        others = [other for other in LABELS if other != label]
        return str(random.choice(others)) if drawn < (MISSED + SWAPPED) * hardness else label
    near = any(truth[max(0, place - NEAR) : place + NEAR + 1])
    return str(random.choice(LABELS)) if drawn < (EXTRA if near else STRAY) * hardness else ""


def _misread(labels: list[str], truth: Sequence[str], hardness: float, random: Random) -> None:
    places = [place for place, label in enumerate(truth) if label]
    if not places or random.random() >= MISREAD * hardness:
        return
    if random.random() < 0.5:
        start = places[int(random.integers(len(places)))]
        labels[start:] = [""] * (len(labels) - start)
    else:
        labels[places[-1] + 1 :] = ["body"] * (len(labels) - places[-1] - 1)


def _edges(text: str, block: tuple[int, int], hardness: float, random: Random) -> tuple[int, int]:
    start, end = block
    if random.random() >= MOVED * hardness:
        return start, end
    words = [match.start() for match in re.finditer(r"\S+", text[start:end])]
    by = int(random.integers(1, WORDS + 1))
    if by >= len(words):
        return start, end
    if random.random() < 0.5:
        return start + words[by], end
    return start, start + words[-by]
