"""Who asks: session and person, looked up with every request."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotator.common.written import Written
from annotator.corpora.models import User

_sessions = Written(lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now))
_people = Written(lambda user: User.objects.filter(pk=user))


class SessionStore(db.SessionStore):
    """Django's own, in the database, where signing out or a new password ends it at once."""

    def _get_session_from_db(self) -> Session | None:
        found: Session | None = _sessions.first(key=self.session_key, now=timezone.now())
        if found is None:
            self._session_key = None
        return found


class Backend(ModelBackend):
    """Django's own, name and password."""

    def get_user(self, user_id: Any) -> User | None:
        found = _people.first(user=user_id)
        return found if found and self.user_can_authenticate(found) else None
