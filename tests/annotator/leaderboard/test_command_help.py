"""What the command says of its metrics."""

from annotator.management.commands.leaderboard import Command
from extraction.measures import METRICS


def test_help_names_every_metric_and_the_usual_one() -> None:
    printed = " ".join(Command().create_parser("manage.py", "leaderboard").format_help().split())
    assert f"{', '.join(METRICS)}; character if not given" in printed
