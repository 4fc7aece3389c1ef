"""manage.py create_admin NAME: create the first admin, who invites the others."""

from collections.abc import Callable
from getpass import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from annotator.common.terminal import PlainCommand
from annotator.corpora.actions import create_account
from annotator.corpora.models import User


class Command(PlainCommand):
    help = "Create an admin of the whole site. Asks for the password, or reads it from standard input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the password from standard input"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        if User.objects.filter(username__iexact=name).exists():
            raise CommandError(f"The username “{name}” is taken.")
        user = User(username=name, is_superuser=True)
        self._check(f"“{name}” is no username", lambda: user.full_clean(exclude=["password"]))
        try:
            password = input() if options["password_stdin"] else self._ask()
        except EOFError as error:
            raise CommandError("No password was given.") from error
        self._check("This is no password", lambda: validate_password(password, user))
        create_account(username=name, password=password, is_superuser=True)
        self.stdout.write(f"Created {name}. Sign in to invite others.")

    def _check(self, wrong: str, validate: Callable[[], None]) -> None:
        try:
            validate()
        except ValidationError as error:
            raise CommandError(f"{wrong}: {' '.join(error.messages)}") from error

    def _ask(self) -> str:
        password = getpass("Password: ")
        if password != getpass("Repeat password: "):
            raise CommandError("The passwords do not match.")
        return password
