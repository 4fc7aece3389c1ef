"""Queries about the labels and members of a corpus."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from annotator.common.roles import ADMIN
from annotator.corpora.labels import label_sets
from annotator.corpora.models import Corpus, Invitation, Label, Membership, User
from extraction.spans import LABEL_SETS

# What comes before the name of a label that is a label set of its own.
SINGLE = "label:"


def labels_of(corpus: Corpus) -> list[Label]:
    """Return all labels in their order, the retired ones last."""
    return list(Label.objects.filter(corpus=corpus).order_by("position"))


def label_names_of(corpus: Corpus, since: datetime | None = None) -> list[str]:
    """The names of the labels that can be given, or could already at that time, in their order."""
    given = Label.objects.filter(corpus=corpus, retired_at=None).order_by("position")
    if since:
        given = given.filter(Q(given_since=None) | Q(given_since__lte=since))
    return list(given.values_list("name", flat=True))


def label_numbers_of(corpus: Corpus) -> dict[str, int]:
    """The number of each label, which determines its colour and pattern."""
    return dict(Label.objects.filter(corpus=corpus).values_list("name", "number"))


def label_sets_of(corpus: Corpus) -> dict[str, frozenset[str]]:
    """The label sets by name: `any` is every label that can be given in the corpus."""
    return label_sets(label_names_of(corpus))


def label_set_of(corpus: Corpus, name: str) -> frozenset[str]:
    """The labels of a label set; "label:NAME" has one label. Raises KeyError for an unknown name."""
    if name.startswith(SINGLE):
        return frozenset({name.removeprefix(SINGLE)})
    return frozenset(label_names_of(corpus)) if name == "any" else LABEL_SETS[name]


def roles_of(user: User, corpus: Corpus) -> set[str]:
    """The roles that the user holds now."""
    held = Membership.objects.filter(corpus=corpus, user=user, ended_at=None)
    return set(held.values_list("role", flat=True))


def has_members(corpus: Corpus, role: str) -> bool:
    """Whether anybody holds the role now."""
    return Membership.objects.filter(corpus=corpus, role=role, ended_at=None).exists()


def is_admin_somewhere(user: User) -> bool:
    """Whether the user is admin of a corpus, or of the whole site."""
    return user.is_superuser or Membership.objects.filter(user=user, role=ADMIN, ended_at=None).exists()


def administered_by(user: User) -> QuerySet[Corpus]:
    """The corpora of which the user is admin by a membership, by name."""
    held = Membership.objects.filter(user=user, role=ADMIN, ended_at=None)
    return Corpus.objects.filter(deleted_at=None, pk__in=held.values("corpus")).order_by("name__folded")


def open_invitations() -> QuerySet[Invitation]:
    """Invitations that can still be accepted."""
    return Invitation.objects.filter(accepted_at=None, revoked_at=None, expires_at__gt=timezone.now())


def invitation_of(token: str) -> Invitation | None:
    """The open invitation behind a link, or None."""
    found = open_invitations().filter(token_sha256=Invitation.digest(token))
    return found.select_related("corpus", "made_by").first()


def may_reset_password(admin: User, user: User) -> bool:
    """Whether the admin may reset the password of the user.

    A password opens every corpus of its owner, so the admin of a corpus may reset it only for users all of
    whose corpora they administer. A site admin may reset any.
    """
    if admin.is_superuser:
        return True
    corpora = Membership.objects.filter(user=user, ended_at=None).values("corpus")
    administered = Membership.objects.filter(user=admin, role=ADMIN, ended_at=None).values("corpus")
    return not user.is_superuser and not corpora.exclude(corpus__in=administered).exists()


@dataclass(frozen=True)
class CorpusMember:
    """A user with their current roles in a corpus."""

    user: User
    roles: list[str]
    since: datetime


def members(corpus: Corpus) -> list[CorpusMember]:
    """All users with a role now, by name."""
    held = Membership.objects.filter(corpus=corpus, ended_at=None).select_related("user")
    rows: dict[int, CorpusMember] = {}
    for membership in held.order_by("user__first_name__folded", "user__username", "role"):
        member = rows.setdefault(membership.user_id, CorpusMember(membership.user, [], membership.since))
        member.roles.append(membership.role)
    return list(rows.values())
