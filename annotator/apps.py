"""The one Django app."""

import logging

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnotatorConfig(AppConfig):
    name = "annotator"
    verbose_name = _("Goldpan")

    def ready(self) -> None:
        from django.conf import settings
        from django.urls import register_converter

        from annotator.common import ids
        from annotator.corpora.audit import actions as audit  # noqa: F401  receives sign-ins and second factors
        from annotator.corpora.sessions import actions as sessions  # noqa: F401  receives sign-ins

        register_converter(ids.IdConverter, "id")
        if settings.LOG_FORMAT == "json":
            logging.captureWarnings(True)
