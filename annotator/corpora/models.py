"""A corpus, its labels, its people."""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

import pgtrigger
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.common import display_names
from annotator.common.roles import ANNOTATOR, NOT_WITH_ANNOTATOR
from annotator.common.triggers import append_only
from annotator.corpora.names import looks_like_one_of, mixes_alphabets

SLUG_LENGTH, NAME_LENGTH = 50, 200  # characters
INVITATION_LIFETIME = timedelta(days=7)


class User(AbstractUser):
    """A user. A superuser is admin of every corpus; other roles are memberships."""

    # Namespace of what the browser stores, so that two users of a machine never see each other's drafts.
    browser_key = models.CharField(max_length=43, default=secrets.token_urlsafe, editable=False)

    class Meta(AbstractUser.Meta):
        constraints = [models.UniqueConstraint(Lower("username"), name="one_user_per_name_in_any_case")]

    def __str__(self) -> str:
        return self.get_full_name() or self.username

    def clean(self) -> None:
        """Raise ValidationError for a name that looks like that of another user, or is made to."""
        super().clean()
        others = list(User.objects.exclude(pk=self.pk).only("username", "first_name", "last_name"))
        shown = self.get_full_name()
        errors = {
            field: _("Letters of different alphabets look alike. Write each word in one alphabet.")
            for field, name in (("username", self.username), ("first_name", shown))
            if mixes_alphabets(name)
        }
        if looks_like_one_of(self.username, (other.username for other in others)):
            errors.setdefault("username", _("This username is taken, or looks like one that is."))
        if shown and looks_like_one_of(shown, map(str, others)):
            errors.setdefault(
                "first_name", _("Somebody here has a name that looks the same. Add an initial.")
            )
        if errors:
            raise ValidationError(errors)


_CHECK_GUIDELINE = """
if not exists (
    select from annotator_guideline where corpus_id = new.id and number = new.guideline_version)
then
    raise exception 'the current guideline of a corpus is one of its own'
        using errcode = 'foreign_key_violation';
end if;
return null;
"""

# The lock lets two roles of one person in one corpus be given one after the other, so that each is seen.
_CHECK_BLINDNESS = """
if new.ended_at is not null then
    return new;
end if;
perform pg_advisory_xact_lock(hashtextextended('membership ' || new.corpus_id || ' ' || new.user_id, 0));
if exists (
    select from annotator_membership m
    where m.corpus_id = new.corpus_id and m.user_id = new.user_id and m.ended_at is null and m.id <> new.id
        and '{annotator}' in (m.role, new.role) and (m.role in {seeing} or new.role in {seeing}))
then
    raise exception 'an annotator of a corpus cannot see the marks of others in it'
        using errcode = 'integrity_constraint_violation';
end if;
return new;
""".format(annotator=ANNOTATOR, seeing=tuple(sorted(NOT_WITH_ANNOTATOR)))


class Corpus(models.Model):
    """A set of pages collected for one purpose, with its labels, members and settings."""

    slug = models.SlugField(max_length=SLUG_LENGTH, unique=True)
    name = models.CharField(max_length=NAME_LENGTH)
    languages = models.JSONField(default=list, help_text=_("ISO 639-1 codes; empty: any"))
    # The share of agreed pages that an adjudicator audits.
    audit_share = models.FloatField(default=0)
    # Seed of the draws of arms, audits and the order of adjudication, so that every draw can be checked.
    seed = models.BigIntegerField(editable=False)
    # The number of the current guideline, one of the corpus's own (a trigger checks that).
    guideline_version = models.PositiveIntegerField(default=1)
    # For tiny teams: an annotator of a page may adjudicate it, which each adjudication records.
    annotators_may_adjudicate = models.BooleanField(default=False)
    # Counts changes of the labels, so that two admins do not overwrite each other's.
    labels_version = models.PositiveIntegerField(default=1)
    # Since when the corpus is read-only; and since when it is gone but for its history.
    archived_at = models.DateTimeField(null=True, editable=False)
    deleted_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(audit_share__gte=0, audit_share__lte=1), name="an_audit_share_is_a_share"
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="guideline_exists",
                when=pgtrigger.After,
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("guideline_version"),
                timing=pgtrigger.Deferred,
                func=_CHECK_GUIDELINE,
            )
        ]

    def __str__(self) -> str:
        return self.name


