"""The learning curve of a corpus: how good its own extractor is with a part of its gold, and with more.

Cross-validated by site: each page is looked at by models that learned from a part of the pages of other
sites. A power law of the error in the number of pages says what more pages would bring; resampling sites
says how sure that is.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from extraction.documents.document import Document
from extraction.extractors.goldpan import spans_by
from extraction.extractors.learned.trees import Trees
from extraction.learning.goldpan import Body, GoldpanExample
from extraction.learning.training import LearningError, Settings
from extraction.metrics.character import from_matrix
from extraction.metrics.character_labels import confusion
from extraction.spans import Span

# The parts of the pages that are learned from: an eighth, a quarter, a half, all.
PARTS = (8, 4, 2, 1)
FOLDS = 5
# Rounds of ten trees. Half of what a model is given at most: more change little, and twenty models are grown.
ROUNDS = 10
# What the next pages would bring is told for so many.
NEXT = 100
DRAWS = 1000
# Below so many pages or sites no interval is given.
MIN_PAGES, MIN_SITES = 30, 8
# The least error that a power law is fitted to.
LEAST_ERROR = 1e-4

Floats = NDArray[np.float64]


class CurvePage(NamedTuple):
    """A page by its digest, and its group: the pages of its site and their near duplicates are one."""

    sha256: str
    group: str


class PageFigure(NamedTuple):
    """A page that was looked at: its group, and of each part precision and recall; None counts in no mean."""

    group: str
    precision: list[float | None]
    recall: list[float | None]


def folds_of(pages: Sequence[CurvePage], count: int = FOLDS) -> list[list[int]]:
    """The indices of the pages by fold, as even as groups let them be; fewer folds where groups are few.

    Raises `LearningError` where all pages are one group.
    """
    groups: dict[str, list[int]] = {}
    for index, page in enumerate(pages):
        groups.setdefault(page.group, []).append(index)
    if len(groups) < 2:
        raise LearningError("the pages are of one site: a learning curve takes pages of several")
    folds: list[list[int]] = [[] for _ in range(min(count, len(groups)))]
    for name in sorted(groups, key=lambda name: (-len(groups[name]), _drawn(name))):
        min(folds, key=len).extend(groups[name])
    return [sorted(fold) for fold in folds]


def parts_of(pages: Sequence[CurvePage], fold: Sequence[int]) -> list[list[int]]:
    """Of the pages outside a fold, those of each part; a smaller part is within a larger one."""
    others = sorted(set(range(len(pages))) - set(fold), key=lambda index: _drawn(pages[index].sha256))
    return [sorted(others[: max(1, round(len(others) / part))]) for part in PARTS]


def _drawn(name: str) -> str:
    """Where a name stands in an order by chance, which is always the same."""
    return sha256(f"curve:{name}".encode()).hexdigest()


def grow_part(
    examples: Sequence[GoldpanExample], *, should_stop: Callable[[], None] = lambda: None
) -> Trees | None:
    """Trees of some pages; None where these do not have both body and other text. `should_stop` may raise."""
    try:
        body = Body(examples, [], Settings())
    except LearningError:
        return None
    for number in range(ROUNDS):
        should_stop()
        body.learn(number)
    return body.grown()


def look_at(
    page: CurvePage,
    document: Document,
    gold: Sequence[Span],
    labels: frozenset[str],
    models: Sequence[Trees | None],
) -> PageFigure:
    """How the models of all parts find a page; without a model nothing is found."""
    found = PageFigure(page.group, [], [])
    for model in models:
        spans = spans_by(document, model) if model else []
        score = from_matrix(confusion(gold, spans, document.text), labels)
        found.precision.append(score.precision)
        found.recall.append(score.recall)
    return found


class CurveFigure(NamedTuple):
    """F1 with so many pages, and its interval; None where that is withheld."""

    pages: float
    f1: float
    low: float | None
    high: float | None


class GrowthCurve(NamedTuple):
    """F1 of each part; then as the law has it with all gold, and with more; and the difference of these."""

    parts: list[CurveFigure]
    now: CurveFigure
    next: CurveFigure
    gain: CurveFigure


def growth_of(figures: Sequence[PageFigure], sizes: Sequence[float]) -> GrowthCurve:
    """The curve of all pages that were looked at; `sizes` is how many pages each part learned from (mean).

    F1 is that of mean precision and mean recall, as on the board.
    """
    sums = _by_group(figures)
    everything = np.ones(len(sums))
    total = len(figures)
    values = _all_figures(sums, sizes, total, everything)
    low: list[Any] = [None] * len(values)
    high: list[Any] = [None] * len(values)
    if total >= MIN_PAGES and len(sums) >= MIN_SITES:
        drawn = np.array([_all_figures(sums, sizes, total, weights) for weights in _draws(len(sums))])
        low, high = (np.percentile(drawn, at, axis=0).tolist() for at in (2.5, 97.5))
    counts = (*sizes, total, total + NEXT, NEXT)
    rows = zip(counts, values, low, high, strict=True)
    *parts, now, after, gain = (CurveFigure(*row) for row in rows)
    return GrowthCurve(parts, now, after, gain)


def _by_group(figures: Sequence[PageFigure]) -> Floats:
    """For each group and part: sums of precision and recall, and of how many pages."""
    groups: dict[str, Floats] = {}
    for figure in figures:
        rows = [
            (p or 0.0, p is not None, r or 0.0, r is not None)
            for p, r in zip(figure.precision, figure.recall, strict=True)
        ]
        before = groups.setdefault(figure.group, np.zeros((len(rows), 4)))
        before += np.array(rows, np.float64)
    return np.array([groups[name] for name in sorted(groups)])


def _f1(sums: Floats, weights: Floats) -> Floats:
    p, n_p, r, n_r = np.tensordot(weights, sums, axes=1).T
    precision, recall = p / np.maximum(n_p, 1e-12), r / np.maximum(n_r, 1e-12)
    return np.asarray(2 * precision * recall / np.maximum(precision + recall, 1e-12))


def _projected(f1: Floats, sizes: Sequence[float], total: int) -> list[float]:
    """F1 with all pages and with the next ones by the power law, and the difference."""
    logs = np.log(np.maximum(1 - f1, LEAST_ERROR))
    at = np.log(np.asarray(sizes))
    spread = at - at.mean()
    divisor = float(spread @ spread)
    # More pages are not expected to do harm.
    slope = min(0.0, float(spread @ logs) / divisor) if divisor > 0 else 0.0
    now, after = (
        1 - float(np.exp(logs.mean() + slope * (np.log(count) - at.mean())))
        for count in (total, total + NEXT)
    )
    return [now, after, after - now]


def _all_figures(sums: Floats, sizes: Sequence[float], total: int, weights: Floats) -> list[float]:
    f1 = _f1(sums, weights)
    return [*f1.tolist(), *_projected(f1, sizes, total)]


def _draws(count: int) -> Iterator[Floats]:
    """How often each group is drawn, with a fixed seed."""
    chance = np.random.default_rng(1)
    for _ in range(DRAWS):
        yield np.bincount(chance.integers(count, size=count), minlength=count).astype(np.float64)
