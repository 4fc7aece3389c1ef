"""manage.py reparse SLUG: the corpus's documents, made by the parser that runs here, with their gold."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotator.corpora.terminal import bar, corpus_or_error, plain_errors
from annotator.reparsing import actions, queries
from annotator.reparsing.models import Move, Reparse
from annotator.reparsing.tasks import move_page

# What a worker holds is looked at again after this, in seconds.
PATIENCE = 0.2
WORST = 10


class Command(BaseCommand):
    help = (
        "Make the documents of a corpus anew with the parser that runs here, carry their gold, and say what "
        "moved; workers may do the same meanwhile. Pages on which somebody works are left to the workers. "
        "Stopped, the same command goes on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--dry-run", action="store_true", help="only say how many pages would move")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_or_error(options["slug"])
        if options["dry_run"]:
            self._say_versions(corpus)
            return
        with plain_errors():
            run = actions.start(corpus=corpus)
            total = queries.tallied(run)
            with bar(total["pages"], "pages", initial=total["pages"] - total["left"]) as progress:
                work_off(run, progress)
        self._report(run)

    def _say_versions(self, corpus: Any) -> None:
        for each in queries.versions(corpus):
            self.stdout.write(f"{each['version']}: {each['pages']} pages")
        self.stdout.write(f"{queries.to_move(corpus, actions.PARSER_VERSION).count()} pages would move")

    def _report(self, run: Reparse) -> None:
        said = queries.tallied(run)
        self.stdout.write(
            f"{said['moved']} of {said['pages']} pages moved to {run.version}; "
            f"{said['waiting']} wait until they are settled, {said['failed']} failed"
        )
        self.stdout.write(
            f"marked stretches: {said['same']} the same, {said['changed']} changed, {said['lost']} with loss "
            f"({said['characters_lost']} characters); {said['to_settle']} pages before an adjudicator"
        )
        worst = queries.worst_first(run).exclude(error="", lost=0, changed=0)
        for move in worst.filter(finished_at__isnull=False)[:WORST]:
            what = move.error or f"{move.characters_lost} characters lost, {move.changed} changed"
            self.stdout.write(f"  {move.page.sha256[:12]} {move.page}: {what}")


def work_off(run: Reparse, progress: Any) -> None:
    """Move every page that can move, here; what workers hold is waited for."""
    while True:
        free = Move.objects.claimable(timezone.now()).filter(run=run, waiting_since=None)
        rows = list(free.values_list("pk", flat=True)[: actions.AT_ONCE])
        for pk in rows:
            move_page(pk)
            said = queries.tallied(run)
            progress.n = said["pages"] - said["left"]
            progress.refresh()
        if not rows:
            if not queries.open_moves(run).filter(waiting_since=None).exists():
                return
            time.sleep(PATIENCE)
