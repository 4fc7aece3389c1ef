"""manage.py reparse SLUG: parse the pages of a corpus again, and project their gold."""

import time
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from annotator.common.terminal import PlainCommand
from annotator.corpora.terminal import bar, corpus_or_error, corpus_to_change_or_error
from annotator.reparsing import actions, queries
from annotator.reparsing.models import Reparse, ReparseJob
from annotator.reparsing.tasks import reparse_page
from extraction.documents.document import PARSER_VERSION

# Seconds to wait for jobs that a worker has claimed.
WAIT = 0.2
WORST = 10


class Command(PlainCommand):
    help = (
        "Parse the pages of a corpus again with the installed parser, project their gold, and report the "
        "changes. Workers may run at the same time. Pages that somebody is working on are left to workers. "
        "Run again, it resumes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument(
            "--dry-run", action="store_true", help="only print how many pages would be parsed again"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        found = corpus_or_error if options["dry_run"] else corpus_to_change_or_error
        corpus = found(options["slug"])
        if options["dry_run"]:
            self._print_versions(corpus)
            return
        run = actions.start(corpus=corpus)
        total = queries.progress_of(run)
        try:
            with bar(total["pages"], "pages", initial=total["pages"] - total["left"]) as progress:
                run_pending(run, progress)
        except KeyboardInterrupt:
            actions.stop(run=run)
            raise
        self._report(run)
        if Reparse.objects.filter(pk=run.pk, stopped_at__isnull=False).exists():
            raise CommandError("Somebody has stopped it. Run again, it resumes.")

    def _print_versions(self, corpus: Any) -> None:
        for each in queries.versions(corpus):
            self.stdout.write(f"{each['version']}: {each['pages']} pages")
        self.stdout.write(
            f"{queries.outdated_pages(corpus, PARSER_VERSION).count()} pages would be parsed again"
        )

    def _report(self, run: Reparse) -> None:
        counts = queries.progress_of(run)
        self.stdout.write(
            f"{counts['done']} of {counts['pages']} pages parsed by {run.version}; "
            f"{counts['waiting']} wait until work on them is finished, {counts['failed']} failed"
        )
        self.stdout.write(
            f"marked intervals: {counts['same']} unchanged, {counts['changed']} changed, "
            f"{counts['lost']} with losses ({counts['lost_characters']} characters); "
            f"{counts['in_adjudication']} pages to adjudicate"
        )
        worst = queries.worst_first(run).exclude(error="", lost_intervals=0, changed_intervals=0)
        for job in worst.filter(finished_at__isnull=False)[:WORST]:
            what = job.error or f"{job.lost_characters} characters lost, {job.changed_intervals} changed"
            self.stdout.write(f"  {job.page.sha256[:12]} {job.page}: {what}")


def run_pending(run: Reparse, progress: Any) -> None:
    """Parse what can be parsed again, here, and wait for what workers hold, until it is stopped."""
    left = ReparseJob.objects.open().filter(run=run, run__stopped_at=None, waiting_since=None)
    while left.exists():
        ready = left.ready(timezone.now())
        rows = list(ready.values_list("pk", flat=True)[: actions.AT_ONCE])
        for pk in rows:
            reparse_page(pk)
            counts = queries.progress_of(run)
            progress.n = counts["pages"] - counts["left"]
            progress.refresh()
        if not rows:
            time.sleep(WAIT)
