"""Re-annotation of finished pages after the guideline has changed."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.annotations.models import Round
from annotator.common.queues import BULK
from annotator.common.triggers import append_only
from annotator.common.work import StoppableWork, work_indexes
from annotator.common.work_kinds import WorkControls, WorkKind
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page


class Reannotation(StoppableWork):
    """New rounds for selected pages, opened one by one; a stopped one can be resumed."""

    kind = WorkKind(
        title=_("Re-annotation requests"),
        failed_title=_("Failed re-annotation requests"),
        task="annotator.gold.reannotation.tasks.open_rounds",
        queue=BULK,
        cpu_seconds=None,
        label="guideline_version",
        can_retry=False,
        is_requested=True,
        screen="reannotation",
        is_job=True,
        controls=(
            WorkControls(_("Stop"), "reannotation-stop", Q(finished_at=None, stopped_at=None), key=""),
            WorkControls(
                _("Resume"), "reannotation-resume", Q(finished_at=None, stopped_at__isnull=False), key=""
            ),
        ),
    )

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="reannotations")
    # The current guideline version when the pages were selected.
    guideline_version = models.PositiveIntegerField()
    # `page_selection.PageCriteria`.
    criteria = models.JSONField()
    # Null: from the command line.
    requested_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-requested_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["corpus"], condition=Q(finished_at=None), name="one_reannotation_at_once"
            )
        ]
        indexes = work_indexes("reannotation")


class ReannotationExclusion(models.TextChoices):
    """Why a selected page got no round: what happened between its selection and its turn."""

    IN_WORK = "in_work"
    TOO_FEW = "too_few"
    GONE = "gone"  # taken down or re-annotated meanwhile


class ReannotationPage(models.Model):
    """A selected page, and its round once it is open."""

    reannotation = models.ForeignKey(Reannotation, models.PROTECT, related_name="rows")
    page = models.ForeignKey(Page, models.PROTECT, related_name="reannotations")
    round = models.OneToOneField(Round, models.PROTECT, null=True, related_name="reannotated")
    exclusion = models.CharField(max_length=10, choices=ReannotationExclusion, blank=True, default="")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["reannotation", "page"], name="one_row_per_reannotated_page"),
            models.CheckConstraint(
                condition=Q(round=None) | Q(exclusion=""), name="excluded_page_has_no_round"
            ),
        ]
        triggers = append_only(pgtrigger.Q(old__round__isnull=False) | ~pgtrigger.Q(old__exclusion=""))
