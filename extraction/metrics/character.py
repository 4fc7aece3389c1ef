"""`character`: positions in the canonical text, counted in non-whitespace characters."""

from collections.abc import Collection

from extraction.metrics.character_labels import Matrix
from extraction.metrics.pages import PageScore, score
from extraction.spans import CONTENT


def from_matrix(
    matrix: Matrix, labels: Collection[str], *, gold_unplaced: int = 0, failed: bool = False
) -> PageScore:
    """The score on a label set; `content` counts in every set, in gold and in predictions.

    `gold_unplaced` counts the non-whitespace characters of gold text that the document does not have.
    """
    true = predicted = gold = 0
    for row, cells in matrix.items():
        is_gold = row in labels or row == CONTENT
        for column, count in cells.items():
            is_predicted = column in labels or column == CONTENT
            true += count * (is_gold and is_predicted)
            predicted += count * is_predicted
            gold += count * is_gold
    return score(true, predicted, gold, unplaced=gold_unplaced, failed=failed)
