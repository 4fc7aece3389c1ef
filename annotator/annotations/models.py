"""Rounds, slots and what annotators put into them."""

from datetime import timedelta

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.annotations.study.models import StudyDesign
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Document, Page
from annotator.runs.models import Extractor

# The workbench sends a heartbeat every minute while its window is open.
LEASE = timedelta(minutes=30)


class Verdict(models.TextChoices):
    ARTICLE = "article", _("Article")
    NOT_ARTICLE = "not_article", _("Not an article")
    SEVERAL = "several", _("Several articles")
    CANNOT_TELL = "cannot_tell", _("Cannot tell")


# The verdicts under which marks mean something.
WITH_SPANS = frozenset({Verdict.ARTICLE, Verdict.SEVERAL})


class Reason(models.TextChoices):
    """Why a page is not an article."""

    ERROR_PAGE = "error_page", _("An error page")
    PAYWALL = "paywall", _("A paywall or consent wall")
    LISTING = "listing", _("A list or front page")
    MEDIA = "media", _("Only pictures, sound or film")
    OTHER = "other", _("Something else")


class SkipReason(models.TextChoices):
    """Why an annotator leaves a page to others."""

    LANGUAGE = "language", _("I do not read this language well")
    BROKEN = "broken", _("It cannot be read as it is shown")
    RULES = "rules", _("The guideline does not say what to do")
    SUBJECT = "subject", _("I would rather not read this")
    LONG = "long", _("It would take too long")
    OTHER = "other", _("Something else")


class Purpose(models.TextChoices):
    MAIN = "main", _("main")
    GUIDELINE = "guideline", _("new guideline")
    REPEAT = "repeat", _("repeat")
    CHECK = "check", _("check")
    PRACTICE = "practice", _("practice")


# She gets a page again without being told.
HIDDEN = (Purpose.REPEAT, Purpose.CHECK)
# Rounds of one person's: nothing is settled by them.
FOR_ONE = (*HIDDEN, Purpose.PRACTICE)
# Rounds whose annotations come to gold together.
TO_GOLD = (Purpose.MAIN, Purpose.GUIDELINE)


class Round(models.Model):
    """One pass over one page; the main round has as many slots as the design asks for."""

    page = models.ForeignKey(Page, models.PROTECT, related_name="rounds")
    purpose = models.CharField(max_length=20, choices=Purpose, default=Purpose.MAIN)
    number = models.PositiveSmallIntegerField(default=1)
    # No slot of the round shows a suggestion: the blind stratum (law 5).
    blind = models.BooleanField()
    # The design under which it was opened; with its seed and the account of the draws before, the place in
    # the draw gives the arms again. The account after it is kept with it.
    design = models.ForeignKey(StudyDesign, models.PROTECT, null=True, related_name="rounds")
    draw = models.PositiveIntegerField()
    account = models.JSONField(null=True)
    # Where turns depend on what extractors say: its odds of having had its turn; see `study.weights`.
    inclusion = models.FloatField(null=True)
    opened_at = models.DateTimeField(default=timezone.now)
    # Counts what was handed in again: a comparison or dispute of an earlier edition is superseded.
    edition = models.PositiveIntegerField(default=1)
    # Its gold has come; from now on nothing of it is taken up again.
    settled_at = models.DateTimeField(null=True)
    # Of a round for another guideline: since when those who annotated the page before may have a place too.
    # Null: there are enough others.
    former_since = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["page", "purpose", "number"], name="one_round_per_number"),
            models.UniqueConstraint(
                fields=["page"],
                condition=Q(purpose=Purpose.GUIDELINE, settled_at=None),
                name="one_later_round_at_once",
            ),
            models.UniqueConstraint(
                fields=["page"], condition=Q(purpose=Purpose.MAIN), name="one_main_round_per_page"
            ),
            models.UniqueConstraint(
                fields=["design", "draw"], condition=Q(purpose=Purpose.MAIN), name="one_round_per_place"
            ),
            models.CheckConstraint(
                condition=Q(inclusion=None) | Q(inclusion__gt=0, inclusion__lte=1), name="odds_are_odds"
            ),
            models.CheckConstraint(
                condition=~Q(purpose__in=FOR_ONE) | Q(blind=True), name="control_shows_nothing"
            ),
            models.CheckConstraint(
                condition=~Q(purpose=Purpose.GUIDELINE) | Q(blind=True), name="a_later_round_shows_nothing"
            ),
        ]


