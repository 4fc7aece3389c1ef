"""The members of a corpus: roles, invitations, password resets, removal."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator.common.display_names import ROLES
from annotator.common.errors import GoldpanError
from annotator.common.http import shows_errors
from annotator.corpora import actions as corpora
from annotator.corpora import queries
from annotator.corpora.access import CorpusRequest
from annotator.corpora.forms import InviteForm, RolesForm
from annotator.corpora.models import Corpus, Invitation, User
from annotator.home import actions


@require_GET
def people(request: CorpusRequest, slug: str) -> HttpResponse:
    return _list(request)


@require_POST
@shows_errors("people")
def invite(request: CorpusRequest, slug: str) -> HttpResponse:
    """Create an invite link; it is shown once, in this response only."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _list(request, status=422, form=form)
    invitation, token = corpora.invite(
        corpus=request.access.corpus, made_by=request.user, **form.cleaned_data
    )
    link = request.build_absolute_uri(reverse("invitation", args=[token]))
    return _list(request, link=link, link_for=invitation.note, link_kind="invitation")


@require_POST
@shows_errors("people")
def revoke(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    invitation = get_object_or_404(Invitation, corpus=request.access.corpus, pk=pk)
    corpora.revoke(invitation=invitation)
    messages.success(request, _("Invitation revoked. Its link no longer works."))
    return redirect("people", slug)


@require_POST
@shows_errors("people")
def change_roles(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    member = _member_or_404(request.access.corpus, pk)
    form = RolesForm(request.POST)
    if not form.is_valid():
        raise GoldpanError(" ".join(map(str, form.errors["roles"])))
    actions.change_roles(
        corpus=request.access.corpus,
        user=member,
        roles=form.cleaned_data["roles"],
        based_on=request.POST.getlist("held") or None,
        by=request.user,
    )
    messages.success(request, _("Roles of %(name)s saved.") % {"name": member})
    return redirect("people", slug)


@require_POST
@shows_errors("people")
def reset_password(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """Create a password reset link for the member; it is shown once, in this response only."""
    member = _member_or_404(request.access.corpus, pk)
    if not queries.may_reset_password(request.user, member):
        raise GoldpanError(
            _("%(name)s is a member of corpora that you do not administer. Ask a site admin.")
            % {"name": member}
        )
    path = reverse(
        "password-link", args=corpora.create_password_link(corpus=request.access.corpus, user=member)
    )
    return _list(request, link=request.build_absolute_uri(path), link_for=str(member), link_kind="password")


@require_POST
@shows_errors("people")
def leave(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    member = _member_or_404(request.access.corpus, pk)
    actions.remove_member(corpus=request.access.corpus, user=member)
    messages.success(
        request,
        _("%(name)s has been removed. All work is kept, and pages in progress return to the queue.")
        % {"name": member},
    )
    return redirect("home") if member == request.user else redirect("people", slug)


def _list(request: CorpusRequest, *, status: int = 200, **more: object) -> HttpResponse:
    corpus = request.access.corpus
    context = {
        "members": queries.members(corpus),
        "invitations": queries.open_invitations().filter(corpus=corpus).select_related("made_by"),
        "roles": ROLES.items(),
        "single_sign_on": settings.SINGLE_SIGN_ON,
        "form": InviteForm(),
        **more,
    }
    return render(request, "home/people.html", context, status=status)


def _member_or_404(corpus: Corpus, pk: int) -> User:
    """Return the user if they have a role in this corpus now; 404 for anyone else."""
    members = User.objects.filter(memberships__corpus=corpus, memberships__ended_at=None).distinct()
    return get_object_or_404(members, pk=pk)