# Labels of a corpus at a time: as many as there are digits, colours and patterns.
MAX_LABELS = 9
LABEL_TITLE_LENGTH = 40  # characters


class Label(models.Model):
    """A label of a corpus. Spans hold its name, which never changes; people read its title.

    A retired label cannot be given any more, and has no colour and key; marks that have it stay.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="labels")
    name = models.SlugField(max_length=40)
    # Empty: what `display_names` calls the name.
    title = models.CharField(max_length=LABEL_TITLE_LENGTH, blank=True, default="")
    # Its colour and pattern on every screen, from 1; 0 once it is retired.
    number = models.PositiveSmallIntegerField()
    # The digit that gives it; 0 once it is retired.
    key = models.PositiveSmallIntegerField()
    # Its place among the corpus's labels, wherever they are listed.
    position = models.PositiveSmallIntegerField()
    # When it was added or restored; null: it is one of those that the corpus began with.
    given_since = models.DateTimeField(null=True, editable=False)
    retired_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "name"], name="one_label_per_name"),
            models.UniqueConstraint(
                fields=["corpus", "number"], condition=Q(retired_at=None), name="one_label_per_colour"
            ),
            models.UniqueConstraint(
                fields=["corpus", "key"], condition=Q(retired_at=None), name="one_label_per_key"
            ),
            models.CheckConstraint(
                condition=Q(retired_at=None, number__range=(1, MAX_LABELS), key__range=(1, MAX_LABELS))
                | Q(retired_at__isnull=False, number=0, key=0),
                name="a_label_has_colour_and_key",
            ),
            models.CheckConstraint(condition=~Q(name="content"), name="content_is_for_programs"),
        ]

    def __str__(self) -> str:
        return self.title or display_names.default_label_title(self.name)


class Guideline(models.Model):
    """One version of a corpus's guideline; never edited (invariant 7)."""

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="guidelines")
    number = models.PositiveIntegerField()
    # Markdown by language, in the form that `corpora.guideline.text` describes.
    texts = models.JSONField()
    note = models.CharField(max_length=500, blank=True, default="")
    # Null for the default guideline.
    made_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["corpus", "number"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "number"], name="one_guideline_per_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="guidelines_count_from_one"),
            models.CheckConstraint(condition=~Q(texts={}), name="a_guideline_says_something"),
        ]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.corpus}: {self.number}"


class Membership(models.Model):
    """A role of a user in a corpus, from one time to another."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=20, choices=display_names.ROLES)
    since = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "user", "role"], condition=Q(ended_at=None), name="one_membership_per_role"
            ),
            models.CheckConstraint(condition=Q(role__in=list(display_names.ROLES)), name="a_known_role"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="annotators_are_blind",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.Update,
                func=_CHECK_BLINDNESS,
            )
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role} of {self.corpus}"


def _default_expiry() -> datetime:
    return timezone.now() + INVITATION_LIFETIME


class Invitation(models.Model):
    """A link with which one person joins with the given roles. Only the digest of its token is stored."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="invitations")
    roles = models.JSONField()
    note = models.CharField(max_length=200, blank=True, default="")
    # Whoever proves by single sign-on that it is theirs needs no link.
    email = models.EmailField(blank=True, default="")
    token_sha256 = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(default=_default_expiry)
    revoked_at = models.DateTimeField(null=True, editable=False)
    accepted_at = models.DateTimeField(null=True, editable=False)
    accepted_by = models.ForeignKey(User, models.PROTECT, null=True, editable=False, related_name="+")

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.corpus}: {', '.join(self.roles)}"

    @staticmethod
    def digest(token: str) -> str:
        return sha256(token.encode()).hexdigest()
