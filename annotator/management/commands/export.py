"""manage.py export SLUG FORMAT PATH: the corpus's gold in one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.corpora.terminal import bar, corpus_or_error
from annotator.exports.actions import write
from annotator.gold.queries import current_gold
from extraction import formats


class Command(BaseCommand):
    help = "Write the current gold of a corpus to PATH; the same gold gives the same bytes everywhere."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("format", choices=list(formats.WRITERS))
        parser.add_argument("path", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_or_error(options["slug"])
        path: Path = options["path"]
        if path.is_dir() or not path.parent.is_dir():
            raise CommandError(f"{path} must be a file in a folder that exists.")
        partial = path.with_name(path.name + ".partial")
        with bar(current_gold(corpus).count(), "pages") as progress:
            count = write(corpus, options["format"], partial, step=lambda _done: progress.update())
        partial.replace(path)
        self.stdout.write(f"{count} pages in {path}")
