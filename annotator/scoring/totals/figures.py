"""What is summed over scores: figures of one page as integers, their products, and averages of their sums.

Figures are integers in billionths, so that sums are exact in any order, and what was added can be taken off
again. No database.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import IntFlag
from functools import reduce
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from annotator.corpora.queries import SINGLE
from annotator.scoring.measuring import STORED, stored_under, unpacked
from extraction.evaluation.page_metrics import METRICS
from extraction.metrics.averages import quotient
from extraction.metrics.character import from_matrix
from extraction.metrics.character_labels import Matrix
from extraction.metrics.pages import PageScore, harmonic_mean
from extraction.spans import LABEL_SETS

Numbers = NDArray[np.int64]

# One, in the unit of figures.
ONE = 10**9
# Metrics whose amounts are shares of a page, in billionths too; those of others are whole.
SHARES = frozenset({"shingle"})

# What is stored of a score by each of these, in this order.
CELLS = tuple((metric, labels) for metric in METRICS for labels in LABEL_SETS)
PARTS = ("true", "predicted", "gold", "precision", "recall")
# The 95 % bounds of the normal distribution.
BOUND = 1.959964


class Kind(IntFlag):
    """What a score counts for: one total for each kind, so that each choice of pages is a sum of some."""

    # Nobody who made the gold was shown this extractor or its family.
    BLIND = 1
    # The page counts for all extractors that were scored on it.
    COMMON = 2
    # It does on blind gold too.
    COMMON_BLIND = 4
    # The extractor was trained or tuned on the page: it counts in no figure.
    TUNED = 8

    def counts(self, *, blind: bool, common: "Kind | None" = None) -> bool:
        """Whether it counts in figures on all gold or on blind gold alone.

        `common` leaves out pages that do not count for all extractors: COMMON or COMMON_BLIND.
        """
        if Kind.TUNED in self or (blind and Kind.BLIND not in self):
            return False
        return common is None or common in self


# ---- one page ----


def single(label: str) -> str:
    """The name of a label set of one label; that of a standard set if there is one."""
    return label if LABEL_SETS.get(label) == frozenset({label}) else f"{SINGLE}{label}"


def amounts_of(
    matrix: Matrix,
    figures: Mapping[str, Mapping[str, Sequence[float | None]]],
    labels: Iterable[str],
    sets: Mapping[str, Collection[str]],
    *,
    failed: bool,
) -> list[int | None]:
    """The stored amounts of a score: those of `CELLS`, None where there is no value, then of single labels.

    `labels` are the label sets and single labels that the gold distinguishes.
    """
    known = list(labels)
    found: list[int | None] = []
    for metric, name in CELLS:
        score = None
        if name in known and metric == STORED:
            score = from_matrix(matrix, sets[name], failed=failed)
        elif name in known:
            row = figures.get(metric, {}).get(stored_under(name, sets[name]))
            score = unpacked(list(row), failed=failed) if row else None
        found += _packed(score, metric)
    for name in known:
        if name not in LABEL_SETS:
            found += _packed(from_matrix(matrix, sets[name], failed=failed), STORED)
    return found


def _packed(score: PageScore | None, metric: str) -> list[int | None]:
    if score is None:
        return [None] * len(PARTS)
    unit = ONE if metric in SHARES else 1
    amounts = [round(amount * unit) for amount in (score.true, score.predicted, score.gold)]
    return [
        *amounts,
        *(None if part is None else round(part * ONE) for part in (score.precision, score.recall)),
    ]


def cells_of(labels: Iterable[str]) -> list[tuple[str, str]]:
    """The metric and label set of each group of `PARTS` in stored amounts."""
    return [*CELLS, *((STORED, name) for name in labels if name not in LABEL_SETS)]


def f1_of(precision: Numbers, recall: Numbers) -> Numbers:
    """F1 of each page in billionths; -1 stands for a figure that is left out."""
    p, r = np.maximum(precision, 0), np.maximum(recall, 0)
    total = p + r
    found = (2 * p * r + total // 2) // np.maximum(total, 1)
    return np.where((precision < 0) & (recall < 0), ONE, found)


def ranks_of(amounts: Sequence[int | None]) -> list[int | None]:
    """F1 of each of `CELLS` in ten-thousandths."""
    found: list[int | None] = []
    for start in range(0, len(CELLS) * len(PARTS), len(PARTS)):
        true, _predicted, _gold, precision, recall = amounts[start : start + len(PARTS)]
        if true is None:
            found.append(None)
        elif precision is None and recall is None:
            found.append(10_000)
        else:
            found.append(round(10_000 * harmonic_mean((precision or 0) / ONE, (recall or 0) / ONE)))
    return found


# ---- sums ----


class Sums(NamedTuple):
    """Sums over pages, with the names of the columns of `ScoreTotal`."""

    pages: int = 0
    failures: int = 0
    timed: int = 0
    microseconds: int = 0
    draws: int = 0
    with_precision: int = 0
    with_recall: int = 0
    with_both: int = 0
    precision: int = 0
    recall: int = 0
    f1: int = 0
    precision_precision: int = 0
    recall_recall: int = 0
    precision_recall: int = 0
    f1_f1: int = 0
    precision_both: int = 0
    recall_both: int = 0
    true: int = 0
    predicted: int = 0
    gold: int = 0
    true_true: int = 0
    predicted_predicted: int = 0
    gold_gold: int = 0
    true_predicted: int = 0
    true_gold: int = 0
    predicted_gold: int = 0

    def plus(self, other: Self) -> Self:
        return type(self)(*(mine + its for mine, its in zip(self, other, strict=True)))

    def less(self, other: Self) -> Self:
        return type(self)(*(mine - its for mine, its in zip(self, other, strict=True)))


COLUMNS = Sums._fields


def added(sums: Iterable[Sums]) -> Sums:
    """The sum of sums."""
    return reduce(Sums.plus, sums, Sums())


def contributions(pages: Numbers, parts: Numbers, unit: Numbers) -> Numbers:
    """What each score adds to its totals, one row each, in the order of `COLUMNS`.

    `pages` has failed, microseconds (-1: unknown) and draw of each; `parts` has `PARTS`, -1 for a figure that
    is left out; `unit` is that of its amounts.
    """
    failed, microseconds, draw = pages.T
    true, predicted, gold, precision, recall = parts.T
    has_p, has_r = (precision >= 0).astype(np.int64), (recall >= 0).astype(np.int64)
    p, r, f1 = np.maximum(precision, 0), np.maximum(recall, 0), f1_of(precision, recall)
    ones = np.ones_like(true)

    def product(a: Numbers, b: Numbers, one: Numbers | int = ONE) -> Numbers:
        return (a * b + one // 2) // one

    return np.stack(
        [
            ones, failed, (microseconds >= 0).astype(np.int64), np.maximum(microseconds, 0), draw,
            has_p, has_r, has_p * has_r, p, r, f1,
            product(p, p), product(r, r), product(p, r), product(f1, f1), p * has_r, r * has_p,
            true, predicted, gold,
            product(true, true, unit), product(predicted, predicted, unit), product(gold, gold, unit),
            product(true, predicted, unit), product(true, gold, unit), product(predicted, gold, unit),
        ],
        axis=1,
    )  # fmt: skip


class Averages(NamedTuple):
    """Macro and micro averages of sums."""

    precision: float
    recall: float
    f1_of_means: float
    f1_page_mean: float
    micro_precision: float
    micro_recall: float
    micro_f1: float


def averages(sums: Sums) -> Averages:
    """The averages of sums; 0 where nothing counts."""
    precision = quotient(sums.precision, sums.with_precision * ONE)
    recall = quotient(sums.recall, sums.with_recall * ONE)
    pooled_precision, pooled_recall = quotient(sums.true, sums.predicted), quotient(sums.true, sums.gold)
    return Averages(
        precision,
        recall,
        harmonic_mean(precision, recall),
        quotient(sums.f1, sums.pages * ONE),
        pooled_precision,
        pooled_recall,
        harmonic_mean(pooled_precision, pooled_recall),
    )


def standard_error(sums: Sums, *, pooled: bool, by_page: bool, unit: int = 1) -> float:
    """That of F1 by the delta method: of the micro average, the mean of page F1, or F1 of the means.

    `unit` is that of the amounts.
    """
    if pooled:
        return _error_of_micro(sums, unit)
    if by_page:
        mean = quotient(sums.f1, sums.pages * ONE)
        return _root(sums.f1_f1 / ONE - sums.pages * mean**2) / max(sums.pages, 1)
    return _error_of_means(sums)


def _error_of_means(sums: Sums) -> float:
    n_p, n_r = sums.with_precision, sums.with_recall
    p, r = quotient(sums.precision, n_p * ONE), quotient(sums.recall, n_r * ONE)
    if not p + r or not n_p or not n_r:
        return 0.0
    by_p, by_r = 2 * r**2 / (p + r) ** 2, 2 * p**2 / (p + r) ** 2
    squares_p = sums.precision_precision / ONE - n_p * p**2
    squares_r = sums.recall_recall / ONE - n_r * r**2
    both = (
        sums.precision_recall - r * sums.precision_both - p * sums.recall_both
    ) / ONE + p * r * sums.with_both
    return _root(
        (by_p / n_p) ** 2 * squares_p + (by_r / n_r) ** 2 * squares_r + 2 * by_p * by_r * both / (n_p * n_r)
    )


def _error_of_micro(sums: Sums, unit: int) -> float:
    whole = sums.predicted + sums.gold
    if not whole:
        return 0.0
    f1 = 2 * sums.true / whole
    squares = (
        4 * sums.true_true
        - 4 * f1 * (sums.true_predicted + sums.true_gold)
        + f1**2 * (sums.predicted_predicted + 2 * sums.predicted_gold + sums.gold_gold)
    )
    return _root(squares * unit) / whole


def _root(square: float) -> float:
    return float(np.sqrt(max(square, 0.0)))