class Slot(models.Model):
    """A place for one annotator on one page in one round (law 4), with its arm (law 5)."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="slots")
    # Its page's, held here too: twenty people ask for the next page of a corpus at once. Of practice, on a
    # page of another corpus, it is the one that she practises for: its labels and guideline hold.
    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    # When the first annotation of its round was handed in: such pages come first.
    begun_at = models.DateTimeField(null=True)
    # Sorts what nobody has begun, as the design's order wants it.
    turn = models.CharField(max_length=40, default="", db_collation="C")
    # Nobody else is given it: a check or a repeat.
    meant_for = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    arm = models.ForeignKey(Extractor, models.PROTECT, null=True, related_name="+")
    annotator = models.ForeignKey(User, models.PROTECT, null=True, related_name="slots")
    claimed_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    # Waits for her while she works on another page, and lapses with that one.
    reserved_at = models.DateTimeField(null=True)
    submitted_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="one_slot_per_number"),
            models.UniqueConstraint(fields=["round", "annotator"], name="one_slot_per_annotator"),
            models.UniqueConstraint(
                fields=["round", "arm"], condition=Q(arm__isnull=False), name="no_arm_twice_in_a_round"
            ),
            models.CheckConstraint(
                condition=Q(annotator=None, lease_until=None, submitted_at=None, claimed_at=None)
                | Q(annotator__isnull=False, claimed_at__isnull=False, lease_until__isnull=False),
                name="a_claim_has_annotator_and_lease",
            ),
            models.CheckConstraint(
                condition=Q(meant_for=None) | Q(annotator=None) | Q(annotator=F("meant_for")),
                name="nobody_else_has_what_is_meant_for_her",
            ),
            models.CheckConstraint(
                condition=Q(reserved_at=None) | Q(annotator__isnull=False, submitted_at=None),
                name="a_reserve_is_a_claim",
            ),
            models.UniqueConstraint(
                fields=["corpus", "annotator"],
                condition=Q(submitted_at=None, reserved_at=None, annotator__isnull=False),
                name="one_active_claim",
            ),
            models.UniqueConstraint(
                fields=["corpus", "annotator"],
                condition=Q(reserved_at__isnull=False),
                name="one_reserve_claim",
            ),
        ]
        indexes = [
            models.Index(fields=["annotator", "corpus", "submitted_at"], name="slots_of_annotator"),
            # The order in which pages are given out.
            models.Index(
                fields=["corpus", "begun_at", "turn", "round", "number"],
                condition=Q(submitted_at=None),
                name="slots_open",
            ),
        ]


class Annotation(models.Model):
    """One annotator's spans and verdict in a slot. It outlives a lapsed lease as her draft."""

    slot = models.ForeignKey(Slot, models.PROTECT, related_name="annotations")
    annotator = models.ForeignKey(User, models.PROTECT, related_name="annotations")
    document = models.ForeignKey(Document, models.PROTECT, related_name="annotations")
    guideline_version = models.PositiveIntegerField()
    # What she was shown at first; logged when she opens the page, null: nothing.
    shown = models.ForeignKey(Extractor, models.PROTECT, null=True, related_name="+")
    opened_at = models.DateTimeField(default=timezone.now)
    # The number of the newest revision; a save must build on it (law 6).
    revision = models.PositiveIntegerField(default=0)
    active_seconds = models.PositiveIntegerField(default=0)
    # When it was last handed in; what exactly, `Submission` says.
    submitted_at = models.DateTimeField(null=True)
    # She has taken it up again; what she handed in counts until she hands it in anew.
    reopened_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["slot", "annotator"], name="one_annotation_per_slot_and_annotator"
            ),
            models.UniqueConstraint(
                fields=["slot"], condition=Q(submitted_at__isnull=False), name="one_submission_per_slot"
            ),
            models.CheckConstraint(
                condition=Q(submitted_at=None) | Q(revision__gt=0), name="submitted_is_saved"
            ),
            models.CheckConstraint(
                condition=Q(reopened_at=None) | Q(submitted_at__isnull=False), name="reopened_was_submitted"
            ),
        ]
        indexes = [
            models.Index(fields=["annotator", "submitted_at"], name="annotations_of_annotator"),
        ]

    @property
    def is_open(self) -> bool:
        """Whether she may still change it."""
        return self.submitted_at is None or self.reopened_at is not None


class Marks(models.Model):
    """What a save holds: spans, verdict, note."""

    spans = models.JSONField(default=list)
    verdict = models.CharField(max_length=20, choices=Verdict, blank=True, default="")
    reason = models.CharField(max_length=20, choices=Reason, blank=True, default="")
    note = models.TextField(blank=True, default="")
    saved_at = models.DateTimeField(default=timezone.now)
    # The browser's name for this save: sending it twice saves it once.
    operation = models.UUIDField()
    based_on = models.PositiveIntegerField()

    class Meta:
        abstract = True


class Revision(Marks):
    """One accepted save; never edited, never deleted."""

    annotation = models.ForeignKey(Annotation, models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["annotation", "number"], name="one_revision_per_number"),
            models.UniqueConstraint(fields=["annotation", "operation"], name="one_revision_per_operation"),
            models.CheckConstraint(condition=Q(based_on__lt=F("number")), name="builds_on_an_earlier_one"),
        ]


class RefusedSave(Marks):
    """A save that built on a stale revision: refused, and kept all the same."""

    annotation = models.ForeignKey(Annotation, models.PROTECT, related_name="refused")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotation", "operation"], name="one_refusal_per_operation")
        ]


class Submission(models.Model):
    """What was handed in, and when. Handed in again it is the next number, and this one stays on record."""

    annotation = models.ForeignKey(Annotation, models.PROTECT, related_name="submissions")
    number = models.PositiveIntegerField()
    revision = models.OneToOneField(Revision, models.PROTECT, related_name="submission")
    submitted_at = models.DateTimeField()
    # When the next one took its place; null: this one counts.
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["annotation", "number"], name="one_submission_per_number"),
            models.UniqueConstraint(
                fields=["annotation"], condition=Q(withdrawn_at=None), name="one_submission_counts"
            ),
        ]


class Skip(models.Model):
    """An annotator left this round to others; it is not offered to her again."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="skips")
    annotator = models.ForeignKey(User, models.PROTECT, related_name="skips")
    at = models.DateTimeField(default=timezone.now)
    reason = models.CharField(max_length=20, choices=SkipReason, blank=True, default="")
    note = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "annotator"], name="one_skip_per_annotator")]


class Unblinded(models.Model):
    """She had the page before her as its adjudicator: no place on it is hers any more (law 4)."""

    page = models.ForeignKey(Page, models.PROTECT, related_name="unblinded")
    user = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["page", "user"], name="unblinded_once_a_page")]
