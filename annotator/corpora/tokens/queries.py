"""Whose token it is, and the tokens of a person."""

from django.db.models import QuerySet
from django.utils import timezone

from annotator.corpora.models import User
from annotator.corpora.tokens.models import ApiToken


def valid_tokens(user: User) -> QuerySet[ApiToken]:
    """The tokens that can be used, the newest first."""
    return _valid().filter(user=user)


def token_of(text: str) -> ApiToken | None:
    """The token with its person; None where it is unknown, revoked or expired, or their account is closed."""
    found = _valid().filter(token_sha256=ApiToken.digest(text), user__is_active=True)
    return found.select_related("user").first()


def _valid() -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(revoked_at=None, expires_at__gt=timezone.now())
