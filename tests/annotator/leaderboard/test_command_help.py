"""What the command says of its metrics."""

from annotator.leaderboard.queries import METRICS
from annotator.management.commands.leaderboard import Command


def test_help_names_the_stored_metric_and_the_way_to_the_others() -> None:
    printed = " ".join(Command().create_parser("manage.py", "leaderboard").format_help().split())
    assert f"{', '.join(METRICS)}: what is stored of each page" in printed
    assert "python -m extraction evaluate --help" in printed
