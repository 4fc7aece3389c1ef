"""The sessions."""

from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from annotator.corpora.models import User
from annotator.corpora.sessions.store import SessionStore


class Session(AbstractBaseSession):
    """A session of Django's, with its user as a column. Its key is a secret: screens show its digest."""

    # Null until somebody has signed in.
    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        return SessionStore
