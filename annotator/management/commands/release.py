"""manage.py release SLUG: freeze the corpus's gold as its next release, or compare two releases."""

from contextlib import suppress
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator import pipeline
from annotator.common import work
from annotator.common.errors import Conflict
from annotator.common.terminal import PlainCommand
from annotator.corpora.models import Corpus
from annotator.corpora.terminal import bar, corpus_or_error, corpus_to_change_or_error
from annotator.management.releases import release_or_error
from annotator.releases import differences
from annotator.releases.actions import build_release, request_release, stop_release
from annotator.releases.models import Release


class Command(PlainCommand):
    help = (
        "Freeze the current gold of a corpus as its next release. "
        "With --diff, print the differences between two releases instead."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--note", default="", help="release notes")
        parser.add_argument("--diff", nargs=2, type=int, metavar=("OLD", "NEW"))

    def handle(self, *args: Any, **options: Any) -> None:
        if options["diff"]:
            corpus = corpus_or_error(options["slug"])
            self._diff(*(release_or_error(corpus, number) for number in options["diff"]))
        else:
            self._build(corpus_to_change_or_error(options["slug"]), options["note"])

    def _build(self, corpus: Corpus, note: str) -> None:
        requested = request_release(corpus=corpus, note=note)
        claimed = work.claim(Release, requested.pk)
        if claimed is None:
            pipeline.enqueue(requested)
            raise CommandError("A worker has already started it.")
        try:
            with bar(None, "pages") as progress:
                work.attempt(claimed, lambda release: build_release(release, lambda _done: progress.update()))
        except KeyboardInterrupt:
            with suppress(Conflict):  # it has just ended
                stop_release(release=requested)
            raise
        built = Release.objects.get(pk=requested.pk)
        if built.error:
            raise CommandError(built.error)
        if not built.sha256:
            pipeline.enqueue(built)
            raise CommandError(f"Release {built.number} is not finished: a worker goes on with it.")
        self.stdout.write(f"release {built.number}: {built.pages} pages, SHA-256 {built.sha256}")

    def _diff(self, older: Release, newer: Release) -> None:
        found = differences.between(older, newer)
        for sign, rows in (("+", found.added), ("-", found.removed)):
            for row in rows:
                self.stdout.write(f"{sign} {row.sha256} {row.split}")
        for change in differences.changes(older, newer, found.changed):
            self._print(change)
        counts = f"{len(found.added)} added, {len(found.removed)} removed, {len(found.changed)} changed"
        self.stdout.write(f"{counts}, {found.same} unchanged")

    def _print(self, change: differences.PageChange) -> None:
        self.stdout.write(f"~ {change.sha256}{' taken down' if change.is_taken_down else ''}")
        for name in ("verdicts", "reasons", "sources", "splits", "parsers"):
            pair = getattr(change, name)
            if pair:
                self.stdout.write(f"    {name.removesuffix('s')}: {pair[0] or '-'} to {pair[1] or '-'}")
        for sign, marks in (("-", change.removed), ("+", change.added)):
            for mark in marks:
                self.stdout.write(f"    {sign} {mark.label} {mark.start}-{mark.end} {mark.quote!r}")
