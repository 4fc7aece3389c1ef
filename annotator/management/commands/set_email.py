"""manage.py set_email NAME EMAIL: the e-mail with which single sign-on opens an account."""

from typing import Any

from django.core.management.base import CommandParser
from django.core.validators import validate_email

from annotator.common.terminal import PlainCommand
from annotator.corpora.actions import set_email
from annotator.corpora.terminal import user_or_error, valid_or_error


class Command(PlainCommand):
    help = "Set the e-mail with which single sign-on opens an account; an empty one removes it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("email")

    def handle(self, *args: Any, **options: Any) -> None:
        user, email = user_or_error(options["name"]), options["email"]
        if email:
            valid_or_error(f"“{email}” is no e-mail", lambda: validate_email(email))
        set_email(user=user, email=email)
        self.stdout.write(f"{user.username}: {email or 'no e-mail'}")
