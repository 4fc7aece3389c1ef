"""manage.py remove_second_factor NAME: for somebody who has lost app and recovery codes."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import CommandParser
from django.db import transaction

from annotator.common.terminal import PlainCommand
from annotator.corpora.terminal import user_or_error


class Command(PlainCommand):
    help = "Remove the authenticator app and recovery codes of an account: its password alone signs in again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        user = user_or_error(options["name"])
        Authenticator.objects.filter(user=user).delete()
        self.stdout.write(f"{user.username} has no second factor.")
