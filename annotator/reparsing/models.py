"""Re-parsing a corpus, with one job per page."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.common.queues import BULK
from annotator.common.triggers import SUCCEEDED, append_only
from annotator.common.work import Work, work_indexes
from annotator.common.work_kinds import WorkControls, WorkKind
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Adjudication, Gold
from annotator.pages.models import Page, StoredDocument


class Reparse(models.Model):
    """The re-parse of a corpus with one parser version; started again, it is resumed."""

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="reparses")
    version = models.CharField(max_length=60)
    # Null: from the command line.
    requested_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    started_at = models.DateTimeField(default=timezone.now)
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-started_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["corpus", "version"], name="one_reparse_per_version")]


class ReparseJob(Work):
    """The re-parse of one page. Its result is the switch to the new document, or the error."""

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    kind = WorkKind(
        title=_("Pages to parse again"),
        failed_title=_("Pages that could not be parsed again"),
        task="annotator.reparsing.tasks.reparse_page",
        queue=BULK,
        blocked=Q(waiting_since__isnull=False),
        page="page",
        can_retry=False,
        # A later parser has made the page's document.
        ended=~Q(page__document=F("document_before")),
        is_requested=True,
        screen="reparsing",
        controls=(
            WorkControls(_("Stop"), "reparsing-stop", Q(finished_at=None, run__stopped_at=None), key=""),
            WorkControls(
                _("Resume"), "reparsing-start", Q(finished_at=None, run__stopped_at__isnull=False), key=""
            ),
        ),
    )

    run = models.ForeignKey(Reparse, models.PROTECT, related_name="jobs")
    page = models.ForeignKey(Page, models.PROTECT, related_name="reparse_jobs")
    # Since when the page has been found in work; null while it is not.
    waiting_since = models.DateTimeField(null=True)
    # The current document and gold before and after.
    document_before = models.ForeignKey(StoredDocument, models.PROTECT, related_name="+")
    document = models.ForeignKey(StoredDocument, models.PROTECT, null=True, related_name="+")
    gold_before = models.ForeignKey(Gold, models.PROTECT, null=True, related_name="+")
    gold = models.OneToOneField(Gold, models.PROTECT, null=True, related_name="reparse_job")
    # Intervals of the gold by outcome, and its non-whitespace characters that were not found.
    same_intervals = models.PositiveIntegerField(default=0)
    changed_intervals = models.PositiveIntegerField(default=0)
    lost_intervals = models.PositiveIntegerField(default=0)
    lost_characters = models.PositiveIntegerField(default=0)
    # `projection.ProjectedInterval`, one per interval of the gold before.
    intervals = models.JSONField(default=list)
    # Opened where something was lost.
    adjudication = models.ForeignKey(Adjudication, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "page"], name="one_reparse_job_per_page"),
            models.CheckConstraint(
                condition=Q(finished_at=None) | ~Q(error="") | Q(document__isnull=False),
                name="reparsed_to_a_document",
            ),
            models.CheckConstraint(
                condition=Q(gold=None) | Q(gold_before__isnull=False), name="projected_from_earlier_gold"
            ),
        ]
        indexes = [
            *work_indexes("reparse_job"),
            models.Index(
                fields=["run", "-lost_characters", "-changed_intervals", "id"],
                name="reparse_jobs_worst_first",
            ),
        ]
        triggers = append_only(SUCCEEDED)
