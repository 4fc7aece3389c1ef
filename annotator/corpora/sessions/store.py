"""Django's session engine in the database, with the user of each session (`SESSION_ENGINE`)."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession


class SessionStore(DatabaseStore):
    @classmethod
    def get_model_class(cls) -> type[AbstractBaseSession]:
        # Settings name this module before models can be imported.
        from annotator.corpora.sessions.models import Session

        return Session

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        instance = super().create_model_instance(data)
        instance.user_id = data.get(SESSION_KEY)  # type: ignore[attr-defined]  # a Session
        return instance
