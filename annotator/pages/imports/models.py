"""Imports, and the records that they refused."""

from django.db import models
from django.utils import timezone

from annotator.corpora.models import Corpus


class Import(models.Model):
    """An import of one source. An interrupted import of the same source resumes at `position`."""

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="imports")
    format = models.CharField(max_length=20)
    # The resolved path, which identifies the source.
    source = models.TextField()
    with_gold = models.BooleanField(default=False)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    position = models.PositiveIntegerField(default=0, help_text="records processed")
    new = models.PositiveIntegerField(default=0)
    duplicates = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-started_at"]


class ImportProblem(models.Model):
    """A refused record: its location in the source, and the reason."""

    run = models.ForeignKey(Import, models.CASCADE, related_name="problems")
    location = models.CharField(max_length=300)
    reason = models.TextField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "location"], name="unique_problem_per_location")
        ]
