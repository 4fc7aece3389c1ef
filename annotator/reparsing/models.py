"""A re-parse of a corpus, and its one job a page."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.common.work import Work
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Adjudication, Gold
from annotator.pages.models import Document, Page


class Reparse(models.Model):
    """A corpus on its way to one parser version. Started again, it goes on."""

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="reparses")
    version = models.CharField(max_length=60)
    # Nobody: from the terminal.
    requested_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    started_at = models.DateTimeField(default=timezone.now)
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-started_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["corpus", "version"], name="one_reparse_per_version")]


class Move(Work):
    """One page's way from its document to the next. Its one result is the flip, or why there is none."""

    task = "annotator.reparsing.tasks.move_page"
    queue = "bulk"

    run = models.ForeignKey(Reparse, models.PROTECT, related_name="moves")
    page = models.ForeignKey(Page, models.PROTECT, related_name="moves")
    # Somebody works on the page since then; null: nobody does, as far as was seen.
    waiting_since = models.DateTimeField(null=True)
    # What counted before, and what counts since.
    before = models.ForeignKey(Document, models.PROTECT, related_name="+")
    document = models.ForeignKey(Document, models.PROTECT, null=True, related_name="+")
    gold_before = models.ForeignKey(Gold, models.PROTECT, null=True, related_name="+")
    gold = models.OneToOneField(Gold, models.PROTECT, null=True, related_name="move")
    # Intervals of the gold by what became of them, and its characters without blanks that found no place.
    same = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    characters_lost = models.PositiveIntegerField(default=0)
    # Interval by interval, as `reparsing.carrying.Row`.
    report = models.JSONField(default=list)
    # Before whom the page is since, because something was lost.
    adjudication = models.ForeignKey(Adjudication, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "page"], name="one_move_per_page"),
            models.CheckConstraint(
                condition=Q(finished_at=None) | ~Q(error="") | Q(document__isnull=False),
                name="moved_to_a_document",
            ),
            models.CheckConstraint(
                condition=Q(gold=None) | Q(gold_before__isnull=False), name="carried_from_earlier_gold"
            ),
        ]
        indexes = [
            models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="move_open"),
            models.Index(fields=["run", "-characters_lost", "-changed", "id"], name="moves_worst_first"),
        ]
