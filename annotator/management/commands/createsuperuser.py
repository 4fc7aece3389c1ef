"""Django's manage.py createsuperuser, refused: the audit log would not know of it."""

from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.core.management.base import CommandError


class Command(createsuperuser.Command):
    help = "Use create_admin."

    def handle(self, *args: Any, **options: Any) -> None:
        raise CommandError("Create admins with create_admin NAME.")
