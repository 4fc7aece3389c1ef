"""A program that uses the API in a person's name."""

from datetime import timedelta
from typing import Any

from django.test import Client

from annotator.common.roles import Scope
from annotator.corpora.models import User
from annotator.corpora.tokens.actions import make_token
from tests.responses import Response

PREFIX = "/api/v1"


def token_for(user: User, *scopes: Scope) -> str:
    """A token with these scopes, by default with all."""
    _token, text = make_token(user=user, name="tests", scopes=scopes or [*Scope], lifetime=timedelta(days=1))
    return text


class Api:
    """Sends requests with a token, and no session."""

    def __init__(self, user: User | None = None, *scopes: Scope, token: str = "") -> None:
        self.token = token or (token_for(user, *scopes) if user else "")
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        self.client = Client(headers=headers)

    def get(self, path: str, **query: Any) -> Response:
        return self.client.get(PREFIX + path, query)

    def post(self, path: str, body: Any = None) -> Response:
        """Send JSON."""
        return self.client.post(PREFIX + path, body, content_type="application/json")

    def send(self, path: str, **fields: Any) -> Response:
        """Send a form with files."""
        return self.client.post(PREFIX + path, fields)

    def delete(self, path: str) -> Response:
        return self.client.delete(PREFIX + path)
