"""Writes about a corpus and its people. Each takes keyword arguments and raises GoldpanError when refused."""

import re
import secrets
from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common.errors import Conflict, GoldpanError, Gone
from annotator.common.roles import ADMIN, ANNOTATOR, NOT_WITH_ANNOTATOR
from annotator.corpora.guideline.actions import give_default
from annotator.corpora.models import Corpus, Invitation, Label, Membership, Role, User
from annotator.corpora.queries import open_invitations, roles_of
from extraction.spans import LABELS


def create_corpus(
    *,
    slug: str,
    name: str = "",
    languages: Iterable[str] = (),
    audit_share: float = 0,
    creator: User | None = None,
) -> Corpus:
    """Make a corpus with default labels and guideline and a seed of its own; its creator becomes admin.

    Its first study design is the usual one, unless `study.begin_design` makes another.
    """
    languages = [code.lower() for code in languages]
    _check_new_corpus(slug, languages)
    check_audit_share(audit_share)
    with transaction.atomic():
        corpus = Corpus.objects.create(
            slug=slug,
            name=name or slug.replace("-", " "),
            languages=languages,
            audit_share=audit_share,
            seed=secrets.randbits(62),
        )
        Label.objects.bulk_create(
            Label(corpus=corpus, name=label, number=number) for number, label in enumerate(LABELS, start=1)
        )
        give_default(corpus=corpus)
        if creator:
            grant_role(corpus=corpus, user=creator, role=ADMIN)
    return corpus


@transaction.atomic
def grant_role(*, corpus: Corpus, user: User, role: str) -> Membership:
    """Give the role from now on; giving it again changes nothing.

    Refused where the two roles would show an annotator what others marked (law 4), now or in the past.
    """
    _lock(corpus)
    if role not in Role.values:
        raise GoldpanError(_("There is no role “%(role)s”.") % {"role": role})
    _check_blindness(corpus, user, role)
    membership, _made = Membership.objects.get_or_create(corpus=corpus, user=user, role=role, ended_at=None)
    return membership


@transaction.atomic
def end_role(*, corpus: Corpus, user: User, role: str) -> None:
    """Take the role away from now on; what she did in it stays. The last admin keeps hers."""
    _lock(corpus)
    _check_an_admin_is_left(corpus, user, ending={role})
    now = timezone.now()
    Membership.objects.filter(corpus=corpus, user=user, role=role, ended_at=None).update(ended_at=now)
    if role == ADMIN:
        open_invitations().filter(corpus=corpus, made_by=user).update(taken_back_at=now)


@transaction.atomic
def change_roles(*, corpus: Corpus, user: User, roles: Iterable[str]) -> None:
    """Let her hold just these roles; at least one, as leaving is another thing."""
    wanted = set(roles)
    if not wanted:
        raise GoldpanError(_("Give at least one role, or let the person leave."))
    _lock(corpus)
    held = roles_of(user, corpus)
    for role in sorted(held - wanted):
        end_role(corpus=corpus, user=user, role=role)
    for role in sorted(wanted - held):
        grant_role(corpus=corpus, user=user, role=role)


@transaction.atomic
def leave(*, corpus: Corpus, user: User) -> None:
    """End all her roles in this corpus. Her work stays; leases are released by the folders that hold them."""
    _lock(corpus)
    held = roles_of(user, corpus)
    if not held:
        raise Conflict(_("%(name)s has left already.") % {"name": user})
    for role in sorted(held):
        end_role(corpus=corpus, user=user, role=role)


def invite(*, corpus: Corpus, roles: Iterable[str], made_by: User, note: str = "") -> tuple[Invitation, str]:
    """Make a link for one person: the invitation, and its token, which is kept nowhere else."""
    wanted = sorted(set(roles))
    if not wanted or not set(wanted) <= set(Role.values):
        raise GoldpanError(_("Choose at least one role."))
    if ANNOTATOR in wanted and NOT_WITH_ANNOTATOR & set(wanted):
        raise GoldpanError(_not_both())
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        corpus=corpus, roles=wanted, note=note, made_by=made_by, token_sha256=Invitation.digest(token)
    )
    return invitation, token


