"""Rounds, slots, annotations, and their revisions and submissions."""

from datetime import timedelta

import pgtrigger
from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.annotations.study.models import StudyDesign
from annotator.common.triggers import (
    Blanking,
    append_only,
    changes_other_than,
    condition,
    counts_again,
    new_version,
)
from annotator.common.verdicts import NotArticleReason, Verdict
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page, StoredDocument
from annotator.runs.models import Extractor

# The workbench sends a heartbeat every minute while its window is open.
LEASE = timedelta(minutes=30)

# What the marks of a page that is taken down become.
_BLANKED = Blanking(
    {"spans": [], "note": ""},
    "select r.page_id from annotator_annotation a join annotator_slot s on s.id = a.slot_id"
    " join annotator_round r on r.id = s.round_id where a.id = old.annotation_id",
)
# Reopening a submitted annotation sets `reopened_at`; only then may it be submitted again, never earlier.
_SUBMISSION_IS_CHANGED = condition(
    f"""old.submitted_at is not null and (
        new.submitted_at is null or new.submitted_at < old.submitted_at
        or (old.reopened_at is null and {changes_other_than("reopened_at")})
        or {changes_other_than("submitted_at", "reopened_at", "revision", "active_seconds")})"""
)
# The weighted round of a slot `it`.
_WEIGHTED = "join annotator_round r on r.id = it.round_id and r.inclusion_probability is not null"

_CHECK_CORPUS = """
if not exists (
    select from annotator_round r join annotator_page p on p.id = r.page_id
    where r.id = new.round_id and (p.corpus_id = new.corpus_id) <> (r.purpose = 'practice'))
then
    raise exception 'a slot is of the corpus of its page' using errcode = 'integrity_constraint_violation';
end if;
return new;
"""


_CHECK_ARM = """
if exists (
    select from annotator_round r join annotator_page p on p.id = r.page_id
    join annotator_page same on same.id = p.id or same.cluster_id = p.cluster_id
    join annotator_tunedonpage t on t.sha256 = same.sha256
    join annotator_extractor e on e.id = t.extractor_id
    where r.id = new.round_id and e.id = new.arm_id and e.trained_in_id is not null)
then
    raise exception 'a slot does not show what learned from gold of its page'
        using errcode = 'integrity_constraint_violation';
end if;
return new;
"""


class SkipReason(models.TextChoices):
    """Why an annotator skips a page."""

    LANGUAGE = "language", _("I don't read this language well")
    BROKEN = "broken", _("The page is broken or unreadable")
    RULES = "rules", _("The guideline doesn't cover this page")
    SUBJECT = "subject", _("I'd rather not read this content")
    LONG = "long", _("It would take too long")
    OTHER = "other", _("Other")


class Purpose(models.TextChoices):
    MAIN = "main", _("main")
    GUIDELINE = "guideline", _("new guideline")
    REPEAT = "repeat", _("repeat")
    CHECK = "check", _("check")
    PRACTICE = "practice", _("practice")


# The annotator is not told that they have seen the page, or that it has gold.
HIDDEN = (Purpose.REPEAT, Purpose.CHECK)
# Rounds for one person: no gold comes from them.
FOR_ONE = (*HIDDEN, Purpose.PRACTICE)
# Rounds that gold comes from.
TO_GOLD = (Purpose.MAIN, Purpose.GUIDELINE)


