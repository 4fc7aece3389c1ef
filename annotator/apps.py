"""The one Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnotatorConfig(AppConfig):
    name = "annotator"
    verbose_name = _("Goldpan")

    def ready(self) -> None:
        from django.urls import register_converter

        from annotator.common import ids, startup

        register_converter(ids.IdConverter, "id")
        startup.check_limits()
