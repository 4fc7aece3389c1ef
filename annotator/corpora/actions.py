"""Writes to a corpus and its members. Each takes keyword arguments and raises GoldpanError when refused."""

import re
import secrets
from collections.abc import Collection, Iterable, Mapping

from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from annotator.common.errors import Conflict, GoldpanError, Gone
from annotator.common.roles import ADMIN, ANNOTATOR, MEMBERS, NOT_WITH_ANNOTATOR
from annotator.corpora.audit.actions import differences, record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.guideline.actions import begin_guideline
from annotator.corpora.labels import first_labels
from annotator.corpora.models import (
    NAME_LENGTH,
    SLUG_LENGTH,
    Corpus,
    Invitation,
    Label,
    Membership,
    User,
)
from annotator.corpora.queries import open_invitations, roles_of
from annotator.corpora.sessions.actions import end_sessions
from extraction.spans import LABELS


def create_corpus(
    *,
    slug: str,
    name: str = "",
    languages: Iterable[str] = (),
    audit_share: float = 0,
    labels: Iterable[str] = LABELS,
    guideline: Mapping[str, str] | None = None,
    creator: User | None = None,
) -> Corpus:
    """Create a corpus with labels, a guideline and a seed of its own; its creator becomes admin.

    `labels` are names of standard labels, or titles of its own; `guideline` is its text by language, by
    default the default one.

    Its study design is the default one, unless `study.begin_design` creates another.
    """
    languages = [code.lower() for code in languages]
    name = name.strip() or slug.replace("-", " ")
    _check_new_corpus(slug, name, languages)
    check_audit_share(audit_share)
    corpus = Corpus(
        slug=slug, name=name, languages=languages, audit_share=audit_share, seed=secrets.randbits(62)
    )
    with transaction.atomic():
        try:
            with transaction.atomic():
                corpus.save()
        except IntegrityError as error:
            raise Conflict(_("A corpus “%(slug)s” already exists.") % {"slug": slug}) from error
        Label.objects.bulk_create(first_labels(corpus, labels))
        begin_guideline(corpus=corpus, texts=guideline)
        record(AuditAction.CORPUS_CREATED, corpus=corpus, by=creator, item=slug)
        if creator:
            grant_role(corpus=corpus, user=creator, role=ADMIN, by=creator)
    return corpus


@transaction.atomic
def grant_role(*, corpus: Corpus, user: User, role: str, by: User | None = None) -> Membership:
    """Grant the role from now on; granting it again changes nothing.

    Raises Conflict where the roles would show an annotator others' marks (invariant 4), now or in the past,
    here or in a corpus with some of the same pages. `by` reads why: that corpus is named only to its members.
    """
    _lock(corpus)
    if role not in MEMBERS:
        raise GoldpanError(_("There is no role “%(role)s”.") % {"role": role})
    _check_blindness(corpus, user, role)
    _check_blindness_elsewhere(corpus, user, role, by)
    membership, is_new = Membership.objects.get_or_create(corpus=corpus, user=user, role=role, ended_at=None)
    if is_new:
        record(AuditAction.ROLE_GRANTED, corpus=corpus, by=by, about=user, item=role)
    return membership


@transaction.atomic
def end_role(*, corpus: Corpus, user: User, role: str) -> None:
    """End the role now; work done in it stays. Raises Conflict for the last admin."""
    _lock(corpus)
    if role == ADMIN:
        _check_another_admin(corpus, user)
    held = Membership.objects.filter(corpus=corpus, user=user, role=role, ended_at=None)
    if held.update(ended_at=timezone.now()):
        record(AuditAction.ROLE_ENDED, corpus=corpus, about=user, item=role)
    if role == ADMIN:
        for invitation in open_invitations().filter(corpus=corpus, made_by=user).select_for_update():
            revoke(invitation=invitation)


@transaction.atomic
def change_roles(
    *,
    corpus: Corpus,
    user: User,
    roles: Iterable[str],
    based_on: Collection[str] | None = None,
    by: User | None = None,
) -> None:
    """Let the user hold exactly these roles. Raises GoldpanError when there is none: that is `leave`.

    Raises Conflict where they hold other roles than `based_on` by now. `by` is as in `grant_role`.
    """
    wanted = set(roles)
    if not wanted:
        raise GoldpanError(_("Select at least one role, or remove the person."))
    _lock(corpus)
    held = roles_of(user, corpus)
    if based_on is not None and set(based_on) != held:
        changed = _("Somebody else has changed the roles of %(name)s. Review them and save again.")
        raise Conflict(changed % {"name": user})
    for role in sorted(held - wanted):
        end_role(corpus=corpus, user=user, role=role)
    for role in sorted(wanted - held):
        grant_role(corpus=corpus, user=user, role=role, by=by)


