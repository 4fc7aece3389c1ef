"""Simulates two annotators who mark the gold of a real page with independent errors.

The difficulty of a page is drawn once for both annotators (gamma, mean 1, shape `SHAPE`), and multiplies
every probability. Then each annotator, block by block:

- misses a block of the gold (`MISSED`), or gives it another label (`SWAPPED`);
- marks a block near the gold (`EXTRA`) or elsewhere (`STRAY`) that is not gold;
- moves an edge of a block by one to twelve words (`MOVED`);
- misunderstands the page (`MISREAD`): misses the gold from some block on, or marks all text after the gold.

Published gold has no labels: its first block becomes the headline, blocks of less than `SHORT` characters
supplemental, and the rest body.
"""

import re
from collections.abc import Sequence

import numpy as np

from extraction.documents.document import Document
from extraction.spans import Span, bridge, relevant

SHAPE = 0.7
MISSED = 0.02
SWAPPED = 0.02
EXTRA = 0.08
STRAY = 0.002
MOVED = 0.02
MISREAD = 0.015
WORDS = 12  # maximum move of an edge
NEAR = 2  # blocks away from the gold
SHORT = 60
LABELS = ("headline", "body", "supplemental")

Random = np.random.Generator
Blocks = Sequence[tuple[int, int]]


def annotators(document: Document, gold: Sequence[Span], random: Random) -> dict[str, list[Span]]:
    """Return the spans of both annotators on a page with this gold."""
    difficulty = float(random.gamma(SHAPE, 1 / SHAPE))
    truth = labelled(gold, document.blocks)
    return {name: _marked(document, truth, difficulty, random) for name in ("ada", "ben")}


def labelled(gold: Sequence[Span], blocks: Blocks) -> list[str]:
    """Return the label of each block, "" where less than half of it is gold."""
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


def _marked(document: Document, truth: Sequence[str], difficulty: float, random: Random) -> list[Span]:
    labels = [_label(truth, index, difficulty, random) for index in range(len(truth))]
    _misread(labels, truth, difficulty, random)
    spans = [
        Span(*_edges(document.text, block, difficulty, random), label)
        for block, label in zip(document.blocks, labels, strict=True)
        if label
    ]
    return bridge(spans, document.blocks, document.text)


def _label(truth: Sequence[str], index: int, difficulty: float, random: Random) -> str:
    label, drawn = truth[index], float(random.random())
    if label:
        if drawn < MISSED * difficulty:
            return ""
        others = [other for other in LABELS if other != label]
        return str(random.choice(others)) if drawn < (MISSED + SWAPPED) * difficulty else label
    near = any(truth[max(0, index - NEAR) : index + NEAR + 1])
    return str(random.choice(LABELS)) if drawn < (EXTRA if near else STRAY) * difficulty else ""


def _misread(labels: list[str], truth: Sequence[str], difficulty: float, random: Random) -> None:
    indices = [index for index, label in enumerate(truth) if label]
    if not indices or random.random() >= MISREAD * difficulty:
        return
    if random.random() < 0.5:
        start = indices[int(random.integers(len(indices)))]
        labels[start:] = [""] * (len(labels) - start)
    else:
        labels[indices[-1] + 1 :] = ["body"] * (len(labels) - indices[-1] - 1)


def _edges(text: str, block: tuple[int, int], difficulty: float, random: Random) -> tuple[int, int]:
    start, end = block
    if random.random() >= MOVED * difficulty:
        return start, end
    words = [match.start() for match in re.finditer(r"\S+", text[start:end])]
    by = int(random.integers(1, WORDS + 1))
    if by >= len(words):
        return start, end
    if random.random() < 0.5:
        return start + words[by], end
    return start, start + words[-by]
