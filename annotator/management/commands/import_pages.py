"""manage.py import_pages SLUG FORMAT PATH: import pages; resumes an interrupted import."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.common.terminal import PlainCommand
from annotator.corpora.models import Corpus
from annotator.corpora.terminal import bar, corpus_to_change_or_error, warn_if_held
from annotator.fetching.crawl import RETRY_AFTER
from annotator.pages.feeds.actions import read_address
from annotator.pages.imports.actions import start_fetching, start_import
from annotator.pages.imports.addresses import FEED, FETCHED_FORMATS, URLS, read_list, text_of_list
from annotator.pages.imports.importing import held, import_records
from annotator.pages.imports.models import Import, Outcome
from annotator.pages.imports.tasks import enqueue
from extraction import formats
from extraction.feeds.parse import FeedError


class Command(PlainCommand):
    help = "Import pages into a corpus. Run again, it resumes an interrupted import."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        known = ", ".join([*formats.READERS, *sorted(FETCHED_FORMATS)])
        parser.add_argument("format", help=known)
        parser.add_argument("path", help="of urls: a file with one address per line; of feed: its address")
        parser.add_argument("--with-gold", action="store_true", help="import the gold too")
        parser.add_argument(
            "--no-assets", action="store_true", help="of urls and feed: fetch no style sheets and images"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_to_change_or_error(options["slug"])
        run = self._start(corpus, options)
        if run.position:
            self.stderr.write(f"resuming after record {run.position}")
        if run.format in FETCHED_FORMATS:
            minutes = ", ".join(str(seconds // 60) for seconds in RETRY_AFTER)
            self.stderr.write(
                f"Sites that do not answer are asked again after {minutes} minutes, and waited for."
            )
        warn_if_held(self, run)
        with held(run) as claimed, bar(claimed.total, "records", initial=claimed.position) as progress:
            for added in import_records(claimed):
                enqueue(added)
                progress.update()
        run.refresh_from_db()
        self._report(run)
        if not run.position:
            raise CommandError(f"There are no pages in {options['path']}: check the format and the path.")
        if run.refused == run.position:
            raise CommandError("Every record was refused, for the reasons above; nothing was imported.")

    def _start(self, corpus: Corpus, options: dict[str, Any]) -> Import:
        name, source, looks = options["format"], options["path"], not options["no_assets"]
        path = Path(source)
        if name == FEED:
            return start_fetching(
                corpus=corpus,
                of=FEED,
                source=source,
                addresses=lambda: self._listed_by(source),
                with_assets=looks,
            )
        if name == URLS:
            source = str(path.resolve())
            return start_fetching(
                corpus=corpus, of=URLS, source=source, addresses=lambda: _listed_in(path), with_assets=looks
            )
        return start_import(corpus=corpus, format=name, path=path, with_gold=options["with_gold"])

    def _listed_by(self, url: str) -> list[str]:
        # A site may take its time, and an index of sitemaps leads to several files.
        self.stderr.write(f"Reading {url}")
        try:
            found = read_address(url).entries
        except FeedError as error:
            raise CommandError(f"{url}: {error}") from error
        self.stderr.write(f"Pages that it lists: {len(found):,}")
        return [entry.url for entry in found]

    def _report(self, run: Import) -> None:
        for record in run.records.filter(outcome=Outcome.REFUSED):
            self.stderr.write(f"{record.location}: {record.reason}")
        self.stdout.write(f"{run.new} new, {run.duplicates} duplicates, {run.refused} refused")
        if run.new and run.with_assets and run.format in FETCHED_FORMATS:
            self.stdout.write("The workers fetch the style sheets and images of the new pages.")


def _listed_in(path: Path) -> list[str]:
    try:
        return read_list(text_of_list(path.read_bytes()))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error
