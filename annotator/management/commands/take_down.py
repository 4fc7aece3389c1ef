"""manage.py take_down SLUG DIGEST --reason WHY: take a page down; its digest stays."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.common.terminal import PlainCommand
from annotator.corpora.terminal import corpus_or_error
from annotator.releases.actions import take_down
from annotator.releases.exports.models import Export
from annotator.releases.queries import pages_sought, releases_with


class Command(PlainCommand):
    help = (
        "Remove the bytes, text and spans of a page, and all files exported from its corpus so far. "
        "A tombstone with its digest stays. This cannot be undone."
    )
    interrupted = (
        "Stopped. Run the same command again: where it finds no such page any more, the page is taken down, "
        "and the rest of its files is removed within an hour."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("digest", help="the SHA-256 of the page, a prefix of it, or the URL of the page")
        parser.add_argument("--reason", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_or_error(options["slug"])
        found = pages_sought(corpus, options["digest"])
        if not found:
            raise CommandError(f"{corpus.slug} has no page with digest or URL {options['digest']}.")
        if len(found) > 1:
            digests = ", ".join(each.sha256 for each in found)
            raise CommandError(f"Several pages match; take down each by its digest: {digests}.")
        (page,) = found
        takedown = take_down(page=page, reason=options["reason"])
        exports = Export.objects.filter(corpus=corpus, withdrawn_at=takedown.made_at).count()
        numbers = ", ".join(str(each.number) for each in releases_with(page).order_by("number")) or "none"
        self.stdout.write(f"Took down {page.sha256}; in releases: {numbers}; {exports} exports withdrawn")
