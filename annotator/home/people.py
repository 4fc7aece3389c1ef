"""The people of a corpus: who has which role, invitations, new passwords, leaving."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator.common.errors import GoldpanError, NotAllowed
from annotator.corpora import actions as door
from annotator.corpora import queries
from annotator.corpora.forms import InviteForm, RolesForm
from annotator.corpora.models import Corpus, Invitation, Role, User
from annotator.home import actions

View = Callable[..., HttpResponse]


def says_errors(view: View) -> View:
    """What an action refuses is said on the list of people."""

    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, **kwargs: int) -> HttpResponse:
        try:
            return view(request, slug, **kwargs)
        except GoldpanError as error:
            messages.error(request, error.message)
            return redirect("people", slug)

    return wrapped


@require_GET
def people(request: HttpRequest, slug: str) -> HttpResponse:
    return _list(request)


@require_POST
@says_errors
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """The link is shown in the answer, once; nobody can find it again."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _list(request, status=422, form=form)
    invitation, token = door.invite(
        corpus=request.standing.corpus,
        roles=form.cleaned_data["roles"],
        note=form.cleaned_data["note"],
        made_by=request.user,
    )
    link = request.build_absolute_uri(reverse("invitation", args=[token]))
    return _list(request, link=link, link_for=invitation.note, link_kind="invitation")


@require_POST
@says_errors
def take_back(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    invitation = get_object_or_404(Invitation, corpus=request.standing.corpus, pk=pk)
    door.take_back(invitation=invitation)
    messages.success(request, _("The invitation is taken back; its link opens nothing any more."))
    return redirect("people", slug)


@require_POST
@says_errors
def change_roles(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    member = _member_or_404(request.standing.corpus, pk)
    form = RolesForm(request.POST)
    if not form.is_valid():
        raise GoldpanError(" ".join(form.errors["roles"]))
    actions.change_roles(corpus=request.standing.corpus, user=member, roles=form.cleaned_data["roles"])
    messages.success(request, _("%(name)s has the new roles.") % {"name": member})
    return redirect("people", slug)


@require_POST
@says_errors
def reset_password(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A link with which she chooses a new password; shown once, to be handed over."""
    member = _member_or_404(request.standing.corpus, pk)
    if not queries.may_reset_password(request.user, member):
        raise NotAllowed(
            _("%(name)s is in corpora that you do not administer. Ask the site's admin.") % {"name": member}
        )
    uid = urlsafe_base64_encode(force_bytes(member.pk))
    path = reverse("password-link", args=[uid, default_token_generator.make_token(member)])
    return _list(request, link=request.build_absolute_uri(path), link_for=str(member), link_kind="password")


@require_POST
@says_errors
def leave(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    member = _member_or_404(request.standing.corpus, pk)
    actions.let_leave(corpus=request.standing.corpus, user=member)
    messages.success(
        request,
        _("%(name)s has left. Work is kept, and pages being marked are free again.") % {"name": member},
    )
    return redirect("home") if member == request.user else redirect("people", slug)


def _list(request: HttpRequest, *, status: int = 200, **more: object) -> HttpResponse:
    corpus = request.standing.corpus
    context = {
        "members": queries.members(corpus),
        "invitations": queries.open_invitations().filter(corpus=corpus).select_related("made_by"),
        "roles": Role.choices,
        "form": InviteForm(),
        **more,
    }
    return render(request, "home/people.html", context, status=status)


def _member_or_404(corpus: Corpus, pk: int) -> User:
    """A person with a role in this corpus now; nobody else can be reached from here."""
    members = User.objects.filter(memberships__corpus=corpus, memberships__ended_at=None).distinct()
    return get_object_or_404(members, pk=pk)
