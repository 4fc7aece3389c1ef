"""Writes about tokens: made, revoked, used."""

import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common.errors import Conflict, GoldpanError
from annotator.common.roles import Scope
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import User
from annotator.corpora.tokens.models import NAME_LENGTH, ApiToken
from annotator.corpora.tokens.queries import valid_tokens

# By which scanners of published code find a token that was published by mistake.
PREFIX = "goldpan_"
MAX_TOKENS = 30
LONGEST = timedelta(days=366)
# A token is not written on every request.
USED_PRECISION = timedelta(minutes=5)


@transaction.atomic
def make_token(*, user: User, name: str, scopes: Iterable[str], lifetime: timedelta) -> tuple[ApiToken, str]:
    """Make a token of the user and return it with its text, which is not stored and never shown again.

    Raises GoldpanError for a token without name or scopes, or one that would be valid too long or not at all;
    Conflict where the user has too many.
    """
    name, scopes = " ".join(name.split()), set(scopes)
    chosen = [scope.value for scope in Scope if scope in scopes]
    if not name or len(name) > NAME_LENGTH:
        raise GoldpanError(_("Give the token a name of at most %(n)d characters.") % {"n": NAME_LENGTH})
    if not chosen or len(chosen) < len(scopes):
        raise GoldpanError(_("Choose what the token may do."))
    if not timedelta(0) < lifetime <= LONGEST:
        raise GoldpanError(_("A token expires within a year."))
    User.objects.select_for_update().get(pk=user.pk)
    if valid_tokens(user).count() >= MAX_TOKENS:
        raise Conflict(_("You have %(n)d tokens. Revoke one that you no longer use.") % {"n": MAX_TOKENS})
    text = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        scopes=chosen,
        beginning=text[: len(PREFIX) + 4],
        token_sha256=ApiToken.digest(text),
        expires_at=timezone.now() + lifetime,
    )
    _record(AuditAction.TOKEN_MADE, token)
    return token, text


@transaction.atomic
def revoke_token(*, token: ApiToken) -> None:
    """Make the token useless at once. Raises Conflict if it was revoked already."""
    if not ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        raise Conflict(_("This token has already been revoked."))
    _record(AuditAction.TOKEN_REVOKED, token)


def note_use(*, token: ApiToken) -> None:
    """Note when the token was used last, to five minutes."""
    now = timezone.now()
    seldom = Q(used_at=None) | Q(used_at__lt=now - USED_PRECISION)
    if token.used_at is None or now - token.used_at > USED_PRECISION:
        ApiToken.objects.filter(seldom, pk=token.pk).update(used_at=now)


def _record(action: AuditAction, token: ApiToken) -> None:
    changes = {"name": token.name, "scopes": token.scopes, "expires_at": token.expires_at.isoformat()}
    record(action, by=token.user, about=token.user, item=token.pk, changes=changes)
