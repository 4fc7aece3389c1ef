"""manage.py import_pages SLUG FORMAT PATH: bring pages in, and go on where it stopped."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotator import journey
from annotator.corpora.terminal import bar, corpus_or_error, plain_errors
from annotator.imports.actions import run_import, start_import
from annotator.imports.models import Import
from annotator.pages.actions import Added
from extraction import formats


class Command(BaseCommand):
    help = "Bring pages into a corpus. Broken off, the same command goes on where it stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("format", help=", ".join(formats.READERS))
        parser.add_argument("path", type=Path)
        parser.add_argument("--with-gold", action="store_true", help="take the gold along")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_or_error(options["slug"])
        with plain_errors():
            run = start_import(
                corpus=corpus,
                format=options["format"],
                path=options["path"],
                with_gold=options["with_gold"],
            )
        if run.position:
            self.stderr.write(f"going on after record {run.position}")
        with bar(None, "records", initial=run.position) as progress, plain_errors():
            for added in run_import(run):
                if added:
                    _send_on(added)
                progress.update()
        self._report(run)

    def _report(self, run: Import) -> None:
        for problem in run.problems.all():
            self.stderr.write(f"{problem.place}: {problem.reason}")
        self.stdout.write(f"{run.new} new, {run.duplicates} there already, {run.refused} refused")


def _send_on(added: Added) -> None:
    if added.new:
        journey.page_added(added.page)
    if added.gold:
        journey.gold_arrived(added.gold)
