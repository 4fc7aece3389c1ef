"""Signing in, accepting an invitation, resetting a password."""

from allauth.account.utils import perform_login
from axes.handlers.proxy import AxesProxyHandler
from axes.utils import reset as forget_failures
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme, urlsafe_base64_decode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotator.common.errors import Conflict, GoldpanError
from annotator.common.http import answers_errors, refuse
from annotator.corpora import actions, queries
from annotator.corpora.authentication.provider import PROVIDER_ID
from annotator.corpora.forms import SignInForm, SignUpForm
from annotator.corpora.guessing import remember_browser
from annotator.corpora.models import Invitation, User

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect(_wanted_next(request))
    form = SignInForm(request, data=request.POST or None)
    if request.method == "POST" and form.is_valid():
        # Asks for the second factor of those who have one, then signs in.
        response: HttpResponse = perform_login(request, form.get_user(), redirect_url=_wanted_next(request))
        return remember_browser(response, form.get_user())
    context = {
        "form": form,
        "next": request.POST.get("next") or request.GET.get("next", ""),
        "single_sign_on": settings.SINGLE_SIGN_ON,
        "provider_id": PROVIDER_ID,
    }
    if form.is_bound:
        context["tries"] = _attempts_left(request, form)
    return render(request, "corpora/sign_in.html", context, status=422 if form.is_bound else 200)


def locked_out(
    request: HttpRequest, response: HttpResponse | None = None, credentials: dict[str, str] | None = None
) -> HttpResponse:
    """The response of django-axes after too many wrong passwords: see `guessing`."""
    minutes = round(settings.AXES_COOLOFF_TIME * 60)
    message = ngettext(
        "Too many failed attempts. Wait %(minutes)d minute, or ask an admin for a reset link.",
        "Too many failed attempts. Wait %(minutes)d minutes, or ask an admin for a reset link.",
        minutes,
    )
    return refuse(request, 429, message % {"minutes": minutes})


@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "POST"])
@answers_errors
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    found = queries.invitation_of(token)
    if found is None:
        return refuse(request, 410, actions.invitation_is_closed())
    actions.check_can_be_joined(found.corpus)
    if request.user.is_authenticated:
        return _join(request, request.user, found)
    return _sign_up(request, found, token)


def _join(request: HttpRequest, user: User, found: Invitation) -> HttpResponse:
    if request.method == "POST":
        actions.accept(invitation=found, user=user)
        messages.success(request, _("You have joined %(corpus)s.") % {"corpus": found.corpus})
        return redirect("home")
    return render(request, "corpora/invitation.html", {"invitation": found})


def _sign_up(request: HttpRequest, found: Invitation, token: str) -> HttpResponse:
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = actions.sign_up(
                token=token,
                username=form.cleaned_data["username"],
                full_name=form.cleaned_data["first_name"],
                password=form.cleaned_data["password1"],
            )
        except Conflict as error:
            form.add_error("username", error.message)
        else:
            login(request, user, backend=MODEL_BACKEND)
            return remember_browser(redirect("home"), user)
    context = {"invitation": found, "form": form}
    return render(request, "corpora/invitation.html", context, status=422 if form.is_bound else 200)


@sensitive_post_parameters("new_password1", "new_password2")
@require_http_methods(["GET", "POST"])
@answers_errors
def password_link(request: HttpRequest, uid: str, token: str) -> HttpResponse:
    user = _owner_of_link(uid, token)
    form = SetPasswordForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        actions.set_password(user=user, password=form.cleaned_data["new_password1"])
        forget_failures(username=user.username)
        messages.success(request, _("Password changed. Sign in with the new one."))
        return remember_browser(redirect("sign-in"), user)
    context = {"form": form, "owner": user}
    return render(request, "corpora/password.html", context, status=422 if form.is_bound else 200)


def _owner_of_link(uid: str, token: str) -> User:
    """Return the user of the link. Raises GoldpanError when it is used, expired or invalid."""
    try:
        pk = int(urlsafe_base64_decode(uid))
    except ValueError:
        pk = 0
    user = User.objects.filter(pk=pk, is_active=True).first()
    if user is None or not default_token_generator.check_token(user, token):
        raise GoldpanError(_("This link has been used or has expired. Ask an admin for a new one."))
    return user


def _wanted_next(request: HttpRequest) -> str:
    """Return the path that the user wanted before signing in, if it is one of this site; else home."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    # Django would look for a view of any other name.
    if wanted.startswith("/") and url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return wanted
    return resolve_url("home")


def _attempts_left(request: HttpRequest, form: SignInForm) -> int:
    credentials = {"username": form.cleaned_data.get("username", "")}
    failures: int = AxesProxyHandler.get_failures(request, credentials)
    return max(0, settings.AXES_FAILURE_LIMIT - failures)
