"""Whose token it is, and the tokens of a person."""

from django.db.models import QuerySet
from django.utils import timezone

from annotator.corpora.models import User
from annotator.corpora.tokens.models import ApiToken


def valid_tokens(user: User) -> QuerySet[ApiToken]:
    """The tokens that can be used, the newest first."""
    return ApiToken.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now())


def token_of(text: str) -> ApiToken | None:
    """The token with its person; None where it is unknown, revoked or expired, or their account is closed."""
    found = ApiToken.objects.filter(
        token_sha256=ApiToken.digest(text),
        revoked_at=None,
        expires_at__gt=timezone.now(),
        user__is_active=True,
    )
    return found.select_related("user").first()
