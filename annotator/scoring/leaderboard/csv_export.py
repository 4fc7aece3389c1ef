"""The leaderboard as CSV: one line per extractor, in ranking order."""

import json
from collections.abc import Iterator

from annotator.scoring.leaderboard.leaderboard import Leaderboard

HEAD = (
    "metric", "labels", "gold", "mean", "extractor", "version", "parameters", "pages", "failures",
    "precision", "recall", "f1", "f1_low", "f1_high", "excluded", "seconds_per_page",
)  # fmt: skip


def leaderboard_rows(leaderboard: Leaderboard) -> Iterator[list[object]]:
    """Yield the lines under `HEAD`; `excluded` counts training pages."""
    for row in leaderboard.rows:
        shown = row.shown
        yield [
            leaderboard.metric,
            leaderboard.labels,
            leaderboard.gold,
            leaderboard.mean,
            row.name,
            row.version,
            json.dumps(row.parameters, sort_keys=True),
            shown.n,
            shown.failures,
            *(shown.precision, shown.recall, shown.value, shown.low, shown.high),
            row.tuned_on,
            row.seconds_per_page,
        ]
