"""How often a password may be wrong. django-axes records the failures and refuses; the limits are these.

Failures of the last minutes count for a username from one address, for an address whatever the username, and
for a username wherever they come from. A browser in which a person has signed in before has a count of its
own for their username alone: neither somebody at the same address nor somebody who guesses at their name
from elsewhere keeps them out. (OWASP calls this device cookies.) A reset link makes a browser known, too.
"""

import secrets
from datetime import timedelta

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Q, Sum
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from annotator.corpora.audit.origin import client_address
from annotator.corpora.models import User

PER_ADDRESS = 10
PER_USERNAME = 20
COOKIE = "known_browser"
KNOWN_FOR = timedelta(days=180)


class SignInLimits(AxesDatabaseHandler):  # type: ignore[misc]  # django-axes has no types
    """The handler of django-axes, with a limit for each count."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, str] | None = None) -> int:
        """How many attempts fewer than AXES_FAILURE_LIMIT are left under the limit that is nearest."""
        limits = _limits(request, credentials)
        since = timezone.now() - timedelta(hours=settings.AXES_COOLOFF_TIME)
        recent = AccessAttempt.objects.filter(attempt_time__gte=since)
        failures = recent.aggregate(
            **{
                name: Coalesce(Sum("failures_since_start", filter=which), 0)
                for name, (which, _) in limits.items()
            }
        )
        left = min(most - failures[name] for name, (_, most) in limits.items())
        return int(settings.AXES_FAILURE_LIMIT - left)


def _limits(request: HttpRequest, credentials: dict[str, str] | None) -> dict[str, tuple[Q, int]]:
    """What counts together, and how many failures are allowed."""
    username = Q(username=counted_as(request, credentials))
    if _known_browser(request, credentials):
        return {"browser": (username, settings.AXES_FAILURE_LIMIT)}
    address = Q(ip_address=client_address(request))
    return {
        "both": (username & address, settings.AXES_FAILURE_LIMIT),
        "address": (address, PER_ADDRESS),
        "username": (username, PER_USERNAME),
    }


def counted_as(request: HttpRequest, credentials: dict[str, str] | None) -> str:
    """The name under which django-axes records an attempt: the username, and the browser if it is known."""
    return f"{_username(request, credentials)} {_known_browser(request, credentials)}".rstrip()


def remember_browser(response: HttpResponse, user: User) -> HttpResponse:
    """Make this a known browser of the user by the response, which is returned."""
    response.set_signed_cookie(
        COOKIE,
        secrets.token_urlsafe(12),
        salt=_salt(user.username),
        max_age=KNOWN_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _known_browser(request: HttpRequest, credentials: dict[str, str] | None) -> str:
    """The key of a browser that is known for the username; empty for another one."""
    salt = _salt(_username(request, credentials))
    return request.get_signed_cookie(COOKIE, default="", salt=salt, max_age=KNOWN_FOR) or ""


def _salt(username: str) -> str:
    """A browser known for one username is not known for another: its cookie is signed for the first alone."""
    return f"{COOKIE} {username}"


def _username(request: HttpRequest, credentials: dict[str, str] | None) -> str:
    return (credentials or {}).get("username") or request.POST.get("username", "")
