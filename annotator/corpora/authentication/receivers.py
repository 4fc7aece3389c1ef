"""Second factors in the audit log."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import User

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
