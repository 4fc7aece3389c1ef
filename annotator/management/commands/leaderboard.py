"""manage.py leaderboard SLUG: print the leaderboard of a corpus."""

import json
from typing import Any

from django.core.management.base import CommandParser

from annotator.common.terminal import PlainCommand
from annotator.corpora.terminal import corpus_or_error
from annotator.scoring.actions import rebuild
from annotator.scoring.leaderboard.boards import board
from annotator.scoring.leaderboard.leaderboard import Leaderboard, LeaderboardRow, to_json
from annotator.scoring.measuring import STORED
from extraction.evaluation.page_metrics import METRICS
from extraction.spans import LABEL_SETS

HEADINGS = ("extractor", "version", "n", "failed", "P", "R", "F1", "interval", "micro F1")


class Command(PlainCommand):
    help = "Print the leaderboard of a corpus, as a table or as JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--metric", default=STORED, help=f"{', '.join(METRICS)}; default: {STORED}")
        parser.add_argument(
            "--labels", help=f"{', '.join(LABEL_SETS)}; default: the one that most gold distinguishes"
        )
        parser.add_argument("--json", action="store_true")
        parser.add_argument("--rebuild", action="store_true", help="make the totals from nothing first")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_or_error(options["slug"])
        if options["rebuild"]:
            rebuild(corpus)
        leaderboard = board(corpus, labels=options["labels"], metric=options["metric"])
        self.stdout.write(
            json.dumps(to_json(leaderboard), indent=2) if options["json"] else _table(leaderboard)
        )


def _table(leaderboard: Leaderboard) -> str:
    rows = [HEADINGS, *map(_row, leaderboard.rows, to_json(leaderboard)["results"])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    title = f"{leaderboard.metric}, {leaderboard.labels}, {leaderboard.pages} gold pages"
    return "\n".join([title, *(line.rstrip() for line in lines)])


def _row(row: LeaderboardRow, result: dict[str, Any]) -> tuple[str, ...]:
    low, high = result["f1_low"], result["f1_high"]
    return (
        row.title,
        result["version"],
        str(result["n"]),
        str(result["failures"]),
        f"{result['precision']:.3f}",
        f"{result['recall']:.3f}",
        f"{result['f1']:.3f}",
        "below 30 pages" if low is None else f"{low:.3f} to {high:.3f}",
        f"{result['micro']['f1']:.3f}",
    )
