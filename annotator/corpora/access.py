"""Every request is checked here, against the table of `roles`; views never ask for a role."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from annotator.common import roles
from annotator.common.http import refuse
from annotator.common.written import Written
from annotator.corpora import signed_in
from annotator.corpora.models import Corpus, Membership, User


class Standing:
    """What the signed-in person may do in the corpus of this request; `request.standing`."""

    def __init__(self, user: User, corpus: Corpus, held: Iterable[str] | None = None) -> None:
        self.user = user
        self.corpus = corpus
        self._held = held

    @classmethod
    def by(cls, held: Sequence[Membership]) -> "Standing":
        """By all that she holds there, of which there is something."""
        return cls(held[0].user, held[0].corpus, [membership.role for membership in held])

    @classmethod
    def of(cls, user: User, slug: str) -> "Standing | None":
        """Corpus and roles in one question, as every request asks it; None where there is no such corpus."""
        corpus = _standing.first(user=user.pk, slug=slug)
        return cls(user, corpus, corpus.held) if corpus else None

    @cached_property
    def roles(self) -> frozenset[str]:
        """Her roles now. A superuser is admin everywhere, unless she annotates here (law 4)."""
        held = frozenset(self._held if self._held is not None else self._asked())
        if self.user.is_superuser and roles.ANNOTATOR not in held:
            held |= {roles.ADMIN}
        if roles.ANNOTATOR in held:
            held -= roles.NOT_WITH_ANNOTATOR
        return held

    def _asked(self) -> Iterable[str]:
        standing = Membership.objects.filter(corpus=self.corpus, user=self.user, ended_at=None)
        return standing.values_list("role", flat=True)


def _with_roles(user: Any, slug: Any) -> QuerySet[Corpus]:
    held = Membership.objects.filter(corpus=OuterRef("pk"), user=user, ended_at=None).values("role")
    return Corpus.objects.filter(slug=slug).annotate(held=ArraySubquery(held)).order_by()


_standing = Written(_with_roles)


class AccessMiddleware:
    """Close every route that has no row, and open the others to whom the row names.

    A person without any role in the corpus gets 404: she is not to learn that it exists.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        match = request.resolver_match
        wanted = roles.ROUTES.get(match.view_name if match else "")
        if wanted is None:
            return refuse(request, 403, _("This address is closed."))
        if wanted is roles.Access.ANYBODY:
            return None
        held = signed_in.arrive(request, kwargs["slug"]) if isinstance(wanted, frozenset) else []
        if not request.user.is_authenticated:
            return self._ask_to_sign_in(request)
        if request.headers.get("X-Goldpan-User") not in (None, request.user.browser_key):
            return refuse(request, 401, _("Somebody else is signed in in this browser now. Nothing is lost."))
        if wanted is roles.Access.SIGNED_IN:
            return None
        if wanted is roles.Access.SUPERUSER:
            return (
                None
                if request.user.is_superuser
                else refuse(request, 403, _("This is for the site's admin."))
            )
        return self._check_role(request, wanted, kwargs["slug"], held)

    def _ask_to_sign_in(self, request: HttpRequest) -> HttpResponse:
        if request.headers.get("Accept", "").startswith("application/json") or request.method != "GET":
            return refuse(request, 401, _("You are signed out. Sign in again; nothing is lost."))
        return redirect_to_login(request.get_full_path())

    def _check_role(
        self, request: HttpRequest, wanted: frozenset[str], slug: str, held: list[Membership]
    ) -> HttpResponse | None:
        standing = Standing.by(held) if held else Standing.of(request.user, slug)
        if standing is None or not standing.roles:
            raise Http404
        request.standing = standing
        signed_in.remember(request)
        if not request.standing.roles & wanted:
            return refuse(request, 403, _("Your role in this corpus does not open this page."))
        return None
