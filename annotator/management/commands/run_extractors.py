"""manage.py run_extractors SLUG [NAME ...]: everything that is missing, here and now."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotator.common.errors import GoldpanError
from annotator.corpora.terminal import bar, corpus_or_error, plain_errors
from annotator.home import pending
from annotator.runs.actions import enable
from extraction.extractors import parse_with


class Command(BaseCommand):
    help = (
        "Build, extract, settle and score what is missing in a corpus; workers may do the same meanwhile. "
        "A NAME (NAME:key=value,... with parameters) is enabled first if it is not."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("names", nargs="*", metavar="NAME")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_or_error(options["slug"])
        with plain_errors():
            for given in options["names"]:
                name, parameters = self._parsed(given)
                enable(corpus=corpus, name=name, **parameters)
        with bar(None, "steps") as progress, plain_errors():
            failed = pending.work_off(corpus, progress=progress.update)
        self.stdout.write(f"everything is done; {failed} failed" if failed else "everything is done")

    def _parsed(self, given: str) -> tuple[str, dict[str, Any]]:
        try:
            return parse_with(given)
        except ValueError as error:
            raise GoldpanError(str(error)) from error
