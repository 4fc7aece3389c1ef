"""The scores of an extractor as columns, and intervals: by resampling pages, or by the delta method.

No database.
"""

from dataclasses import dataclass, fields
from math import sqrt
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from annotator.common.batches import batched
from annotator.scoring.totals.figures import BOUND, ONE, Kind, Numbers, Sums, f1_of
from extraction.metrics.bootstrap import MIN_PAGES, Interval, draws, middle
from extraction.metrics.page_weights import effective, weights_of
from extraction.metrics.pages import PageScore
from extraction.metrics.statistics import PairedDifference

Column = NDArray[np.float64]

# Resamples that are computed at once: a chunk of them is a matrix with a column for each page.
CHUNK = 50
# Above so many pages intervals come from sums, or for pairs from a sample of so many.
MOST_RESAMPLED = 5_000

_COLUMNS = ("precision", "with_precision", "recall", "with_recall", "f1", "true", "predicted", "gold")


@dataclass(frozen=True)
class Scored:
    """The scores of one extractor on some pages, in the order of the pages' keys.

    `parts` has the `PARTS` of each, -1 for what is left out; `weights` says how many pages each stands for.
    """

    pages: Numbers
    kinds: Numbers
    failed: Numbers
    microseconds: Numbers
    parts: Numbers
    weights: Column

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Self:
        return type(self)(*(getattr(self, column.name)[chosen] for column in fields(self)))

    def counted(self, *, blind: bool, common: Kind | None = None) -> Self:
        """The pages that count, on common pages only if asked."""
        kinds = [kind for kind in map(Kind, range(16)) if kind.counts(blind=blind, common=common)]
        return self.where(np.isin(self.kinds, [int(kind) for kind in kinds]))

    @property
    def even(self) -> Column:
        """The weights; ones where all count alike."""
        return weights_of(self.weights.tolist(), len(self.pages)) if len(self.pages) else self.weights

    @property
    def effective(self) -> float | None:
        return effective(self.even) if len(self.pages) else None

    def scores(self) -> list[PageScore]:
        """The score of each page."""
        return [
            PageScore(
                true,
                predicted,
                gold,
                None if precision < 0 else precision / ONE,
                None if recall < 0 else recall / ONE,
                failed=bool(failed),
            )
            for (true, predicted, gold, precision, recall), failed in zip(
                self.parts.tolist(), self.failed.tolist(), strict=True
            )
        ]

    def columns(self) -> Column:
        """What is averaged, one row a page: `_COLUMNS`."""
        true, predicted, gold, precision, recall = self.parts.T
        return np.stack(
            [
                np.maximum(precision, 0) / ONE, precision >= 0, np.maximum(recall, 0) / ONE, recall >= 0,
                f1_of(precision, recall) / ONE, true, predicted, gold,
            ],
            axis=1,
        ).astype(np.float64)  # fmt: skip

    def sums(self) -> Sums:
        """The weighted sums, as far as averages need them."""
        weights = self.even
        total = dict(zip(_COLUMNS, (weights @ self.columns()).tolist(), strict=True))
        for name in ("precision", "recall", "f1"):
            total[name] *= ONE
        timed = self.microseconds >= 0
        return Sums(
            pages=float(weights.sum()),  # type: ignore[arg-type]  # weights are no whole numbers
            failures=int(self.failed.sum()),
            timed=int(timed.sum()),
            microseconds=int(self.microseconds[timed].sum()),
            **total,
        )


class Resampled(NamedTuple):
    """F1 of each resample: of the macro average by which the metric is known, and of the micro average."""

    macro: Column
    micro: Column

    def of(self, *, pooled: bool) -> Column:
        return self.micro if pooled else self.macro


def resampled(scored: Scored, *, by_page: bool) -> Resampled | None:
    """Resample the pages as `extraction.metrics.bootstrap` does; None below 30 pages."""
    if len(scored.pages) < MIN_PAGES:
        return None
    weights = scored.even
    columns = scored.columns() * weights[:, None]
    columns = np.column_stack([columns, weights])
    totals = np.concatenate([np.stack(chunk) @ columns for chunk in batched(draws(len(scored.pages)), CHUNK)])
    p, with_p, r, with_r, f1, true, predicted, gold, whole = totals.T
    macro = _quotient(f1, whole) if by_page else _harmonic(_quotient(p, with_p), _quotient(r, with_r))
    return Resampled(macro, _harmonic(_quotient(true, predicted), _quotient(true, gold)))


def _quotient(total: Column, whole: Column) -> Column:
    return np.divide(total, whole, out=np.zeros_like(total), where=whole != 0)


def _harmonic(precision: Column, recall: Column) -> Column:
    return _quotient(2 * precision * recall, precision + recall)


def bounds(values: Column) -> Interval:
    """The bounds of the middle 95 % of resamples."""
    return middle(values.tolist())


def around(value: float, error: float) -> Interval:
    """The 95 % bounds by a standard error."""
    return value - BOUND * error, value + BOUND * error


# ---- the delta method, page by page ----


def influence(scored: Scored, *, pooled: bool, by_page: bool) -> Column:
    """What each page adds to the error of F1: the root of the sum of squares is the standard error."""
    weights = scored.even
    p, with_p, r, with_r, f1, true, predicted, gold = scored.columns().T

    def deviation(part: Column, whole: Column) -> tuple[float, Column]:
        total = float(weights @ whole)
        mean = float(weights @ part) / total if total else 0.0
        return mean, weights * (part - mean * whole) / total if total else np.zeros_like(part)

    if pooled:
        return deviation(2 * true, predicted + gold)[1]
    if by_page:
        return deviation(f1, np.ones_like(f1))[1]
    (precision, of_p), (recall, of_r) = deviation(p, with_p), deviation(r, with_r)
    whole = precision + recall
    return 2 * (recall**2 * of_p + precision**2 * of_r) / whole**2 if whole else np.zeros_like(p)


def paired_by_sample(
    first: Scored, second: Scored, difference: float, pages: int, *, pooled: bool, by_page: bool
) -> PairedDifference:
    """The difference on all pages with the interval that a sample of them gives.

    The error shrinks with the root of the number of pages.
    """
    options = {"pooled": pooled, "by_page": by_page}
    _pages, mine, its = np.intersect1d(first.pages, second.pages, return_indices=True)
    apart = influence(first.where(mine), **options) - influence(second.where(its), **options)
    error = float(np.sqrt((apart**2).sum())) * sqrt(len(apart) / pages) if pages else 0.0
    return PairedDifference(difference, *around(difference, error))


def standard_error(scored: Scored, *, pooled: bool, by_page: bool) -> float:
    """That of F1 by the delta method, page by page."""
    return float(np.sqrt((influence(scored, pooled=pooled, by_page=by_page) ** 2).sum()))
