"""What the command says of its metrics."""

from annotator.management.commands.leaderboard import Command
from extraction.evaluation.page_metrics import METRICS


def test_help_lists_the_metrics_and_the_default() -> None:
    printed = " ".join(Command().create_parser("manage.py", "leaderboard").format_help().split())
    assert f"{', '.join(METRICS)}; default: character" in printed
