"""Characters as arrays: which of them count, and which label each one has.

What counts, everywhere in metrics and agreement, is the non-whitespace characters of the canonical text.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from extraction.spans import Span

#: Label by label counts of characters; "" is unlabelled. First key: gold or first annotator.
Matrix = dict[str, dict[str, int]]

_BLANK = np.array([code for code in range(0x3001) if chr(code).isspace()], dtype=np.uint32)


def non_whitespace(text: str) -> NDArray[np.bool_]:
    """For each code point, whether it is not whitespace."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return ~np.isin(codes, _BLANK)


def label_codes(spans: Iterable[Span], length: int, labels: Sequence[str]) -> NDArray[np.intp]:
    """For each code point, the index of its label in `labels`; 0 (by convention "") where it has none."""
    codes = np.zeros(length, dtype=np.intp)
    indices = {label: index for index, label in enumerate(labels)}
    for start, end, label in spans:
        codes[start:end] = indices[label]
    return codes


def cross(first: Sequence[Span], second: Sequence[Span], counts: NDArray[np.bool_]) -> Matrix:
    """Count the characters by their label in either list, only where `counts` is true.

    The cell of "" with itself is counted too; cells of 0 are left out.
    """
    labels = ["", *sorted({span[2] for span in (*first, *second)} - {""})]
    size = len(labels)
    a, b = label_codes(first, counts.size, labels), label_codes(second, counts.size, labels)
    table = joint(a[counts], b[counts], size)
    return {
        row: {column: int(table[i, j]) for j, column in enumerate(labels) if table[i, j]}
        for i, row in enumerate(labels)
        if table[i].any()
    }


def confusion(first: Sequence[Span], second: Sequence[Span], text: str) -> Matrix:
    """Label in the first list -> label in the second -> non-whitespace characters of the text.

    The first is gold or an annotator, the second a prediction or another annotator. Any label set can be
    scored from it later (`character.from_matrix`), without reading the page again.
    """
    return cross(first, second, non_whitespace(text))


def joint(a: NDArray[np.intp], b: NDArray[np.intp], size: int) -> NDArray[np.intp]:
    """How often each pair of codes below `size` stands at one index."""
    return np.bincount(a * size + b, minlength=size * size).reshape(size, size)


def added(matrices: Iterable[Matrix]) -> Matrix:
    """The sum of matrices, cell by cell."""
    total: Matrix = {}
    for matrix in matrices:
        for row, cells in matrix.items():
            target = total.setdefault(row, {})
            for column, count in cells.items():
                target[column] = target.get(column, 0) + count
    return total
