"""manage.py changepassword NAME: in place of Django's, so that it is in the audit log and ends sessions."""

from typing import Any

from django.core.management.base import CommandParser

from annotator.common.terminal import PlainCommand
from annotator.corpora.actions import set_password
from annotator.corpora.terminal import add_password_option, password_or_error, user_or_error


class Command(PlainCommand):
    help = "Change a password. Asks for it, or reads it from standard input. The sessions of the account end."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        add_password_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        user = user_or_error(options["name"])
        set_password(user=user, password=password_or_error(user, options))
        self.stdout.write(f"Changed the password of {user.username} and ended their sessions.")