def take_back(*, invitation: Invitation) -> None:
    """Make the link useless; Conflict when somebody has used it meanwhile."""
    won = open_invitations().filter(pk=invitation.pk).update(taken_back_at=timezone.now())
    if not won:
        raise Conflict(_("This invitation is no longer open."))


@transaction.atomic
def accept_invitation(*, token: str, user: User) -> Invitation:
    """Let the signed-in person in; each link once, even if it is used twice at the same moment."""
    now = timezone.now()
    mine = open_invitations().filter(token_sha256=Invitation.digest(token))
    if not mine.update(accepted_at=now, accepted_by=user):
        raise Gone(invitation_is_closed())
    invitation = Invitation.objects.select_related("corpus").get(token_sha256=Invitation.digest(token))
    for role in invitation.roles:
        grant_role(corpus=invitation.corpus, user=user, role=role)
    return invitation


@transaction.atomic
def sign_up(*, token: str, username: str, full_name: str, password: str) -> User:
    """Make an account for whoever holds the link, and accept it; there is no other way to get one."""
    user = User(username=username, first_name=full_name)
    user.set_password(password)
    user.save()
    accept_invitation(token=token, user=user)
    return user


def set_password(*, user: User, password: str) -> None:
    """Replace the password; every session and every older link of hers ends with it."""
    user.set_password(password)
    user.save(update_fields=["password"])


def invitation_is_closed() -> str:
    return _("This invitation is used up, taken back or too old. Ask for a new one.")


def _lock(corpus: Corpus) -> None:
    """Changes of one corpus's people happen one after the other: two admins cannot both leave."""
    Corpus.objects.select_for_update().get(pk=corpus.pk)


def _check_new_corpus(slug: str, languages: list[str]) -> None:
    try:
        validate_slug(slug)
    except ValidationError as error:
        raise GoldpanError(_("A corpus's short name has only letters, digits, - and _.")) from error
    if Corpus.objects.filter(slug=slug).exists():
        raise Conflict(_("There is a corpus “%(slug)s” already.") % {"slug": slug})
    for code in languages:
        if not re.fullmatch("[a-z]{2}", code):
            raise GoldpanError(_("“%(code)s” is no two-letter language code.") % {"code": code})


def check_audit_share(share: float) -> None:
    if not 0 <= share <= 1:
        raise GoldpanError(_("The share of agreed pages that are looked at is from 0 to 1."))


def set_audit_share(*, corpus: Corpus, share: float) -> None:
    """From now on this share of agreed pages goes to an adjudicator; what was drawn before stays."""
    check_audit_share(share)
    Corpus.objects.filter(pk=corpus.pk).update(audit_share=share)
    corpus.audit_share = share


def _check_blindness(corpus: Corpus, user: User, role: str) -> None:
    """An annotator is no researcher or admin; and who was one has seen what she cannot unsee."""
    memberships = Membership.objects.filter(corpus=corpus, user=user)
    if role in NOT_WITH_ANNOTATOR and memberships.filter(role=ANNOTATOR, ended_at=None).exists():
        raise Conflict(_not_both())
    seeing = memberships.filter(role__in=NOT_WITH_ANNOTATOR)
    if role == ANNOTATOR and (user.is_superuser or seeing.filter(ended_at=None).exists()):
        raise Conflict(_not_both())
    if role == ANNOTATOR and seeing.exists():
        raise Conflict(
            _("%(name)s was researcher or admin here and has seen others' marks, so cannot annotate.")
            % {"name": user}
        )


def _check_an_admin_is_left(corpus: Corpus, user: User, ending: set[str]) -> None:
    admins = Membership.objects.filter(corpus=corpus, role=ADMIN, ended_at=None)
    if ADMIN in ending and admins.filter(user=user).exists() and not admins.exclude(user=user).exists():
        raise Conflict(_("This is the last admin. Make somebody else admin first."))


def _not_both() -> str:
    return _("An annotator cannot be researcher or admin too: she would see others' marks and gold.")
