"""What is asked about a corpus's labels and people."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from annotator.common.roles import ADMIN
from annotator.common.written import Written
from annotator.corpora.models import Corpus, Invitation, Label, Membership, User


def labels_of(corpus: Corpus) -> list[Label]:
    """By their numbers."""
    return _labels(corpus=corpus.pk)


_labels = Written(lambda corpus: Label.objects.filter(corpus=corpus).order_by("number"))


def roles_of(user: User, corpus: Corpus) -> set[str]:
    """The roles she holds now."""
    held = Membership.objects.filter(corpus=corpus, user=user, ended_at=None)
    return set(held.values_list("role", flat=True))


def open_invitations() -> QuerySet[Invitation]:
    """Links that still let somebody in."""
    return Invitation.objects.filter(accepted_at=None, taken_back_at=None, expires_at__gt=timezone.now())


def invitation_of(token: str) -> Invitation | None:
    """The open invitation behind a link, or None."""
    found = open_invitations().filter(token_sha256=Invitation.digest(token))
    return found.select_related("corpus", "made_by").first()


def may_reset_password(admin: User, user: User) -> bool:
    """Whether a new password of hers stays within what the admin is responsible for.

    A password opens every corpus of its owner, so an admin resets it only for people whose corpora are all
    hers too; anything else is for the site's admin.
    """
    if admin.is_superuser:
        return True
    hers = Membership.objects.filter(user=user, ended_at=None).values("corpus")
    administered = Membership.objects.filter(user=admin, role=ADMIN, ended_at=None).values("corpus")
    return not user.is_superuser and not hers.exclude(corpus__in=administered).exists()


@dataclass(frozen=True)
class Member:
    """A person with the roles that she holds now."""

    user: User
    roles: list[str]
    since: datetime


def members(corpus: Corpus) -> list[Member]:
    """Everybody with a role now, by name."""
    held = Membership.objects.filter(corpus=corpus, ended_at=None).select_related("user")
    rows: dict[int, Member] = {}
    for membership in held.order_by("user__first_name", "user__username", "role"):
        member = rows.setdefault(membership.user_id, Member(membership.user, [], membership.since))
        member.roles.append(membership.role)
    return list(rows.values())