@transaction.atomic
def leave(*, corpus: Corpus, user: User) -> None:
    """End all roles of the user in this corpus. Their work stays; `home.actions` releases their leases."""
    _lock(corpus)
    held = roles_of(user, corpus)
    if not held:
        raise Conflict(_("%(name)s has left already.") % {"name": user})
    for role in sorted(held):
        end_role(corpus=corpus, user=user, role=role)


@transaction.atomic
def invite(
    *, corpus: Corpus, roles: Iterable[str], made_by: User, note: str = "", email: str = ""
) -> tuple[Invitation, str]:
    """Create an invitation for one person; return it and its token, which is stored nowhere."""
    wanted = sorted(set(roles))
    if not wanted or not MEMBERS.issuperset(wanted):
        raise GoldpanError(_("Select at least one role."))
    check_together(wanted)
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        corpus=corpus,
        roles=wanted,
        note=note,
        email=email,
        made_by=made_by,
        token_sha256=Invitation.digest(token),
    )
    changes = {"roles": ", ".join(wanted)}
    record(AuditAction.INVITATION_CREATED, corpus=corpus, by=made_by, item=invitation.pk, changes=changes)
    return invitation, token


@transaction.atomic
def revoke(*, invitation: Invitation) -> None:
    """Revoke the invitation. Raises Conflict when it has been used meanwhile."""
    _lock(invitation.corpus)
    won = open_invitations().filter(pk=invitation.pk).update(revoked_at=timezone.now())
    if not won:
        raise Conflict(_("This invitation is no longer open."))
    record(AuditAction.INVITATION_REVOKED, corpus=invitation.corpus, item=invitation.pk)


@transaction.atomic
def accept(*, invitation: Invitation, user: User) -> Invitation:
    """Grant the invitation's roles to the user, once, even when it is used twice at the same time.

    Raises Gone when it is no longer open, or the corpus is archived: then it waits until that is restored.
    """
    check_can_be_joined(_lock(invitation.corpus))
    mine = open_invitations().filter(pk=invitation.pk)
    if not mine.update(accepted_at=timezone.now(), accepted_by=user):
        raise Gone(invitation_is_closed())
    record(AuditAction.INVITATION_ACCEPTED, corpus=invitation.corpus, by=user, item=invitation.pk)
    for role in invitation.roles:
        grant_role(corpus=invitation.corpus, user=user, role=role, by=user)
    return invitation


@transaction.atomic
def sign_up(*, token: str, username: str, full_name: str, password: str) -> User:
    """Create an account for the holder of the link and accept the invitation: the only way to sign up."""
    invitation = Invitation.objects.filter(token_sha256=Invitation.digest(token)).first()
    if invitation is None:
        raise Gone(invitation_is_closed())
    # The second of two at once has to find the invitation used, before it finds its username taken.
    _lock(invitation.corpus)
    if not open_invitations().filter(pk=invitation.pk).exists():
        raise Gone(invitation_is_closed())
    user = create_account(username=username, full_name=full_name, password=password)
    accept(invitation=invitation, user=user)
    return user


@transaction.atomic
def create_account(*, username: str, full_name: str = "", password: str, is_superuser: bool = False) -> User:
    """Create an account without a role; a superuser is admin of every corpus.

    Raises Conflict where somebody has taken the username meanwhile.
    """
    user = User(username=username, first_name=full_name, is_superuser=is_superuser)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise Conflict(_("This username is taken, or looks like one that is.")) from error
    changes = {"is_superuser": True} if is_superuser else {}
    record(AuditAction.ACCOUNT_CREATED, about=user, changes=changes)
    return user


@transaction.atomic
def set_email(*, user: User, email: str) -> None:
    """Set the e-mail with which single sign-on opens the account. Raises Conflict where it opens another."""
    if email and User.objects.filter(email__iexact=email).exclude(pk=user.pk).exists():
        raise Conflict(_("Another account has this e-mail."))
    user.email = email
    user.save(update_fields=["email"])
    record(AuditAction.EMAIL_CHANGED, about=user)


@transaction.atomic
def create_password_link(*, corpus: Corpus, user: User) -> tuple[str, str]:
    """The parts of an address at which the user may set a new password, once and within three days."""
    record(AuditAction.PASSWORD_LINK_CREATED, corpus=corpus, about=user)
    return urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)


@transaction.atomic
def set_password(*, user: User, password: str, keep: str | None = None) -> None:
    """Change the password: all sessions of the user end but the one with the key `keep`, and reset links."""
    user.set_password(password)
    user.save(update_fields=["password"])
    record(AuditAction.PASSWORD_CHANGED, about=user)
    end_sessions(user=user, keep=keep)


