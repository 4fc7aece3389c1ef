"""Settled pages that are annotated anew because the guideline has changed."""

from django.db import models
from django.db.models import Q

from annotator.annotations.models import Round
from annotator.common.work import Work
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page


class Renewal(Work):
    """New rounds for chosen pages, opened one by one; stopped, it can be told to go on."""

    task = "annotator.renewal.tasks.open_rounds"
    queue = "bulk"

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="renewals")
    # The guideline that stood when the pages were chosen.
    guideline_version = models.PositiveIntegerField()
    # By what they were chosen: `choosing.Asked`.
    asked = models.JSONField()
    # Nobody: from the terminal.
    requested_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-requested_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["corpus"], condition=Q(finished_at=None), name="one_renewal_at_once"
            )
        ]
        indexes = [models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="renewal_open")]


class Why(models.TextChoices):
    """Why a chosen page got no round: between the choice and its turn something had come in between."""

    IN_WORK = "in_work"
    TOO_FEW = "too_few"
    GONE = "gone"  # taken down, or annotated anew meanwhile


class RenewedPage(models.Model):
    """A chosen page, and its round once it is open."""

    renewal = models.ForeignKey(Renewal, models.PROTECT, related_name="rows")
    page = models.ForeignKey(Page, models.PROTECT, related_name="renewals")
    round = models.OneToOneField(Round, models.PROTECT, null=True, related_name="renewed")
    left_out = models.CharField(max_length=10, choices=Why, blank=True, default="")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["renewal", "page"], name="one_row_per_renewed_page"),
            models.CheckConstraint(
                condition=Q(round=None) | Q(left_out=""), name="a_page_left_out_has_no_round"
            ),
        ]
