"""The views of django-allauth that are in use, under the names by which it looks for them."""

from functools import wraps
from typing import Any

from allauth.account import views as account
from allauth.mfa.base import views as second_factor
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.socialaccount.providers.openid_connect import views as openid_connect
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.views.generic import RedirectView
from requests import RequestException

from annotator.common.http import View, refuse


def _if_enabled(view: View) -> View:
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.SECOND_FACTORS:
            raise Http404
        return view(request, *args, **kwargs)

    return wrapped


def _answers_outages(view: View) -> View:
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except RequestException:
            message = _("Single sign-on cannot be reached. Try again, or sign in with your password.")
            return refuse(request, 503, message)

    return wrapped


urlpatterns = [
    # Single sign-on: without a provider in the settings these answer 404.
    path(
        "single-sign-on/<slug:provider_id>/",
        _answers_outages(openid_connect.login),
        name="openid_connect_login",
    ),
    path(
        "single-sign-on/<slug:provider_id>/callback/",
        _answers_outages(openid_connect.callback),
        name="openid_connect_callback",
    ),
    # Second factors
    path("sign-in/code/", _if_enabled(second_factor.authenticate), name="mfa_authenticate"),
    path("account/confirm/", _if_enabled(account.reauthenticate), name="account_reauthenticate"),
    path("account/confirm/code/", _if_enabled(second_factor.reauthenticate), name="mfa_reauthenticate"),
    path("account/authenticator/", _if_enabled(totp.activate_totp), name="mfa_activate_totp"),
    path("account/authenticator/remove/", _if_enabled(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path(
        "account/recovery-codes/",
        _if_enabled(recovery_codes.view_recovery_codes),
        name="mfa_view_recovery_codes",
    ),
    path(
        "account/recovery-codes/new/",
        _if_enabled(recovery_codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    # Where it sends people to.
    path("sign-in/again/", RedirectView.as_view(pattern_name="sign-in"), name="account_login"),
    path("account/second-factor/", RedirectView.as_view(pattern_name="account"), name="mfa_index"),
]
