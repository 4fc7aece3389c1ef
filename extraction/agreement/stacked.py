"""Tables of one level of many pages as one array, pages first."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from extraction.agreement.coefficients import Numbers
from extraction.agreement.counts import PageTables
from extraction.agreement.figures import Basis, counted
from extraction.metrics.page_weights import effective

NO_TEXT = "its text is not known"
NO_UNITS = "no character that counts"

Mask = NDArray[np.bool_]


class Stacked:
    """The pages that have units of a level, with the tables of their pairs added up.

    `there` says which of all pages these are.
    """

    def __init__(
        self, pages: Sequence[PageTables], level: str, labels: Sequence[str], weights: Numbers
    ) -> None:
        pooled = _pooled(pages, level, labels)
        known = np.array([all(level in pair.tables for pair in page.pairs) for page in pages], dtype=np.bool_)
        self.there: Mask = np.asarray(pooled.any(axis=(1, 2)))
        self._reasons = {NO_TEXT: int((~known).sum()), NO_UNITS: int((known & ~self.there).sum())}
        pairs = np.array([len(page.pairs) for page in pages], dtype=np.float64)[self.there]
        annotators = np.array([len(page.annotators) for page in pages], dtype=np.float64)[self.there]
        self._weights = weights[self.there]
        self._units = pooled[self.there].sum(axis=(1, 2)) / pairs
        #: By the labels of the first and of the second of each pair.
        self.pairs: Numbers = pooled[self.there] * weights[self.there, None, None]
        #: Over all annotators, each ordered pair of m annotators weighing 1 / (m - 1).
        self.coincidences: Numbers = (self.pairs + self.pairs.swapaxes(1, 2)) / (annotators - 1)[
            :, None, None
        ]

    def basis(self, excluded: Mapping[str, int], chosen: Mask | None = None) -> Basis:
        """How many pages and units are compared, all or those on chosen pages, and why others are not."""
        kept = slice(None) if chosen is None else chosen
        units = self._units[kept]
        return Basis(
            len(units),
            round(float(units.sum())),
            {**excluded, **counted(self._reasons)},
            effective=effective(self._weights[kept]),
        )


def grouped(tables: Numbers, groups: Mask) -> Numbers:
    """The tables with their labels put together, a column of `groups` for each."""
    weights = groups.astype(np.float64)
    return np.asarray(weights.T @ tables @ weights)


def _pooled(pages: Sequence[PageTables], level: str, labels: Sequence[str]) -> Numbers:
    index = {label: number for number, label in enumerate(labels)}
    pooled = np.zeros((len(pages), len(labels), len(labels)))
    for number, page in enumerate(pages):
        at = np.array([index[label] for label in page.labels])
        for pair in page.pairs:
            if level in pair.tables:
                pooled[number, at[:, None], at] += pair.tables[level]
    return pooled
