"""A corpus, its labels, its people."""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

INVITATION_LASTS = timedelta(days=7)


class Role(models.TextChoices):
    ANNOTATOR = "annotator", _("annotator")
    ADJUDICATOR = "adjudicator", _("adjudicator")
    RESEARCHER = "researcher", _("researcher")
    ADMIN = "admin", _("admin")


class User(AbstractUser):
    """A person. A superuser is admin of every corpus; all else is a membership."""

    # Namespaces what her browser keeps, so that two people at one machine never see each other's drafts.
    browser_key = models.CharField(max_length=43, default=secrets.token_urlsafe, editable=False)

    class Meta(AbstractUser.Meta):
        constraints = [models.UniqueConstraint(Lower("username"), name="one_user_per_name_in_any_case")]

    def __str__(self) -> str:
        return self.get_full_name() or self.username


class Corpus(models.Model):
    """A set of pages collected for one purpose, with its labels, members and settings."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    languages = models.JSONField(default=list, help_text=_("ISO 639-1 codes; empty: any"))
    # The share of pages on which the annotators agree that an adjudicator looks at all the same.
    audit_share = models.FloatField(default=0)
    # Draws the arms, the audits and the order of adjudication; stored, so that every draw can be checked.
    seed = models.BigIntegerField(editable=False)
    # The number of the guideline that stands; the database lets it name no other than one of its own.
    guideline_version = models.PositiveIntegerField(default=1)
    # For a tiny team: one of a page's annotators may settle it. Recorded on each adjudication.
    annotators_may_adjudicate = models.BooleanField(default=False)
    # Moves whenever a figure of the board may have moved; open boards ask for it.
    board_version = models.BigIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(audit_share__gte=0, audit_share__lte=1), name="an_audit_share_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Label(models.Model):
    """A label of a corpus; its number is its key, colour and pattern on every screen."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="labels")
    name = models.SlugField(max_length=40)
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "name"], name="one_label_per_name"),
            models.UniqueConstraint(fields=["corpus", "number"], name="one_label_per_digit"),
            models.CheckConstraint(condition=Q(number__gte=1, number__lte=9), name="a_label_is_a_digit"),
            models.CheckConstraint(condition=~Q(name="content"), name="content_is_for_programs"),
        ]

    def __str__(self) -> str:
        return self.name


class Guideline(models.Model):
    """One version of a corpus's guideline; never edited (law 7), a new one is the next number."""

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="guidelines")
    number = models.PositiveIntegerField()
    # Markdown by language; `corpora.guideline.text` says in what form.
    texts = models.JSONField()
    note = models.CharField(max_length=500, blank=True, default="")
    # Nobody made the one that a corpus begins with.
    made_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["corpus", "number"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "number"], name="one_guideline_per_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="guidelines_count_from_one"),
            models.CheckConstraint(condition=~Q(texts={}), name="a_guideline_says_something"),
        ]

    def __str__(self) -> str:
        return f"{self.corpus}: {self.number}"


class Membership(models.Model):
    """A role of a person in a corpus, from a day to a day."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)
    since = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "user", "role"], condition=Q(ended_at=None), name="one_membership_per_role"
            ),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="a_known_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role} of {self.corpus}"


def _invitation_lasts_until() -> timezone.datetime:
    return timezone.now() + INVITATION_LASTS


class Invitation(models.Model):
    """A link that lets one person in with given roles. Only the digest of its token is kept."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="invitations")
    roles = models.JSONField()
    note = models.CharField(max_length=200, blank=True, default="")
    token_sha256 = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(default=_invitation_lasts_until)
    taken_back_at = models.DateTimeField(null=True, editable=False)
    accepted_at = models.DateTimeField(null=True, editable=False)
    accepted_by = models.ForeignKey(User, models.PROTECT, null=True, editable=False, related_name="+")

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.corpus}: {', '.join(self.roles)}"

    @staticmethod
    def digest(token: str) -> str:
        return sha256(token.encode()).hexdigest()
