"""How far the annotators of a corpus agree: figures over all rounds, and page by page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Exists, F, OuterRef, QuerySet

from annotator.agreement.models import Agreement
from annotator.annotations.models import Purpose, Round
from annotator.annotations.queries import complete_rounds
from annotator.corpora.models import Corpus
from extraction.agreement import character
from extraction.characters import Matrix
from extraction.metrics.bootstrap import interval

Measure = Callable[[Matrix], float | None]


@dataclass(frozen=True)
class Figure:
    """A figure with its interval, which is withheld (None) below 30 pages."""

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Pooled:
    """The figures of a corpus, before anything was settled."""

    pages: int
    characters: int
    kappa: Figure
    f1: Figure
    observed: Figure
    same_verdict: Figure
    labels: list[tuple[str, Figure]]


def compared_rounds(corpus: Corpus) -> QuerySet[Agreement]:
    """Finished comparisons of main rounds in which there was somebody to compare with."""
    return (
        standing()
        .filter(round__page__corpus=corpus, round__purpose=Purpose.MAIN, finished_at__isnull=False, error="")
        .exclude(same_verdict=None)
    )


def standing() -> QuerySet[Agreement]:
    """Comparisons of what is handed in now; those of earlier editions are superseded."""
    return Agreement.objects.filter(edition=F("round__edition"))


def without_comparison() -> QuerySet[Round]:
    """Complete rounds of which no comparison has been asked for."""
    asked = Agreement.objects.filter(round=OuterRef("pk"), edition=OuterRef("edition"))
    return complete_rounds().filter(settled_at=None).exclude(Exists(asked))


def pooled(corpus: Corpus, labels: Sequence[str]) -> Pooled:
    """Figures from the sum of all rounds' matrices; intervals by resampling pages."""
    rows = compared_rounds(corpus).order_by("round__page").values_list("confusion", "same_verdict")
    matrices = [matrix for matrix, _same in rows]
    pool = _Pool(matrices)
    verdicts = np.array([same for _matrix, same in rows], dtype=np.float64)
    return Pooled(
        pages=len(matrices),
        characters=int(pool.counts.sum()),
        kappa=pool.figure(character.cohen_kappa),
        f1=pool.figure(character.f1),
        observed=pool.figure(character.observed),
        same_verdict=_share(verdicts),
        labels=[(label, pool.figure(_of_label(label), label=label)) for label in labels],
    )


def pages_compared(corpus: Corpus) -> QuerySet[Agreement]:
    """The rounds page by page, those that agree least first; without any mark there is no F1: last."""
    rows = compared_rounds(corpus).select_related("round__page")
    return rows.order_by("same_verdict", F("f1").asc(nulls_last=True), "pk").defer("confusion")


class _Pool:
    """All matrices as one array, pages first, so that a resample is one product."""

    def __init__(self, matrices: Sequence[Matrix]) -> None:
        used = {label for matrix in matrices for row, cells in matrix.items() for label in (row, *cells)}
        self.labels = sorted(used)
        place = {label: n for n, label in enumerate(self.labels)}
        self.counts = np.zeros((len(matrices), len(self.labels), len(self.labels)))
        for page, matrix in enumerate(matrices):
            for row, cells in matrix.items():
                for column, count in cells.items():
                    self.counts[page, place[row], place[column]] = count

    def figure(self, measure: Measure, *, label: str | None = None) -> Figure:
        """The measure of the sum; with `label`, `n` counts the pages on which somebody used it."""
        pages = len(self.counts)
        low, high = interval(pages, lambda weights: measure(self._sum(weights))) if pages else (None, None)
        value = measure(self._sum(np.ones(pages))) if pages else None
        return Figure(value, low, high, self._pages_with(label))

    def _pages_with(self, label: str | None) -> int:
        if label is None:
            return len(self.counts)
        if label not in self.labels:
            return 0
        at = self.labels.index(label)
        return int(((self.counts[:, at, :].sum(axis=1) + self.counts[:, :, at].sum(axis=1)) > 0).sum())

    def _sum(self, weights: np.ndarray) -> Matrix:
        total = np.tensordot(weights, self.counts, axes=1)
        return {
            row: {column: total[y, x] for x, column in enumerate(self.labels)}
            for y, row in enumerate(self.labels)
        }


def _of_label(label: str) -> Measure:
    def kappa(matrix: Matrix) -> float | None:
        return character.cohen_kappa(character.one_label(matrix, label))

    return kappa


def _share(same: np.ndarray) -> Figure:
    """The share of rounds in which all gave the same verdict."""
    if not len(same):
        return Figure(None, None, None, 0)
    low, high = interval(len(same), lambda weights: float(weights @ same / weights.sum()))
    return Figure(float(same.mean()), low, high, len(same))
