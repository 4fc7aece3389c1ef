"""manage.py export SLUG FORMAT PATH [--release N]: export the corpus's gold to a file or folder."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.common.terminal import PlainCommand
from annotator.corpora.terminal import bar, corpus_or_error
from annotator.management.releases import release_or_error
from annotator.releases.exports.actions import check, is_folder, record_written, write, write_folder
from annotator.releases.exports.contents import Contents
from annotator.releases.exports.formats import WRITERS
from annotator.releases.exports.presentation import losses_of
from extraction.formats.writing import Loss


class Command(PlainCommand):
    help = (
        "Write the current gold of a corpus, or a release, to PATH. It is reproducible byte for byte. "
        "Some formats are folders, and are written as an archive if PATH ends in .zip. "
        "A release is always a folder, with manifest, datasheets and checksums."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("format", choices=list(WRITERS))
        parser.add_argument("path", type=Path)
        parser.add_argument("--release", type=int, metavar="N", help="export release N")
        parser.add_argument("--no-pages", action="store_true", help="leave out the pages as captured")
        parser.add_argument(
            "--annotations",
            action="store_true",
            help="with what annotators submitted before adjudication, under pseudonyms",
        )

        parser.add_argument(
            "--outputs", action="store_true", help="with what extractors take; for the current gold"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        corpus, path = corpus_or_error(options["slug"]), options["path"]
        release = release_or_error(corpus, options["release"]) if options["release"] is not None else None
        contents = Contents(
            corpus=corpus,
            format=options["format"],
            release=release,
            pages=not options["no_pages"],
            annotations=options["annotations"],
            outputs=options["outputs"],
        )
        check(contents)
        as_folder = is_folder(contents) and path.suffix != ".zip"
        _check_path(path, as_folder)
        record_written(contents)
        losses: Counter[Loss] = Counter()
        # A folder of its own: two commands may write to one path. An export that fails leaves nothing.
        with (
            TemporaryDirectory(
                dir=path.absolute().parent, prefix=f"{path.name}.", suffix=".partial"
            ) as folder,
            bar(None, "pages") as progress,
        ):

            def step(_done: int) -> None:
                progress.update()

            partial = Path(folder) / path.name
            writer = write_folder if as_folder else write
            count = writer(contents, partial, step=step, losses=losses)
            _check_path(path, as_folder)
            partial.replace(path)
        for loss, pages in losses_of(losses):
            self.stderr.write(f"not in it: {loss} (pages: {pages})")
        self.stdout.write(f"{count} pages in {path}")


def _check_path(path: Path, as_folder: bool) -> None:
    if not path.absolute().parent.is_dir():
        raise CommandError(f"The parent folder of {path} does not exist.")
    if as_folder and path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise CommandError(f"{path} must be a new or empty folder.")
    if not as_folder and path.is_dir():
        raise CommandError(f"{path} is a folder; name a file.")