class Round(models.Model):
    """One pass over one page, with as many slots as the design asks for."""

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    find_missing = (
        "annotator.annotations.tasks.open_missing_rounds",
        "annotator.annotations.tasks.weigh_missing",
        "annotator.annotations.tasks.admit_returning_annotators",
    )

    page = models.ForeignKey(Page, models.PROTECT, related_name="rounds")
    purpose = models.CharField(max_length=20, choices=Purpose, default=Purpose.MAIN)
    number = models.PositiveSmallIntegerField(default=1)
    # No slot of the round shows a suggestion: the blind stratum (invariant 5).
    blind = models.BooleanField()
    # The design under which it was opened. Its seed, the number of the draw and the account of the draws
    # before reproduce the arms; `account` is that after this draw.
    design = models.ForeignKey(StudyDesign, models.PROTECT, null=True, related_name="rounds")
    draw = models.PositiveIntegerField()
    account = models.JSONField(null=True)
    # Where the order depends on how far extractors disagree: see `study.weights`.
    inclusion_probability = models.FloatField(null=True)
    opened_at = models.DateTimeField(default=timezone.now)
    # Counts repeated submissions: a comparison or dispute of an earlier edition is superseded.
    edition = models.PositiveIntegerField(default=1)
    # When its gold was made; from then on no submission of it can be reopened.
    finalised_at = models.DateTimeField(null=True)
    # Of a check or a repeat: how long after its submission it becomes final, as if gold were made then.
    final_after = models.DurationField(default=timedelta)
    # Of a re-annotation round: since when those who annotated the page before may take a slot too. Null:
    # it is reserved for others.
    returning_annotators_since = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["page", "purpose", "number"], name="one_round_per_number"),
            models.UniqueConstraint(
                fields=["page"],
                condition=Q(purpose=Purpose.GUIDELINE, finalised_at=None),
                name="one_open_reannotation_round",
            ),
            models.UniqueConstraint(
                fields=["page"], condition=Q(purpose=Purpose.MAIN), name="one_main_round_per_page"
            ),
            models.UniqueConstraint(
                fields=["design", "draw"], condition=Q(purpose=Purpose.MAIN), name="one_round_per_draw"
            ),
            models.CheckConstraint(
                condition=Q(inclusion_probability=None)
                | Q(inclusion_probability__gt=0, inclusion_probability__lte=1),
                name="valid_inclusion_probability",
            ),
            models.CheckConstraint(
                condition=~Q(purpose=Purpose.PRACTICE) | Q(blind=True), name="practice_rounds_are_blind"
            ),
            models.CheckConstraint(
                condition=~Q(purpose=Purpose.GUIDELINE) | Q(blind=True), name="reannotation_rounds_are_blind"
            ),
        ]
        indexes = [
            # The pages that are weighted in estimates: none in most corpora.
            models.Index(
                fields=["page"], condition=Q(inclusion_probability__isnull=False), name="weighted_rounds"
            )
        ]
        triggers = [
            counts_again(
                pgtrigger.UpdateOf("edition"),
                page="select new.page_id",
                condition="old.edition is distinct from new.edition",
            ),
            *new_version(
                "annotator_weightsversion",
                page="it.page_id",
                counts="it.inclusion_probability is not null",
                differs="was.inclusion_probability is distinct from it.inclusion_probability",
            ),
            *new_version(
                "annotator_agreementversion",
                page="it.page_id",
                differs="was.edition <> it.edition",
            ),
        ]


class Slot(models.Model):
    """One annotator's share of a round (invariant 4), with its arm (invariant 5)."""

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    # In every address and payload: the primary key would tell when the slot was made.
    key = models.UUIDField(db_default=RandomUUID(), unique=True, editable=False)
    round = models.ForeignKey(Round, models.PROTECT, related_name="slots")
    # Denormalised from the page, for the index of the next page. Of a practice slot, whose page is in another
    # corpus, it is the corpus practised for, with its labels and guideline.
    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    # When the first annotation of the round was submitted: such pages come first.
    begun_at = models.DateTimeField(null=True)
    # Sorts the slots of rounds that nobody has begun, in the design's order.
    queue_key = models.CharField(max_length=40, default="", db_collation="C")
    # Only they may take it: a check, a repeat or practice.
    assigned_to = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    arm = models.ForeignKey(Extractor, models.PROTECT, null=True, related_name="+")
    annotator = models.ForeignKey(User, models.PROTECT, null=True, related_name="slots")
    claimed_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    # Set while it is the annotator's reserve: they work on another page, and it lapses with that one.
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
                name="claim_has_annotator_and_lease",
            ),
            models.CheckConstraint(
                condition=Q(assigned_to=None) | Q(annotator=None) | Q(annotator=F("assigned_to")),
                name="assigned_slot_has_its_annotator",
            ),
            models.CheckConstraint(
                condition=Q(reserved_at=None) | Q(annotator__isnull=False, submitted_at=None),
                name="reserve_is_a_claim",
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
            # The order in which slots are claimed.
            models.Index(
                fields=["corpus", "begun_at", "queue_key", "round", "number"],
                condition=Q(submitted_at=None),
                name="slots_open",
            ),
            models.Index(
                fields=["submitted_at"], condition=Q(submitted_at__isnull=False), name="slots_submitted"
            ),
        ]
        triggers = [
            *append_only(pgtrigger.Q(old__submitted_at__isnull=False)),
            *new_version(
                "annotator_weightsversion",
                page="r.page_id",
                joins=_WEIGHTED,
                counts="true",
                differs="was.submitted_at is distinct from it.submitted_at",
            ),
            pgtrigger.Trigger(
                name="same_corpus",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("corpus_id", "round_id"),
                func=_CHECK_CORPUS,
            ),
            pgtrigger.Trigger(
                name="arm_is_no_leak",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("arm_id", "round_id"),
                condition=pgtrigger.Q(new__arm__isnull=False),
                func=_CHECK_ARM,
            ),
        ]


