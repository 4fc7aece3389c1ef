"""The sessions of a user, as they are shown to them."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from annotator.corpora.models import User
from annotator.corpora.sessions.actions import CLIENT
from annotator.corpora.sessions.models import Session

# In this order: most browsers name those that they are like as well.
BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrom", "Chromium"), ("Safari/", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
    ("Mac OS", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip


def browser_title(user_agent: str) -> str:
    """Browser and system of a User-Agent header: Firefox, Linux."""
    found = (_first(names, user_agent) for names in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, found)) or _("Unknown browser")


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((title for sign, title in names if sign in user_agent), "")


@dataclass(frozen=True)
class OpenSession:
    """A session that has not ended. `digest` stands for its key, which is never shown."""

    key: str
    browser: str
    address: str | None
    begun_at: datetime | None
    seen_at: datetime | None

    @property
    def digest(self) -> str:
        return sha256(self.key.encode()).hexdigest()


def open_sessions(user: User) -> list[OpenSession]:
    """The user's open sessions, the last used first."""
    rows = Session.objects.filter(user=user, expire_date__gt=timezone.now())
    found = [_open_session(row) for row in rows]
    return sorted(found, key=lambda each: each.seen_at or timezone.now(), reverse=True)


def _open_session(row: Session) -> OpenSession:
    client = row.get_decoded().get(CLIENT, {})
    return OpenSession(
        key=row.session_key,
        browser=browser_title(client.get("user_agent", "")),
        address=client.get("address"),
        begun_at=parse_datetime(client.get("begun_at", "")),
        seen_at=parse_datetime(client.get("seen_at", "")),
    )
