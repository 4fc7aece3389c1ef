"""Writing the audit log."""

from collections.abc import Mapping
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed
from axes.handlers.proxy import AxesProxyHandler
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.http import HttpRequest

from annotator.corpora.audit.models import AuditAction, AuditEvent
from annotator.corpora.audit.origin import current_origin
from annotator.corpora.models import Corpus, User


def record(
    action: AuditAction,
    *,
    corpus: Corpus | None = None,
    by: User | None = None,
    about: User | None = None,
    item: object = "",
    changes: Mapping[str, Any] | None = None,
) -> AuditEvent:
    """Add an event, in the transaction of what it records.

    `by` is the person who acted, by default the one who is signed in. `changes` are values for JSON; never
    pass secrets, texts of pages, marks, or what somebody wrote about a page.
    Raises TransactionManagementError outside a transaction.
    """
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError(f"{action} is recorded outside a transaction")
    origin = current_origin()
    return AuditEvent.objects.create(
        action=action,
        source=origin.source,
        person=by or origin.person,
        address=origin.address,
        corpus=corpus,
        about=about,
        item=str(item)[:200],
        changes=dict(changes or {}),
    )


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The values that are not the same, by name: [before, after]."""
    return {name: [before.get(name), value] for name, value in after.items() if before.get(name) != value}


# ---- signing in and out, by whatever means ----


@receiver(user_logged_in)
@transaction.atomic
def _record_sign_in(sender: object, user: User, **more: Any) -> None:
    record(AuditAction.SIGNED_IN, by=user)


@receiver(user_logged_out)
@transaction.atomic
def _record_sign_out(sender: object, user: User | None, **more: Any) -> None:
    if user:
        record(AuditAction.SIGNED_OUT, by=user)


@receiver(user_login_failed)
@transaction.atomic
def _record_failed_sign_in(
    sender: object, credentials: Mapping[str, Any], request: HttpRequest | None = None, **more: Any
) -> None:
    """A name without an account is not stored: it may be a password typed into the wrong field."""
    username = str(credentials.get("username", ""))
    # An attacker must not be able to fill the log: attempts during a lockout are refused unread.
    if request and not AxesProxyHandler.is_allowed(request, {"username": username}):
        return
    record(AuditAction.SIGN_IN_FAILED, about=User.objects.filter(username=username).first())


# The library's own signals of these come after the commit.


@receiver(post_save, sender=Authenticator)
def _record_added(sender: object, instance: Authenticator, created: bool, **more: Any) -> None:
    if created:
        record(AuditAction.SECOND_FACTOR_ADDED, about=instance.user, item=instance.type)


@receiver(post_delete, sender=Authenticator)
def _record_removed(sender: object, instance: Authenticator, **more: Any) -> None:
    record(AuditAction.SECOND_FACTOR_REMOVED, about=instance.user, item=instance.type)


@receiver(authentication_failed)
@transaction.atomic
def _record_failure(sender: object, user: User, authenticator: Authenticator, **more: Any) -> None:
    record(AuditAction.SIGN_IN_FAILED, about=user, item=authenticator.type)