@transaction.atomic
def change_display_name(*, user: User, name: str) -> None:
    """Call the user by this name from now on. Raises ValidationError where it looks like somebody else's."""
    before, user.first_name = user.first_name, " ".join(name.split())
    user.clean()
    user.save(update_fields=["first_name"])
    changes = differences({"name": before}, {"name": user.first_name})
    record(AuditAction.DISPLAY_NAME_CHANGED, about=user, changes=changes)


def check_together(roles: Collection[str]) -> None:
    """Raise GoldpanError where nobody may hold these roles together (invariant 4)."""
    if ANNOTATOR in roles and NOT_WITH_ANNOTATOR.intersection(roles):
        raise GoldpanError(_not_both())


def check_can_be_joined(corpus: Corpus) -> None:
    """Raise Gone where the corpus is archived."""
    if corpus.archived_at:
        message = _("%(corpus)s is archived, so nobody can join it. Ask an admin of it to restore it.")
        raise Gone(message % {"corpus": corpus})


def invitation_is_closed() -> str:
    return _("This invitation has been used or revoked, or has expired. Ask for a new one.")


def _lock(corpus: Corpus) -> Corpus:
    """Serialise changes to the members of a corpus, so that two admins cannot both leave."""
    locked: Corpus = Corpus.objects.select_for_update().get(pk=corpus.pk)
    return locked


def _check_new_corpus(slug: str, name: str, languages: list[str]) -> None:
    try:
        validate_slug(slug)
    except ValidationError as error:
        raise GoldpanError(
            _("The address of a corpus (its slug) may contain only letters, digits, hyphens and underscores.")
        ) from error
    if len(slug) > SLUG_LENGTH:
        raise GoldpanError(
            _("The address of a corpus (its slug) has at most %(most)s characters.") % {"most": SLUG_LENGTH}
        )
    if len(name) > NAME_LENGTH:
        raise GoldpanError(_("A corpus name has at most %(most)s characters.") % {"most": NAME_LENGTH})
    for code in languages:
        if not re.fullmatch("[a-z]{2}", code):
            raise GoldpanError(_("“%(code)s” is not a two-letter language code.") % {"code": code})


def check_audit_share(share: float) -> None:
    if not 0 <= share <= 1:
        raise GoldpanError(_("The audit share must be between 0 and 1."))


@transaction.atomic
def set_audit_share(*, corpus: Corpus, share: float) -> None:
    """Send this share of agreed pages to an adjudicator from now on; earlier draws stay."""
    check_audit_share(share)
    Corpus.objects.filter(pk=corpus.pk).update(audit_share=share)
    changes = differences({"audit_share": corpus.audit_share}, {"audit_share": share})
    record(AuditAction.AUDIT_SHARE_CHANGED, corpus=corpus, changes=changes)
    corpus.audit_share = share


def _check_blindness(corpus: Corpus, user: User, role: str) -> None:
    """Refuse roles that show marks together with the annotator role, and the latter after them."""
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


def _check_blindness_elsewhere(corpus: Corpus, user: User, role: str, by: User | None) -> None:
    """Refuse to let the user annotate pages that they see marked in another corpus, whichever role is new.

    Pages that are added later, and roles given in both corpora at once, are the business of
    `annotations.eligibility`: such pages are not offered to them.
    """
    elsewhere = Membership.objects.filter(user=user).exclude(corpus=corpus)
    if role == ANNOTATOR:
        conflicting = elsewhere.filter(role__in=NOT_WITH_ANNOTATOR)
        why = _(
            "%(name)s is or was researcher or admin of %(corpus)s, which has pages of this corpus, and may "
            "have seen them marked. Ask somebody else to annotate here."
        )
    elif role in NOT_WITH_ANNOTATOR:
        conflicting = elsewhere.filter(role=ANNOTATOR, ended_at=None)
        why = _(
            "%(name)s annotates in %(corpus)s, which has pages of this corpus, and would see them marked. "
            "End their annotator role there first, or choose somebody else."
        )
    else:
        return
    same_page = Corpus.objects.filter(pk=corpus.pk, pages__sha256=OuterRef("pages__sha256"))
    other = Corpus.objects.filter(Exists(same_page), pk__in=conflicting.values("corpus")).first()
    if other:
        named = by and (by.is_superuser or roles_of(by, other))
        raise Conflict(why % {"name": user, "corpus": f"“{other}”" if named else _("another corpus")})


def _check_another_admin(corpus: Corpus, user: User) -> None:
    """Refuse to let the last admin go."""
    admins = Membership.objects.filter(corpus=corpus, role=ADMIN, ended_at=None)
    if admins.filter(user=user).exists() and not admins.exclude(user=user).exists():
        raise Conflict(_("This is the last admin. Make someone else an admin first."))


def _not_both() -> str:
    return _("Annotators can't be researchers or admins: they would see others' marks.")
