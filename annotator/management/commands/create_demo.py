"""manage.py create_demo: create the demo corpus, and one account per role."""

import json
import os
import secrets
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.common.terminal import PlainCommand
from annotator.demo.actions import create_demo
from annotator.demo.people import NAMES, create_account

VARIABLE = "GOLDPAN_DEMO_PAGES"


class Command(PlainCommand):
    help = "Create the demo corpus and one account per role. Running it again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--pages",
            default=os.environ.get(VARIABLE) or None,
            help="make a smaller corpus, of so many pages (default: GOLDPAN_DEMO_PAGES, or all)",
        )
        parser.add_argument(
            "--credentials", type=Path, required=True, help="file for the generated passwords"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        pages = _number(options["pages"])
        credentials = self._credentials(options["credentials"])
        corpus = create_demo(pages)
        for role, account in credentials.items():
            create_account(corpus, role=role, **account)
        self.stdout.write(f"{corpus.slug}: {corpus.pages.count()} pages")

    def _credentials(self, path: Path) -> dict[str, dict[str, str]]:
        """Return the accounts, with generated passwords that only the owner of the file can read."""
        if path.exists():
            return _read(path)
        accounts = {
            role: {"name": name, "password": secrets.token_urlsafe(12)}
            for role, (name, *_others) in NAMES.items()
        }
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(accounts, file, indent=2)
        return accounts


def _number(pages: str | int | None) -> int | None:
    try:
        number = None if pages is None else int(pages)
    except ValueError:
        number = 0
    if number is not None and number < 1:
        raise CommandError(f"{VARIABLE} or --pages is {pages}: write a number of pages, such as 12.")
    return number


def _read(path: Path) -> dict[str, dict[str, str]]:
    try:
        accounts = json.loads(path.read_text(encoding="utf-8"))
        return {
            role: {key: account[key] for key in ("name", "password")} for role, account in accounts.items()
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CommandError(f"{path} holds no sign-ins. Name another file.") from error
