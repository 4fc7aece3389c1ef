"""manage.py release SLUG: freeze the corpus's gold as its next release; or say what differs between two."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator import journey
from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.corpora.terminal import bar, corpus_or_error, plain_errors
from annotator.management.releases import release_or_error
from annotator.releases import differences
from annotator.releases.actions import make, request_release
from annotator.releases.models import Release


class Command(BaseCommand):
    help = (
        "Freeze the current gold of a corpus as its next release, here and now; with --diff make nothing, "
        "and say what differs between two releases."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--note", default="", help="a sentence on what is new")
        parser.add_argument("--diff", nargs=2, type=int, metavar=("OLD", "NEW"))

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_or_error(options["slug"])
        if options["diff"]:
            self._diff(*(release_or_error(corpus, number) for number in options["diff"]))
        else:
            self._make(corpus, options["note"])

    def _make(self, corpus: Corpus, note: str) -> None:
        with plain_errors():
            asked = request_release(corpus=corpus, note=note)
            claimed = work.claim(Release, asked.pk)
            if claimed is None:
                journey.release_requested(asked)
                raise CommandError("A worker was quicker and makes it.")
            with bar(None, "pages") as progress:
                work.attempt(claimed, lambda release: make(release, lambda _done: progress.update()))
        made = Release.objects.get(pk=asked.pk)
        if made.error:
            raise CommandError(made.error)
        self.stdout.write(f"release {made.number}: {made.pages} pages, SHA-256 {made.sha256}")

    def _diff(self, older: Release, newer: Release) -> None:
        found = differences.between(older, newer)
        for sign, rows in (("+", found.added), ("-", found.removed)):
            for row in rows:
                self.stdout.write(f"{sign} {row.sha256} {row.split}")
        for change in differences.changes(found, found.changed):
            self._say(change)
        counts = f"{len(found.added)} added, {len(found.removed)} removed, {len(found.changed)} changed"
        self.stdout.write(f"{counts}, {found.same} the same")

    def _say(self, change: differences.Change) -> None:
        self.stdout.write(f"~ {change.sha256}{' taken down' if change.is_down else ''}")
        for name in ("verdicts", "splits", "parsers"):
            pair = getattr(change, name)
            if pair:
                self.stdout.write(f"    {name.removesuffix('s')}: {pair[0]} to {pair[1]}")
        for sign, marks in (("-", change.gone), ("+", change.come)):
            for mark in marks:
                self.stdout.write(f"    {sign} {mark.label} {mark.start}-{mark.end} {mark.quote!r}")
