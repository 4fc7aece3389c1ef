"""Exports as background jobs."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.common.queues import BULK
from annotator.common.work import StoppableWork, work_indexes
from annotator.common.work_kinds import WorkControls, WorkKind
from annotator.corpora.models import Corpus, User
from annotator.releases.exports import presentation
from annotator.releases.models import Release


class Export(StoppableWork):
    """An export of the current gold or of a release. The file is in the file store, by digest."""

    # Not retried: a new export is a new row.
    kind = WorkKind(
        title=_("Exports"),
        failed_title=_("Failed exports"),
        task="annotator.releases.exports.tasks.write_export",
        queue=BULK,
        cpu_seconds=None,
        label="format",
        can_retry=False,
        is_requested=True,
        screen="exports",
        is_job=True,
        progress=("done", "pages"),
        controls=(WorkControls(_("Stop"), "export-stop", Q(finished_at=None)),),
    )

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="exports")
    # Null: the gold that is current when the export is written.
    release = models.ForeignKey(Release, models.PROTECT, null=True, related_name="exports")
    format = models.CharField(max_length=20)
    # What goes along where the format holds it: the bytes of pages, annotations before adjudication, and
    # outputs of extractors.
    with_pages = models.BooleanField(default=True)
    with_annotations = models.BooleanField(default=False)
    with_outputs = models.BooleanField(default=False)
    requested_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    pages = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, default="")
    # Of how many pages the format could not hold what: pages by `extraction.formats.writing.Loss`.
    losses = models.JSONField(default=dict)
    # When the file was removed, because a page was taken down.
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-requested_at"]
        indexes = work_indexes("export")

    @property
    def title(self) -> str:
        """The title of its format."""
        return presentation.format_title(self.format)

    @property
    def losses_in_words(self) -> list[tuple[str, int]]:
        """What the format could not hold, and of how many pages."""
        return presentation.losses_of(self.losses)
