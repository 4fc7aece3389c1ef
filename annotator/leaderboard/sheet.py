"""A board as CSV: a line for each extractor, in the order of the board."""

import csv
import io
import json

from annotator.agreement.sheet import safe
from annotator.leaderboard.board import Board

HEAD = (
    "metric", "labels", "gold", "mean", "extractor", "version", "parameters", "pages", "failures",
    "precision", "recall", "f1", "f1_low", "f1_high", "left_out", "seconds_a_page",
)  # fmt: skip


def sheet(board: Board) -> str:
    """The file. What is not known, or withheld, is empty; `left_out` counts pages that it was tuned on."""
    kept = io.StringIO()
    writer = csv.writer(kept, lineterminator="\r\n")
    writer.writerow(HEAD)
    for row in board.rows:
        shown = row.shown
        figures = (shown.precision, shown.recall, shown.value, shown.low, shown.high)
        writer.writerow(
            [
                board.metric,
                board.labels,
                board.gold,
                board.mean,
                safe(row.name),
                safe(row.version),
                json.dumps(row.parameters, sort_keys=True),
                shown.n,
                shown.failures,
                *("" if figure is None else f"{figure:.6f}" for figure in figures),
                row.tuned_on,
                "" if row.seconds_a_page is None else f"{row.seconds_a_page:.6f}",
            ]
        )
    return kept.getvalue()
