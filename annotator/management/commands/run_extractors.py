"""manage.py run_extractors SLUG [NAME ...]: do all pending work of a corpus."""

from typing import Any

from django.core.management.base import CommandParser

from annotator.common.errors import GoldpanError
from annotator.common.terminal import PlainCommand
from annotator.corpora.terminal import bar, corpus_or_error
from annotator.home import pending
from annotator.runs.actions import enable
from extraction.extractors import parse_with


class Command(PlainCommand):
    help = (
        "Parse, extract, compare and score what is missing in a corpus. Workers may run at the same time. "
        "Each NAME (with parameters NAME:key=value,...) is enabled first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("names", nargs="*", metavar="NAME")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_or_error(options["slug"])
        for given in options["names"]:
            name, parameters = self._parsed(given)
            enable(corpus=corpus, name=name, **parameters)
        with bar(None, "steps") as progress:
            failed = pending.run_pending(corpus, progress=progress.update)
        self.stdout.write(f"Done; {failed} failed." if failed else "Done.")

    def _parsed(self, given: str) -> tuple[str, dict[str, Any]]:
        try:
            return parse_with(given)
        except ValueError as error:
            raise GoldpanError(str(error)) from error
