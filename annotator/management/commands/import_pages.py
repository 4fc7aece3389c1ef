"""manage.py import_pages SLUG FORMAT PATH: import pages; resumes an interrupted import."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.common.terminal import PlainCommand
from annotator.corpora.terminal import bar, corpus_or_error
from annotator.pages.imports.actions import held, import_records, start_import
from annotator.pages.imports.models import Import, Outcome
from annotator.pages.imports.tasks import enqueue
from extraction import formats


class Command(PlainCommand):
    help = "Import pages into a corpus. Run again, it resumes an interrupted import."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("format", help=", ".join(formats.READERS))
        parser.add_argument("path", type=Path)
        parser.add_argument("--with-gold", action="store_true", help="import the gold too")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_or_error(options["slug"])
        run = start_import(
            corpus=corpus,
            format=options["format"],
            path=options["path"],
            with_gold=options["with_gold"],
        )
        if run.position:
            self.stderr.write(f"resuming after record {run.position}")
        with held(run) as claimed, bar(None, "records", initial=claimed.position) as progress:
            for added in import_records(claimed):
                enqueue(added)
                progress.update()
        run.refresh_from_db()
        self._report(run)
        if not run.position:
            raise CommandError(f"There are no pages in {options['path']}: check the format and the path.")
        if run.refused == run.position:
            raise CommandError("Every record was refused, for the reasons above; nothing was imported.")

    def _report(self, run: Import) -> None:
        for record in run.records.filter(outcome=Outcome.REFUSED):
            self.stderr.write(f"{record.location}: {record.reason}")
        self.stdout.write(f"{run.new} new, {run.duplicates} duplicates, {run.refused} refused")
