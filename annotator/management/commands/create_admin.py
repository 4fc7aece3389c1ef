"""manage.py create_admin NAME: create the first admin, who invites the others."""

from getpass import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.corpora.models import User


class Command(BaseCommand):
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
        password = input() if options["password_stdin"] else self._ask()
        user = User(username=name, is_superuser=True)
        try:
            user.full_clean(exclude=["password"])
            validate_password(password, user)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        user.set_password(password)
        user.save()
        self.stdout.write(f"Created {name}. Sign in to invite others.")

    def _ask(self) -> str:
        password = getpass("Password: ")
        if password != getpass("Repeat password: "):
            raise CommandError("The passwords do not match.")
        return password
