"""Agreement over many pages, each figure with its interval: what `agreement FILE.json` prints."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extraction.agreement.character import cohen_kappa, f1, observed, one_label
from extraction.agreement.exact import matches
from extraction.agreement.nominal import Table, alpha, coincidences
from extraction.characters import Matrix, inked, joint, painted
from extraction.metrics.bootstrap import MIN_PAGES, interval
from extraction.spans import Span, SpanError, normalise

Weights = NDArray[np.float64]
Figure = dict[str, float | int | str | None]


class ReportError(ValueError):
    """A file of annotations that cannot be read; the message says where and why."""


@dataclass(frozen=True, slots=True)
class AnnotatedPage:
    """One page with the spans of each annotator, in the order of their names, and which characters count."""

    name: str
    annotations: dict[str, list[Span]]
    counts: NDArray[np.bool_]


def read(path: Path) -> list[AnnotatedPage]:
    """Read `{"pages": [{"page", "length" or "text", "annotations": {name: [[start, end, label], ...]}}]}`.

    Raises `ReportError` that names the page and the annotator at fault.
    """
    try:
        pages = json.loads(path.read_text(encoding="utf-8"))["pages"]
    except OSError as error:
        raise ReportError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ReportError(f'{path}: not a JSON object with "pages"') from error
    return [_page(page, number) for number, page in enumerate(pages, 1)]


def _page(page: Any, number: int) -> AnnotatedPage:
    try:
        name = str(page.get("page", number))
        counts = inked(page["text"]) if "text" in page else np.ones(int(page["length"]), dtype=np.bool_)
        rows = {str(who): [_span(row) for row in rows] for who, rows in sorted(page["annotations"].items())}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ReportError(
            f"page {number}: needs length or text, and annotations as [start, end, label]"
        ) from error
    annotations = {who: _checked(spans, counts.size, f"page {name}, {who}") for who, spans in rows.items()}
    return AnnotatedPage(name, annotations, counts)


def _span(row: Any) -> Span:
    start, end, label = row
    if type(start) is int and type(end) is int and isinstance(label, str):
        return Span(start, end, label)
    raise TypeError("not a span")


def _checked(spans: Sequence[Span], length: int, place: str) -> list[Span]:
    try:
        result = normalise(spans)
    except SpanError as error:
        raise ReportError(f"{place}: {error}") from error
    if result and result[-1].end > length:
        raise ReportError(f"{place}: a span ends at {result[-1].end} of {length}")
    return result


def report(pages: Sequence[AnnotatedPage]) -> dict[str, Any]:
    """All figures, pooled over the pages that two or more annotated, with 95 % intervals by resampling pages.

    Pairs of annotators are pooled too, the first by name being the first of each pair. `f1` and
    `positive_agreement` are one measure under two names: characters that both labelled, whichever the label.
    """
    compared = [page for page in pages if len(page.annotations) > 1]
    pool = _Pool(compared)
    labels = {label: _label_figures(pool, label) for label in pool.labels[1:]}
    return {
        "pages": len(compared),
        "character": {
            "observed": pool.figure(pool.matrix_figure(observed)),
            "cohen_kappa": pool.figure(pool.matrix_figure(cohen_kappa)),
            "krippendorff_alpha": pool.figure(pool.alpha),
            "positive_agreement": pool.figure(pool.matrix_figure(f1)),
            "f1": pool.figure(pool.matrix_figure(f1)),
        },
        "labels": labels,
        "span": {"exact_f1": pool.figure(pool.exact_f1)},
        "unitizing": {"alpha_u": pool.withheld("not computed in this version")},
    }


def _label_figures(pool: "_Pool", label: str) -> dict[str, Figure]:
    return {
        "cohen_kappa": pool.figure(pool.matrix_figure(lambda matrix: cohen_kappa(one_label(matrix, label)))),
        "f1": pool.figure(pool.matrix_figure(lambda matrix: f1(one_label(matrix, label)))),
    }


class _Pool:
    """What each page adds to the figures, as arrays with pages first, so that a resample is one product."""

    def __init__(self, pages: Sequence[AnnotatedPage]) -> None:
        everything = [list(page.annotations.values()) for page in pages]
        used = {span.label for page in everything for spans in page for span in spans}
        self.pages = len(pages)
        self.labels = ["", *sorted(used)]
        counts = [page.counts for page in pages]
        size = len(self.labels)
        self.pairs = _stack(
            [_pairs(a, c, self.labels) for a, c in zip(everything, counts, strict=True)], size
        )
        self.meetings = _stack(
            [coincidences(a, c, self.labels) for a, c in zip(everything, counts, strict=True)], size
        )
        self.exact = np.array([matches(a) for a in everything], dtype=np.float64).reshape(-1, 2)

    def matrix_figure(self, measure: Callable[[Matrix], float | None]) -> Callable[[Weights], float | None]:
        return lambda weights: measure(_as_matrix(np.tensordot(weights, self.pairs, 1), self.labels))

    def alpha(self, weights: Weights) -> float | None:
        return alpha(np.tensordot(weights, self.meetings, 1))

    def exact_f1(self, weights: Weights) -> float | None:
        common, both = weights @ self.exact
        return float(2 * common / both) if both else None

    def figure(self, measure: Callable[[Weights], float | None]) -> Figure:
        value = measure(np.ones(self.pages))
        if value is None:
            return self.withheld("undefined: nothing to compare, or one label everywhere")
        low, high = interval(self.pages, measure)
        return {"value": value, "low": low, "high": high, "n": self.pages, "withheld": self._why(low)}

    def _why(self, low: float | None) -> str | None:
        if low is not None:
            return None
        few = f"no interval below {MIN_PAGES} pages"
        return few if self.pages < MIN_PAGES else "no interval: undefined in too many resamples"

    def withheld(self, why: str) -> Figure:
        return {"value": None, "low": None, "high": None, "n": self.pages, "withheld": why}


def _stack(tables: list[Table], size: int) -> NDArray[np.float64]:
    return np.array(tables, dtype=np.float64).reshape(-1, size, size)


def _pairs(annotations: Sequence[Sequence[Span]], counts: NDArray[np.bool_], labels: Sequence[str]) -> Table:
    size = len(labels)
    total = np.zeros((size, size))
    codes = [painted(spans, counts.size, labels)[counts] for spans in annotations]
    for a, b in combinations(codes, 2):
        total += joint(a, b, size)
    return total


def _as_matrix(table: Table, labels: Sequence[str]) -> Matrix:
    rows = zip(labels, table.astype(np.int64).tolist(), strict=True)
    return {row: dict(zip(labels, cells, strict=True)) for row, cells in rows}
