"""Agreement of two annotators, character by character.

A matrix (`confusion`) counts the non-whitespace characters of a page by the labels that the two gave; those
of many pages are pooled by adding them (`added`).
"""

from extraction.metrics.character_labels import Matrix


def cohen_kappa(matrix: Matrix) -> float | None:
    """Agreement beyond chance over all labels, unlabelled being one (Cohen 1960).

    None where it is undefined: no characters, or both gave all of them one and the same label. In whole
    numbers and rounded once, so that its last digit may differ from that of `coefficients.cohen_kappa`.
    """
    total = sum(sum(cells.values()) for cells in matrix.values())
    agreed = sum(cells.get(label, 0) for label, cells in matrix.items())
    rows, columns = _margins(matrix)
    expected = sum(count * columns.get(label, 0) for label, count in rows.items())
    if expected == total * total:  # also when both are 0
        return None
    return (agreed * total - expected) / (total * total - expected)


def f1(matrix: Matrix) -> float | None:
    """F1 of labelled against unlabelled, whichever the label: the positive specific agreement.

    None when neither labelled anything (Hripcsak and Rothschild 2005).
    """
    marked_by_a = sum(sum(cells.values()) for label, cells in matrix.items() if label)
    both = sum(count for label, cells in matrix.items() if label for other, count in cells.items() if other)
    marked_by_b = sum(count for cells in matrix.values() for label, count in cells.items() if label)
    return 2 * both / (marked_by_a + marked_by_b) if marked_by_a + marked_by_b else None


def _margins(matrix: Matrix) -> tuple[dict[str, int], dict[str, int]]:
    rows = {label: sum(cells.values()) for label, cells in matrix.items()}
    columns: dict[str, int] = {}
    for cells in matrix.values():
        for label, count in cells.items():
            columns[label] = columns.get(label, 0) + count
    return rows, columns
