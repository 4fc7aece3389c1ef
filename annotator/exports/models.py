"""Exports as background jobs."""

from django.db import models
from django.db.models import Q

from annotator.common.work import Work
from annotator.corpora.models import Corpus, User
from annotator.releases.models import Release


class Export(Work):
    """Current gold or a release, written in one format; the file lies in the files, by digest."""

    task = "annotator.exports.tasks.write_export"
    queue = "bulk"

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="exports")
    # Null: the gold that is current when it is written.
    release = models.ForeignKey(Release, models.PROTECT, null=True, related_name="exports")
    format = models.CharField(max_length=20)
    requested_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    pages = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, default="")
    stopped_at = models.DateTimeField(null=True)
    # The file is gone: a page in it was taken down.
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-requested_at"]
        indexes = [models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="export_open")]
