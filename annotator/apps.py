"""The one Django app."""

import logging
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnotatorConfig(AppConfig):
    name = "annotator"
    verbose_name = _("Goldpan")

    def ready(self) -> None:
        from django.conf import settings
        from django.db.models.signals import pre_migrate
        from django.urls import register_converter

        from annotator.common import ids, letters  # noqa: F401  the latter registers a lookup
        from annotator.corpora.audit import actions as audit  # noqa: F401  receives sign-ins and second factors
        from annotator.corpora.sessions import actions as sessions  # noqa: F401  receives sign-ins

        register_converter(ids.IdConverter, "id")
        pre_migrate.connect(_refuse_later_version, sender=self)
        if settings.LOG_FORMAT == "json":
            logging.captureWarnings(True)


def _refuse_later_version(using: str, **_given: Any) -> None:
    """Raises CommandError for a database of a later Goldpan.

    Django would pass over migrations that it does not know, and let us work on tables that do not fit.
    """
    from django.core.management import CommandError
    from django.db import connections
    from django.db.migrations.recorder import MigrationRecorder

    newest = max(path.stem for path in (Path(__file__).parent / "migrations").glob("0*.py"))
    applied = MigrationRecorder(connections[using]).applied_migrations()
    later = sorted(name for app, name in applied if app == "annotator" and name > newest)
    if later:
        raise CommandError(
            f"The data is of a later version of Goldpan, which made {', '.join(later)}. "
            "Install that version, or a newer one."
        )
