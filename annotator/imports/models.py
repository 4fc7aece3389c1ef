"""Imports and what went wrong in them."""

from django.db import models
from django.utils import timezone

from annotator.corpora.models import Corpus


class Import(models.Model):
    """One run over one source; broken off, the same source goes on at `position`."""

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="imports")
    format = models.CharField(max_length=20)
    # The resolved path: the same source is the same import.
    source = models.TextField()
    with_gold = models.BooleanField(default=False)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    position = models.PositiveIntegerField(default=0, help_text="records that are done with")
    new = models.PositiveIntegerField(default=0)
    duplicates = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-started_at"]


class ImportProblem(models.Model):
    """A record that did not go in: its place and the reason."""

    run = models.ForeignKey(Import, models.CASCADE, related_name="problems")
    place = models.CharField(max_length=300)
    reason = models.TextField()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["run", "place"], name="one_problem_per_place")]