class Annotation(models.Model):
    """One annotator's spans and verdict in a slot. It outlives a lapsed lease as their draft."""

    slot = models.ForeignKey(Slot, models.PROTECT, related_name="annotations")
    annotator = models.ForeignKey(User, models.PROTECT, related_name="annotations")
    document = models.ForeignKey(StoredDocument, models.PROTECT, related_name="annotations")
    guideline_version = models.PositiveIntegerField()
    # The extractor whose suggestion was shown; set when the page is opened, null: none.
    shown = models.ForeignKey(Extractor, models.PROTECT, null=True, related_name="+")
    opened_at = models.DateTimeField(default=timezone.now)
    # The number of the newest revision; a save must be based on it (invariant 6).
    revision = models.PositiveIntegerField(default=0)
    active_seconds = models.PositiveIntegerField(default=0)
    # When it was last submitted, as its current `Submission` says; here for the constraints and the trigger.
    submitted_at = models.DateTimeField(null=True)
    # When it was reopened; the submission counts until the next one.
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
        triggers = append_only(_SUBMISSION_IS_CHANGED)

    @property
    def is_open(self) -> bool:
        """Whether the annotator may change it."""
        return self.submitted_at is None or self.reopened_at is not None


class Marks(models.Model):
    """The content of a save: spans, verdict, note."""

    spans = models.JSONField(default=list)
    verdict = models.CharField(max_length=20, choices=Verdict, blank=True, default="")
    reason = models.CharField(max_length=20, choices=NotArticleReason, blank=True, default="")
    note = models.TextField(blank=True, default="")
    saved_at = models.DateTimeField(default=timezone.now)
    # Chosen by the browser: the same operation sent twice is saved once.
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
            models.CheckConstraint(condition=Q(based_on__lt=F("number")), name="based_on_earlier_revision"),
        ]
        triggers = append_only(unless=_BLANKED)


class RefusedSave(Marks):
    """A save that was based on a stale revision: refused, and kept all the same."""

    annotation = models.ForeignKey(Annotation, models.PROTECT, related_name="refused")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotation", "operation"], name="one_refusal_per_operation")
        ]
        triggers = append_only(unless=_BLANKED)


class Submission(models.Model):
    """A submitted revision. Submitting again makes the next one; this one stays on record."""

    annotation = models.ForeignKey(Annotation, models.PROTECT, related_name="submissions")
    number = models.PositiveIntegerField()
    revision = models.OneToOneField(Revision, models.PROTECT, related_name="submission")
    submitted_at = models.DateTimeField()
    # When the next one replaced it; null: this one is current.
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["annotation", "number"], name="one_submission_per_number"),
            models.UniqueConstraint(
                fields=["annotation"], condition=Q(withdrawn_at=None), name="one_current_submission"
            ),
        ]
        triggers = append_only(
            condition(f"old.withdrawn_at is not null or {changes_other_than('withdrawn_at')}")
        )


class Skip(models.Model):
    """An annotator returned this round to the queue; it is not offered to them again."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="skips")
    annotator = models.ForeignKey(User, models.PROTECT, related_name="skips")
    at = models.DateTimeField(default=timezone.now)
    reason = models.CharField(max_length=20, choices=SkipReason, blank=True, default="")
    note = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "annotator"], name="one_skip_per_annotator")]


class Unblinded(models.Model):
    """The user has seen the page as its adjudicator, and may take no slot of it (invariant 4)."""

    page = models.ForeignKey(Page, models.PROTECT, related_name="unblinded")
    user = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["page", "user"], name="unblinded_once_per_page")]
        triggers = append_only()
