"""Adjudication, and gold."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.annotations.models import LEASE as LEASE  # the same patience for annotator and adjudicator
from annotator.annotations.models import Reason, Round, Verdict
from annotator.corpora.models import User
from annotator.pages.models import Document, Page


class Kind(models.TextChoices):
    """Why a page is before an adjudicator."""

    DISPUTE = "dispute"  # the annotators differ
    AUDIT = "audit"  # they agree, and the page was drawn to be looked at all the same
    REOPENED = "reopened"  # there is gold, and it is looked at again


class Adjudication(models.Model):
    """A third person settles the verdict, then the segments on which the annotators differ.

    An audit, and gold that is looked at again, have one segment: the page as it stands.
    """

    round = models.ForeignKey(Round, models.PROTECT, related_name="adjudications")
    # The round's when it was opened; one of an earlier edition is superseded, and stays on record.
    edition = models.PositiveIntegerField(default=1)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.DISPUTE)
    opened_at = models.DateTimeField(default=timezone.now)
    # Characters on which they differ, white space aside; while the verdict is open, all that anybody marked.
    in_dispute = models.PositiveIntegerField(default=0)
    # Its place in the queue, the largest first: what is in dispute, or, that no audit be known by its place,
    # what is in dispute on another page.
    weight = models.PositiveIntegerField(default=0)
    # Of gold that is looked at again: which, who asked for it (nobody: a program), and why.
    reopens = models.ForeignKey("Gold", models.PROTECT, null=True, related_name="reopenings")
    reopened_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    why = models.CharField(max_length=500, blank=True, default="")
    # The slots in the order in which they are called A, B ...; drawn, so that nobody can be known by it.
    order = models.JSONField()
    # The same reading of both: null while it must be settled here.
    verdict = models.CharField(max_length=20, choices=Verdict, blank=True, default="")
    reason = models.CharField(max_length=20, choices=Reason, blank=True, default="")
    verdict_settled_at = models.DateTimeField(null=True)
    adjudicator = models.ForeignKey(User, models.PROTECT, null=True, related_name="adjudications")
    lease_until = models.DateTimeField(null=True)
    # When it was last left for later; such a page comes after the others.
    put_off_at = models.DateTimeField(null=True)
    # She annotated the page herself, which the corpus allows to a tiny team.
    own_page = models.BooleanField(default=False)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["opened_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(settled_at=None) | Q(adjudicator__isnull=False, verdict_settled_at__isnull=False),
                name="settled_by_somebody",
            ),
            models.UniqueConstraint(fields=["round", "edition"], name="one_dispute_per_edition"),
            models.CheckConstraint(
                condition=(Q(kind=Kind.REOPENED, reopens__isnull=False) & ~Q(why=""))
                | (~Q(kind=Kind.REOPENED) & Q(reopens=None, reopened_by=None, why="")),
                name="reopened_gold_has_its_reason",
            ),
        ]


class Segment(models.Model):
    """One dispute: `pieces` as [start, end, [label or null, one a slot]]; settled by one choice."""

    adjudication = models.ForeignKey(Adjudication, models.PROTECT, related_name="segments")
    number = models.PositiveSmallIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    pieces = models.JSONField()
    can_take_both = models.BooleanField()
    # The index of the slot that was right, "both", "neither" or "anew"; empty while open.
    choice = models.CharField(max_length=10, blank=True, default="")
    # What she marked herself inside the segment, as [start, end, label]: with "anew", and only then.
    marks = models.JSONField(null=True)
    decided_at = models.DateTimeField(null=True)
    # The clause of the guideline that was the reason, and in which version; if she named one.
    clause = models.CharField(max_length=5, blank=True, default="")
    guideline_version = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["adjudication", "number"], name="one_segment_per_number"),
            models.CheckConstraint(condition=Q(start__lt=models.F("end")), name="a_segment_has_text"),
            models.CheckConstraint(
                condition=Q(choice="", decided_at=None) | (~Q(choice="") & Q(decided_at__isnull=False)),
                name="a_choice_has_its_date",
            ),
            models.CheckConstraint(
                condition=Q(choice="anew", marks__isnull=False) | (~Q(choice="anew") & Q(marks=None)),
                name="marks_of_her_own_are_a_choice",
            ),
            models.CheckConstraint(
                condition=Q(clause="", guideline_version=None)
                | (~Q(clause="") & ~Q(choice="") & Q(guideline_version__isnull=False)),
                name="a_reason_is_a_clause_of_a_version",
            ),
        ]


class Source(models.TextChoices):
    """Where an interval of gold comes from."""

    UNANIMOUS = "unanimous"
    ADJUDICATED = "adjudicated"
    SINGLE = "single"
    IMPORTED = "imported"
    CARRIED = "carried"


class Gold(models.Model):
    """The settled verdict and spans of a page. A new opinion is a new row with the next number (law 7)."""

    page = models.ForeignKey(Page, models.PROTECT, related_name="gold")
    number = models.PositiveIntegerField()
    document = models.ForeignKey(Document, models.PROTECT, related_name="gold")
    verdict = models.CharField(max_length=20, choices=Verdict)
    reason = models.CharField(max_length=20, choices=Reason, blank=True, default="")
    # Rows of start, end, label, source.
    spans = models.JSONField(default=list)
    # The labels that this gold tells apart; text gold knows only its own.
    tells = models.JSONField()
    # How it was settled as a whole: the weakest of its intervals' sources.
    source = models.CharField(max_length=20, choices=Source)
    # Where an adjudicator settled it: who and when, and why where gold was reopened.
    adjudication = models.OneToOneField(Adjudication, models.PROTECT, null=True, related_name="gold")
    # Families of extractors that somebody who made this gold had seen (law 5).
    saw = models.JSONField(default=list)
    # Non-whitespace characters of imported gold text, and those that found their place.
    characters = models.PositiveIntegerField(null=True)
    placed = models.PositiveIntegerField(null=True)
    # Null once a newer one stands.
    current = models.BooleanField(null=True, default=True)
    settled_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["page", "number"], name="one_gold_per_number"),
            models.UniqueConstraint(fields=["page", "current"], name="one_current_gold_per_page"),
            models.CheckConstraint(
                condition=Q(placed=None) | Q(placed__lte=models.F("characters")),
                name="placed_within_characters",
            ),
        ]
