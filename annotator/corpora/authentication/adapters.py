"""What django-allauth does differently here: nobody signs up by themselves, and all screens are ours."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from annotator.common.errors import GoldpanError
from annotator.common.http import refuse
from annotator.corpora import actions
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.audit.origin import client_address
from annotator.corpora.models import Invitation, User
from annotator.corpora.queries import open_invitations

UNKNOWN_ADDRESS = "0.0.0.0"  # noqa: S104  no address to bind: limits of all who come through one socket


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # the library is untyped
    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request) or UNKNOWN_ADDRESS

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Of those that it tries for a new account, none that looks like somebody else's."""
        User(username=username).clean()
        return str(super().clean_username(username, shallow))

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        return refuse(request, 403, _("This account is closed."))


class SingleSignOnAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # the library is untyped
    """An identity of the provider opens the account it is linked to, or the one with its verified e-mail.

    Where there is neither, an open invitation for that e-mail makes an account; nothing else does.
    """

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        if sociallogin.state.get("process") != "login":
            # Who could link an identity to a session of somebody else would own that account.
            raise ImmediateHttpResponse(_refused(request))
        if sociallogin.is_existing:
            return
        email = _verified_email(sociallogin)
        owners = list(User.objects.filter(email__iexact=email)[:2]) if email else []
        # Of two accounts with one e-mail, nobody can say whose it is.
        if len(owners) == 1:
            with transaction.atomic():
                sociallogin.connect(request, owners[0])
                record(AuditAction.IDENTITY_LINKED, about=owners[0])

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        if not _verified_email(sociallogin):
            message = _(
                "Single sign-on sent no verified email address of yours, by which Goldpan would know you. "
                "Ask whoever runs it to verify yours."
            )
            raise ImmediateHttpResponse(refuse(request, 403, message))
        if not _invitations(sociallogin):
            raise ImmediateHttpResponse(_refused(request))
        return True

    @transaction.atomic
    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        user: User = super().save_user(request, sociallogin, form)
        _drop_confusable_name(user)
        record(AuditAction.ACCOUNT_CREATED, about=user)
        record(AuditAction.IDENTITY_LINKED, about=user)
        try:
            for invitation in _invitations(sociallogin):
                actions.accept(invitation=invitation, user=user)
        except GoldpanError as error:
            raise ImmediateHttpResponse(refuse(request, error.status, error.message)) from error
        return user

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, error: Any = None, exception: Any = None, **more: Any
    ) -> None:
        raise ImmediateHttpResponse(
            refuse(request, 401, _("Single sign-on was cancelled or failed. Try again."))
        )


def _drop_confusable_name(user: User) -> None:
    """Show the username where the provider's name for somebody looks like that of somebody else here."""
    try:
        user.clean()
    except ValidationError:
        user.first_name = user.last_name = ""
        user.save(update_fields=["first_name", "last_name"])


def _refused(request: HttpRequest) -> HttpResponse:
    return refuse(
        request,
        403,
        _("There is no account for you, and no invitation. Ask the admin of your corpus for one."),
    )


def _verified_email(sociallogin: SocialLogin) -> str | None:
    # Only true is true: providers have been seen to send "false".
    return next((each.email for each in sociallogin.email_addresses if each.verified is True), None)


def _invitations(sociallogin: SocialLogin) -> list[Invitation]:
    email = _verified_email(sociallogin)
    return list(open_invitations().filter(email__iexact=email)) if email else []


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # the library is untyped
    def is_mfa_enabled(self, user: User, types: Any = None) -> bool:
        return settings.SECOND_FACTORS and super().is_mfa_enabled(user, types)
