"""The account screen: one's own sessions, password and tokens of the API."""

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from annotator.common.errors import GoldpanError
from annotator.corpora.access import UserRequest
from annotator.corpora.actions import change_display_name, set_password
from annotator.corpora.forms import DisplayNameForm
from annotator.corpora.models import User
from annotator.corpora.sessions.actions import end_sessions
from annotator.corpora.sessions.queries import open_sessions
from annotator.corpora.tokens import actions as tokens
from annotator.corpora.tokens.forms import TokenForm
from annotator.corpora.tokens.models import ApiToken
from annotator.corpora.tokens.queries import valid_tokens


@require_GET
def account(request: UserRequest) -> HttpResponse:
    return _show(request, _password_form(request))


@require_POST
def change_name(request: UserRequest) -> HttpResponse:
    """Change one's own display name."""
    form = DisplayNameForm(request.POST)
    if form.is_valid():
        # As the screen shows the old name beside what was wrong, the request's own user is left as they are.
        user = User.objects.get(pk=request.user.pk)
        try:
            change_display_name(user=user, name=form.cleaned_data["first_name"])
        except ValidationError as error:
            form.add_error("first_name", error.message_dict.get("first_name", error.messages))
    if not form.is_valid():
        return _show(request, _password_form(request, bound=False), name_form=form, status=422)
    messages.success(request, _("Display name saved."))
    return redirect("account")


@sensitive_post_parameters()
@require_POST
def change_password(request: UserRequest) -> HttpResponse:
    """Change one's own password: this session goes on, all others end."""
    form = _password_form(request)
    if not form.is_valid():
        return _show(request, form, status=422)
    set_password(
        user=request.user, password=form.cleaned_data["new_password1"], keep=request.session.session_key
    )
    update_session_auth_hash(request, request.user)
    messages.success(request, _("Password changed. All other sessions have ended."))
    return redirect("account")


@require_POST
def end_session(request: UserRequest) -> HttpResponse:
    """End one of one's other sessions, or all of them."""
    others = {
        each.digest: each.key
        for each in open_sessions(request.user)
        if each.key != request.session.session_key
    }
    digest = request.POST.get("session")
    if digest is not None and digest not in others:
        raise Http404
    keys = others.values() if digest is None else [others[digest]]
    ended = end_sessions(user=request.user, keys=keys)
    messages.success(request, ngettext("%(n)d session ended.", "%(n)d sessions ended.", ended) % {"n": ended})
    return redirect("account")


@require_POST
def make_token(request: UserRequest) -> HttpResponse:
    """Make a token of the API; its text is on this answer alone."""
    form, made = TokenForm(request.POST), None
    if form.is_valid():
        try:
            made = tokens.make_token(user=request.user, **form.asked())
        except GoldpanError as error:
            form.add_error(None, error.message)
    password_form = _password_form(request, bound=False)
    if made is None:
        return _show(request, password_form, token_form=form, status=422)
    return _show(request, password_form, made=made)


@require_POST
def revoke_token(request: UserRequest, pk: int) -> HttpResponse:
    """Revoke one of one's own tokens."""
    token = get_object_or_404(ApiToken, pk=pk, user=request.user)
    try:
        tokens.revoke_token(token=token)
        messages.success(request, _("Token revoked: %(name)s") % {"name": token.name})
    except GoldpanError as error:
        messages.error(request, error.message)
    return redirect("account")


def _password_form(request: UserRequest, *, bound: bool = True) -> PasswordChangeForm:
    form = PasswordChangeForm(request.user, (request.POST or None) if bound else None)
    # The screen is no form to fill in at once.
    form.fields["old_password"].widget.attrs.pop("autofocus", None)
    return form


def _show(
    request: UserRequest,
    form: PasswordChangeForm,
    *,
    name_form: DisplayNameForm | None = None,
    token_form: TokenForm | None = None,
    made: tuple[ApiToken, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "name_form": name_form or DisplayNameForm(initial={"first_name": request.user.first_name}),
        "sessions": open_sessions(request.user),
        "token_form": token_form or TokenForm(),
        "tokens": valid_tokens(request.user),
        "made": made,
        "current_key": request.session.session_key,
        "second_factors": settings.SECOND_FACTORS,
        "has_second_factor": is_mfa_enabled(request.user),
    }
    return render(request, "corpora/account.html", context, status=status)
