"""Checks every request against the table of `roles`; views never ask for a role."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from annotator.common import display_names, roles
from annotator.common.errors import Conflict, GoldpanError, Missing, NotAllowed
from annotator.common.http import ask_to_sign_in, refuse, wants_json
from annotator.common.logs import user_id
from annotator.corpora.models import Corpus, Label, Membership, User
from annotator.corpora.queries import is_admin_somewhere, roles_of
from annotator.corpora.sessions.actions import note_activity

# Methods that change nothing, as HTTP has them.
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class CorpusAccess:
    """What the signed-in user may do in the corpus of the request; a view finds it as `request.access`."""

    def __init__(self, user: User, corpus: Corpus, memberships: Iterable[str] | None = None) -> None:
        """`memberships` are the roles of the user's current memberships, if they are known already."""
        self.user = user
        self.corpus = corpus
        self._memberships = memberships

    @classmethod
    def of(cls, user: User, slug: str) -> "CorpusAccess | None":
        """None where there is no such corpus, or the user has no role in it."""
        held = Membership.objects.filter(user=user, ended_at=None, corpus__slug=slug, corpus__deleted_at=None)
        memberships = list(held.select_related("corpus"))
        if memberships:
            return cls(user, memberships[0].corpus, [each.role for each in memberships])
        if user.is_superuser:
            corpus = Corpus.objects.filter(slug=slug, deleted_at=None).first()
            return cls(user, corpus, ()) if corpus else None
        return None

    @classmethod
    def all_of(cls, user: User) -> "list[CorpusAccess]":
        """All corpora in which the user has a role now, by name, in one query."""
        current = Membership.objects.filter(corpus=OuterRef("pk"), user=user, ended_at=None).values("role")
        corpora: QuerySet[Any] = Corpus.objects.filter(deleted_at=None).order_by("name__folded")
        corpora = corpora.annotate(memberships_of_user=ArraySubquery(current))
        if not user.is_superuser:
            corpora = corpora.filter(memberships__user=user, memberships__ended_at=None).distinct()
        return [cls(user, corpus, corpus.memberships_of_user) for corpus in corpora]

    @cached_property
    def roles(self) -> frozenset[str]:
        """The user's roles now. A superuser is admin everywhere, unless they annotate here (invariant 4)."""
        held = roles_of(self.user, self.corpus) if self._memberships is None else self._memberships
        found = frozenset(held)
        if self.user.is_superuser and roles.ANNOTATOR not in found:
            found |= {roles.ADMIN}
        if roles.ANNOTATOR in found:
            found -= roles.NOT_WITH_ANNOTATOR
        return found

    @cached_property
    def label_titles(self) -> dict[str, str]:
        """Titles that the corpus has given its labels, by name."""
        titled = Label.objects.filter(corpus=self.corpus).exclude(title="").order_by()
        return dict(titled.values_list("name", "title"))

    def check_may_change(self, asked_for: Any) -> None:
        """Raise NotAllowed unless the user is an admin, or the `requested_by` of this row."""
        if roles.ADMIN not in self.roles and asked_for.requested_by_id != self.user.pk:
            raise NotAllowed(_("Only an admin, or whoever asked for this, can change it."))

    @property
    def entrance(self) -> str:
        """The address at which the user's work in the corpus begins."""
        if self.roles & roles.READERS:
            return reverse("corpus", args=[self.corpus.slug])
        return f"{reverse('home')}?corpus={self.corpus.slug}"


def header_context(request: HttpRequest) -> dict[str, Any]:
    """The user's corpora, for the switcher of the header; a screen without it does not ask for them."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    return {"my_corpora": SimpleLazyObject(lambda: CorpusAccess.all_of(user))}


class UserRequest(HttpRequest):
    """A request of a signed-in user."""

    user: User


class CorpusRequest(UserRequest):
    """A request to a screen of a corpus, once `AccessMiddleware` has let it in."""

    access: CorpusAccess


class AccessMiddleware:
    """Closes every route without a row in `roles.ROUTES`, and opens the others to the roles in their row.

    A user without any role in the corpus gets 404, so as not to learn that it exists.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with display_names.default_label_titles():
            return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        match = request.resolver_match
        wanted = roles.ROUTES.get(match.view_name) if match else None
        if match is None or wanted is None:
            return refuse(request, 403, _("This page is not available."))
        if wanted in (roles.Access.ANYBODY, roles.Access.API):  # the API's guard asks for the token
            return None
        if not request.user.is_authenticated:
            return self._without_user(request)
        user_id.set(request.user.pk)
        if request.headers.get("X-Goldpan-User") not in (None, request.user.browser_key):
            return refuse(request, 401, _("Someone else has signed in in this browser. Nothing is lost."))
        note_activity(request)
        try:
            allow(request, request.user, match.view_name, kwargs.get("slug", ""))
        except GoldpanError as error:
            if isinstance(error, Missing) and not wants_json(request):
                raise Http404 from error
            return refuse(request, error.status, error.message)
        return None

    def _without_user(self, request: HttpRequest) -> HttpResponse:
        if wants_json(request) or request.method != "GET":
            return ask_to_sign_in(request)
        return redirect_to_login(request.get_full_path())


def allow(request: HttpRequest, user: User, route: str, slug: str = "") -> None:
    """Let the user do what a route with a row in the table does; `request.access` is what they may do there.

    `slug` is the corpus of a route of a corpus. Raises Missing for a user without any role in it, NotAllowed
    for one with another role, and Conflict for a change in an archived corpus.
    """
    wanted = roles.ROUTES[route]
    if wanted is roles.Access.ANY_ADMIN and not is_admin_somewhere(user):
        raise NotAllowed(_("Only for admins."))
    if wanted is roles.Access.SUPERUSER and not user.is_superuser:
        raise NotAllowed(_("Only for site admins."))
    if isinstance(wanted, frozenset):
        _allow_in_corpus(request, user, route, wanted, slug)


def _allow_in_corpus(request: HttpRequest, user: User, route: str, wanted: frozenset[str], slug: str) -> None:
    access = CorpusAccess.of(user, slug)
    if access is None:
        raise Missing(_("There is no such corpus, or you have no role in it."))
    request.access = access  # type: ignore[attr-defined]  # makes it a CorpusRequest
    display_names.use_label_titles(lambda: access.label_titles)
    if not access.roles & wanted:
        raise NotAllowed(_("Your role in this corpus does not allow this."))
    only_reads = request.method in SAFE_METHODS or route in roles.OPEN_IN_ARCHIVE
    if access.corpus.archived_at and not only_reads:
        raise Conflict(_("This corpus is archived: it can be read, not changed."))
