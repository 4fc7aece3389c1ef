"""Who asks: session and person, looked up with every request."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet, Subquery
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from annotator.common.written import Written
from annotator.corpora.models import Membership, User

# Of how many sessions this process remembers whose they were.
AT_MOST = 10_000


def _standing_sessions(key: Any, now: Any) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)


_sessions = Written(_standing_sessions)
_people = Written(lambda user: User.objects.filter(pk=user))


class SessionStore(db.SessionStore):
    """Django's own, in the database, where signing out or a new password ends it at once."""

    def _get_session_from_db(self) -> Session | None:
        found: Session | None = _sessions.first(key=self.session_key, now=timezone.now())
        if found is None:
            self._session_key = None
        return found

    def has_come(self, content: dict[str, Any]) -> None:
        """It was looked up already."""
        self._session_cache, self.accessed = content, True


class Backend(ModelBackend):
    """Django's own, name and password."""

    def get_user(self, user_id: Any) -> User | None:
        found = _people.first(user=user_id)
        return found if found and self.user_can_authenticate(found) else None


BACKEND = f"{Backend.__module__}.{Backend.__qualname__}"

# ---- all in one question ----

# Whose a session was when it was last asked about: about whom to ask at once, and no more than that.
_whose: dict[str, int] = {}

_arriving = Written(
    lambda user, slug, key, now: (
        Membership.objects.filter(user=user, corpus__slug=slug, ended_at=None)
        .select_related("user", "corpus")
        .annotate(session=Subquery(_standing_sessions(key, now).values("session_data")))
        .order_by()
    )
)


def arrive(request: HttpRequest, slug: str) -> list[Membership]:
    """What she holds in the corpus now, with her and the corpus; her session and she are the request's then.

    Nothing where this process cannot say whose the session may be, or any of it does not hold: what then is
    the case is looked up step by step, as Django does it.
    """
    key = request.session.session_key
    if key not in _whose:
        return []
    held = _arriving(user=_whose[key], slug=slug, key=key, now=timezone.now())
    content = _content(held[0].session) if held and held[0].session else {}
    if not held or not _is_of(content, held[0].user):
        return []
    request.session.has_come(dict(content))
    # Herself: whatever is read of Django's lazy stand-in goes through it each time.
    request.user = held[0].user
    return held


@lru_cache(AT_MOST)
def _content(stored: str) -> Mapping[str, Any]:
    """What a session holds: its signature says that we wrote it, which stays true."""
    return MappingProxyType(SessionStore().decode(stored))


def remember(request: HttpRequest) -> None:
    """Whose the session is, for her next request."""
    key = request.session.session_key
    if key and _whose.get(key) != request.user.pk:
        if len(_whose) >= AT_MOST:
            _whose.clear()
        _whose[key] = request.user.pk


def _is_of(content: Mapping[str, Any], person: User) -> bool:
    """Whether she signed in there, with the password that she has now, and may."""
    return (
        content.get(SESSION_KEY) == str(person.pk)
        and content.get(BACKEND_SESSION_KEY) == BACKEND
        and constant_time_compare(content.get(HASH_SESSION_KEY, ""), person.get_session_auth_hash())
        and person.is_active
    )
