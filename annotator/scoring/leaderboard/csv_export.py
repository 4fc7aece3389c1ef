"""The leaderboard as CSV: one line per extractor, in ranking order."""

import csv
import io
import json

from annotator.common.csv_files import safe_cell
from annotator.scoring.leaderboard.citation import Citation
from annotator.scoring.leaderboard.leaderboard import Leaderboard

HEAD = (
    "metric", "labels", "gold", "mean", "extractor", "version", "parameters", "pages", "failures",
    "precision", "recall", "f1", "f1_low", "f1_high", "excluded", "seconds_per_page",
    "source", "computed_at", "sha256",
)  # fmt: skip


def leaderboard_csv(leaderboard: Leaderboard, citation: Citation) -> str:
    """Return the file. Values that are unknown or withheld are empty; `excluded` counts training pages.

    `sha256` is the digest of the figures of all rows.
    """
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\r\n")
    writer.writerow(HEAD)
    for row in leaderboard.rows:
        shown = row.shown
        figures = (shown.precision, shown.recall, shown.value, shown.low, shown.high)
        writer.writerow(
            [
                leaderboard.metric,
                leaderboard.labels,
                leaderboard.gold,
                leaderboard.mean,
                safe_cell(row.name),
                safe_cell(row.version),
                json.dumps(row.parameters, sort_keys=True),
                shown.n,
                shown.failures,
                *("" if figure is None else f"{figure:.6f}" for figure in figures),
                row.tuned_on,
                "" if row.seconds_per_page is None else f"{row.seconds_per_page:.6f}",
                citation.source,
                citation.time,
                citation.sha256,
            ]
        )
    return output.getvalue()
