"""Adjudication, and gold."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.agreement.models import Agreement
from annotator.annotations.models import LEASE as LEASE  # the same for annotator and adjudicator
from annotator.annotations.models import Round
from annotator.common.triggers import (
    TAKEN_DOWN,
    Blanking,
    append_only,
    changes_other_than,
    condition,
    counts_again,
    same_document,
)
from annotator.common.verdicts import NotArticleReason, Verdict
from annotator.corpora.models import User
from annotator.pages.models import Page, StoredDocument
from extraction.spans import Span

# The choice of an adjudicator who marks a segment themselves.
RELABEL = "relabel"


class AdjudicationKind(models.TextChoices):
    """Why a page is before an adjudicator."""

    DISPUTE = "dispute"  # the annotators disagree
    AUDIT = "audit"  # they agree, and the page was drawn for a check
    REOPENED = "reopened"  # it has gold, which was sent back


class Adjudication(models.Model):
    """A third person decides the verdict, then the segments on which the annotators disagree.

    An audit and reopened gold have one segment: the whole page as it stands.
    """

    round = models.ForeignKey(Round, models.PROTECT, related_name="adjudications")
    # The round's edition when it was opened; an adjudication of an earlier edition is superseded and stays.
    edition = models.PositiveIntegerField(default=1)
    kind = models.CharField(max_length=10, choices=AdjudicationKind, default=AdjudicationKind.DISPUTE)
    # What it was opened after; null for reopened gold.
    comparison = models.OneToOneField(Agreement, models.PROTECT, null=True, related_name="adjudication")
    opened_at = models.DateTimeField(default=timezone.now)
    # Non-whitespace characters in dispute; while the verdict is open, all that anybody marked.
    in_dispute = models.PositiveIntegerField(default=0)
    # The rank in the queue, largest first: characters in dispute or, so that no audit can be told by its
    # rank, those of another page.
    weight = models.PositiveIntegerField(default=0)
    # Of reopened gold: which, who asked for it (null: a program), and why.
    reopens = models.ForeignKey("Gold", models.PROTECT, null=True, related_name="reopenings")
    reopened_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    why = models.CharField(max_length=500, blank=True, default="")
    # The indices of the slots in the order in which they are called A, B ...; drawn, to hide who is who.
    order = models.JSONField()
    # The verdict of the page; empty while it is to be decided here.
    verdict = models.CharField(max_length=20, choices=Verdict, blank=True, default="")
    reason = models.CharField(max_length=20, choices=NotArticleReason, blank=True, default="")
    verdict_decided_at = models.DateTimeField(null=True)
    adjudicator = models.ForeignKey(User, models.PROTECT, null=True, related_name="adjudications")
    lease_until = models.DateTimeField(null=True)
    # When it was last deferred; such a page comes after the others.
    deferred_at = models.DateTimeField(null=True)
    # Whether the adjudicator annotated the page too, which a corpus may allow for a tiny team.
    own_page = models.BooleanField(default=False)
    finalised_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["opened_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(finalised_at=None)
                | Q(adjudicator__isnull=False, verdict_decided_at__isnull=False),
                name="finalised_by_an_adjudicator",
            ),
            models.UniqueConstraint(
                fields=["round", "edition"], condition=Q(reopens=None), name="one_adjudication_per_edition"
            ),
            models.UniqueConstraint(
                fields=["round"],
                condition=Q(reopens__isnull=False, finalised_at=None),
                name="one_open_adjudication_of_reopened_gold",
            ),
            models.CheckConstraint(
                condition=(
                    Q(kind=AdjudicationKind.REOPENED, reopens__isnull=False, comparison=None) & ~Q(why="")
                )
                | (
                    ~Q(kind=AdjudicationKind.REOPENED)
                    & Q(comparison__isnull=False, reopens=None, reopened_by=None, why="")
                ),
                name="adjudication_has_its_origin",
            ),
        ]
        triggers = append_only(
            pgtrigger.Q(old__finalised_at__isnull=False),
            unless=Blanking(
                {"why": TAKEN_DOWN}, "select page_id from annotator_round where id = old.round_id"
            ),
        )


class Segment(models.Model):
    """One dispute, decided by one choice: `pieces` as [start, end, [label or null, one per slot]]."""

    adjudication = models.ForeignKey(Adjudication, models.PROTECT, related_name="segments")
    number = models.PositiveSmallIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    pieces = models.JSONField()
    can_take_both = models.BooleanField()
    # The index of the slot that was right, "both", "neither" or RELABEL; empty while open.
    choice = models.CharField(max_length=10, blank=True, default="")
    # What the adjudicator marked inside the segment, as [start, end, label]: with RELABEL only.
    marks = models.JSONField(null=True)
    decided_at = models.DateTimeField(null=True)
    # The guideline clause that was the reason, and its version, if the adjudicator named one.
    clause = models.CharField(max_length=5, blank=True, default="")
    guideline_version = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["adjudication", "number"], name="one_segment_per_number"),
            models.CheckConstraint(condition=Q(start__lt=models.F("end")), name="segment_has_text"),
            models.CheckConstraint(
                condition=Q(choice="", decided_at=None) | (~Q(choice="") & Q(decided_at__isnull=False)),
                name="choice_has_a_date",
            ),
            models.CheckConstraint(
                condition=Q(choice=RELABEL, marks__isnull=False) | (~Q(choice=RELABEL) & Q(marks=None)),
                name="only_relabelled_segments_have_marks",
            ),
            models.CheckConstraint(
                condition=Q(clause="", guideline_version=None)
                | (~Q(clause="") & ~Q(choice="") & Q(guideline_version__isnull=False)),
                name="cited_clause_has_a_version",
            ),
        ]


class GoldSource(models.TextChoices):
    """Where an interval of gold comes from."""

    UNANIMOUS = "unanimous"
    ADJUDICATED = "adjudicated"
    SINGLE = "single"
    IMPORTED = "imported"
    PROJECTED = "projected"


# Of gold that no people have just decided: an import brought it, or a page was parsed again.
NOT_BY_PEOPLE = (GoldSource.IMPORTED, GoldSource.PROJECTED)


class Gold(models.Model):
    """The final verdict and spans of a page. A change is a new row with the next number (invariant 7)."""

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    find_missing = ("annotator.gold.tasks.finalise_missing",)

    page = models.ForeignKey(Page, models.PROTECT, related_name="gold")
    number = models.PositiveIntegerField()
    document = models.ForeignKey(StoredDocument, models.PROTECT, related_name="gold")
    verdict = models.CharField(max_length=20, choices=Verdict)
    reason = models.CharField(max_length=20, choices=NotArticleReason, blank=True, default="")
    # Rows of start, end, label, source.
    spans = models.JSONField(default=list)
    # The labels that this gold can tell apart; text gold knows only its own.
    distinguishable_labels = models.JSONField()
    # Where it comes from as a whole: the weakest of its intervals' sources.
    source = models.CharField(max_length=20, choices=GoldSource)
    # The adjudication that made it, if there was one.
    adjudication = models.OneToOneField(Adjudication, models.PROTECT, null=True, related_name="gold")
    # Families of extractors whose output somebody who made this gold was shown (invariant 5).
    exposed_families = models.JSONField(default=list)
    # Non-whitespace characters of imported gold text, and those that could be placed.
    characters = models.PositiveIntegerField(null=True)
    placed = models.PositiveIntegerField(null=True)
    # Null once there is a newer version.
    current = models.BooleanField(null=True, default=True)
    finalised_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["page", "number"], name="one_gold_per_number"),
            models.UniqueConstraint(fields=["page", "current"], name="one_current_gold_per_page"),
            models.CheckConstraint(
                condition=Q(placed=None) | Q(placed__lte=models.F("characters")),
                name="placed_within_characters",
            ),
        ]
        indexes = [models.Index(fields=["finalised_at"], name="gold_finalised")]
        triggers = [
            *append_only(
                condition(changes_other_than("current")),
                unless=Blanking({"spans": [], "current": None}, "old.page_id"),
            ),
            same_document(pgtrigger.Insert | pgtrigger.UpdateOf("current"), page="new.page_id"),
            counts_again(pgtrigger.Insert | pgtrigger.UpdateOf("current"), page="select new.page_id"),
            counts_again(pgtrigger.Delete, page="select old.page_id", name="counts_no_more"),
        ]

    @property
    def marks(self) -> list[Span]:
        """Its spans without their sources."""
        return [Span(start, end, label) for start, end, label, _source in self.spans]
