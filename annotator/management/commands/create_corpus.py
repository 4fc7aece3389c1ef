"""manage.py create_corpus SLUG: create a corpus with the default labels and extractors."""

from typing import Any

from django.core.management.base import CommandParser

from annotator.common.terminal import PlainCommand
from annotator.home.actions import create_corpus


class Command(PlainCommand):
    help = "Create a corpus with the default labels and extractors."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="identifies the corpus in URLs: letters, digits, hyphens")
        parser.add_argument("--name", default="", help="display name, by default the slug")
        parser.add_argument("--language", action="append", default=[], help="ISO 639-1, repeatable")
        parser.add_argument("--annotators", type=int, default=2, help="annotators per page, 1 to 5")
        parser.add_argument(
            "--blind-share", type=float, default=0.2, help="share of pages without suggestions, at least 0.2"
        )
        parser.add_argument(
            "--audit-share", type=float, default=0.0, help="share of unanimous pages that are audited"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = create_corpus(
            slug=options["slug"],
            name=options["name"],
            languages=options["language"],
            slots=options["annotators"],
            blind_share=options["blind_share"],
            audit_share=options["audit_share"],
        )
        self.stdout.write(f"Created {corpus.slug}, seed {corpus.seed}")
