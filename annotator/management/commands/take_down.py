"""manage.py take_down SLUG DIGEST --reason WHY: remove a page that has to go; its digest stays."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.corpora.terminal import corpus_or_error, plain_errors
from annotator.exports.actions import withdraw_files
from annotator.releases.actions import take_down
from annotator.releases.queries import page_of, releases_with


class Command(BaseCommand):
    help = (
        "Remove the bytes, text and spans of one page everywhere, and the files exported so far; a tombstone "
        "with its digest stays. It cannot be undone."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("digest", help="the page's SHA-256, its beginning, or the page's address")
        parser.add_argument("--reason", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_or_error(options["slug"])
        page = page_of(corpus, options["digest"])
        if page is None:
            raise CommandError(f"No one page of {corpus.slug} is named by {options['digest']}.")
        with plain_errors():
            made = take_down(page=page, reason=options["reason"])
            files = withdraw_files(takedown=made)
        held = ", ".join(str(each.number) for each in releases_with(page).order_by("number")) or "none"
        self.stdout.write(
            f"{page.sha256} is taken down; releases that held it: {held}; {files} files removed"
        )
