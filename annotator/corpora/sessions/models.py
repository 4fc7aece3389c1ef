"""The sessions."""

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.module_loading import import_string

from annotator.corpora.models import User


class Session(AbstractBaseSession):
    """A session of Django's, with its user as a column. Its key is a secret: screens show its digest."""

    # Null until somebody has signed in.
    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        store: type[SessionBase] = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
        return store
