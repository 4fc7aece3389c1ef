"""manage.py create_admin NAME: create the first admin, who invites the others."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.common.terminal import PlainCommand
from annotator.corpora.actions import create_account
from annotator.corpora.models import User
from annotator.corpora.terminal import add_password_option, password_or_error, valid_or_error


class Command(PlainCommand):
    help = "Create an admin of the whole site. Asks for the password, or reads it from standard input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        add_password_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        if User.objects.filter(username__iexact=name).exists():
            raise CommandError(f"The username “{name}” is taken.")
        user = User(username=name, is_superuser=True)
        valid_or_error(f"“{name}” is no username", lambda: user.full_clean(exclude=["password"]))
        password = password_or_error(user, options)
        create_account(username=name, password=password, is_superuser=True)
        self.stdout.write(f"Created {name}. Sign in to invite others.")
