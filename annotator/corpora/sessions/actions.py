"""Writes about sessions: from where each is used, and their end."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.audit.origin import client_address
from annotator.corpora.models import User
from annotator.corpora.sessions.models import Session

# In the session's data.
CLIENT = "client"
# A session is not written on every request.
SEEN_PRECISION = timedelta(minutes=5)


@receiver(user_logged_in)
def _note_sign_in(sender: object, request: HttpRequest, **more: Any) -> None:
    request.session[CLIENT] = {"begun_at": timezone.now().isoformat(), **_client(request)}


def note_activity(request: HttpRequest) -> None:
    """Note when and from where the session was used last, to five minutes."""
    client = request.session.get(CLIENT)
    seen = parse_datetime(client["seen_at"]) if client else None
    if client and (seen is None or timezone.now() - seen > SEEN_PRECISION):
        request.session[CLIENT] = {**client, **_client(request)}


def _client(request: HttpRequest) -> dict[str, Any]:
    return {
        "seen_at": timezone.now().isoformat(),
        "address": client_address(request),
        "user_agent": request.headers.get("User-Agent", "")[:300],
    }


@transaction.atomic
def end_sessions(*, user: User, keys: Iterable[str] | None = None, keep: str | None = None) -> int:
    """End sessions of the user, by default all, but for the key `keep`; return how many.

    The next request of an ended session is one of somebody who is not signed in.
    """
    sessions = Session.objects.filter(user=user).exclude(session_key=keep or "")
    if keys is not None:
        sessions = sessions.filter(session_key__in=list(keys))
    ended, _by_model = sessions.delete()
    if ended:
        record(AuditAction.SESSIONS_ENDED, about=user, changes={"sessions": ended})
    return ended
