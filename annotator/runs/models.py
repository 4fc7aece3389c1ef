"""Extractors, and what they said."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.common.work import Work
from annotator.corpora.models import Corpus
from annotator.pages.models import Document
from extraction import extractors


class Extractor(models.Model):
    """A named, versioned program with parameters; a changed rule is a new row."""

    name = models.CharField(max_length=60)
    version = models.CharField(max_length=60)
    parameters = models.JSONField(default=dict)
    # The parameters as canonical JSON: the unique key over them.
    parameters_key = models.CharField(max_length=500, default="{}", editable=False)
    # Systems of one family count as one where blindness is concerned (law 5).
    family = models.CharField(max_length=60)
    can_be_arm = models.BooleanField(default=True)
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name", "version", "parameters_key"]
        constraints = [
            models.UniqueConstraint(
                fields=["name", "version", "parameters_key"], name="one_row_per_extractor"
            )
        ]

    def __str__(self) -> str:
        usual = _usual_parameters(self.name)
        telling = {key: value for key, value in self.parameters.items() if usual.get(key) != value}
        given = ", ".join(f"{key} {value}" for key, value in sorted(telling.items()))
        return f"{self.name} ({given})" if given else self.name


def _usual_parameters(name: str) -> dict[str, Any]:
    """What an extractor runs with when nothing is said; nothing of one that is not installed any more."""
    try:
        return extractors.get(name).parameters
    except extractors.ExtractorError:
        return {}


class CorpusExtractor(models.Model):
    """An extractor that a corpus runs on every page."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="enabled")
    extractor = models.ForeignKey(Extractor, models.PROTECT, related_name="enabled")
    since = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "extractor"], condition=Q(ended_at=None), name="enabled_once_per_corpus"
            )
        ]


class Extraction(Work):
    """What one extractor said about one document, or its error, with its cost."""

    task = "annotator.runs.tasks.run_extractor"
    queue = "bulk"

    document = models.ForeignKey(Document, models.PROTECT, related_name="extractions")
    extractor = models.ForeignKey(Extractor, models.PROTECT, related_name="extractions")
    spans = models.JSONField(default=list)
    # Why, block by block, from an extractor that can say so: the rows of `runs.reasons`.
    reasons = models.JSONField(default=list)
    # What went wrong, where it can say so and failed at that: the kind of error, without a word of the page.
    no_reasons = models.TextField(default="")
    seconds = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["document", "extractor"], name="one_extraction_per_document"),
        ]
        indexes = [models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="extraction_open")]
