"""Extractors and extractions."""

from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.common.queues import BULK
from annotator.common.triggers import SUCCEEDED, Blanking, append_only
from annotator.common.work import Work, WorkKind, work_indexes
from annotator.corpora.models import Corpus
from annotator.pages.models import StoredDocument
from extraction import extractors


class Extractor(models.Model):
    """A named, versioned program with parameters. A changed rule is a new version, and a new row."""

    name = models.CharField(max_length=60)
    version = models.CharField(max_length=60)
    parameters = models.JSONField(default=dict)
    # The parameters as canonical JSON, for the unique constraint.
    parameters_key = models.CharField(max_length=500, default="{}", editable=False)
    # Extractors of one family count as one where blindness is concerned (invariant 5).
    family = models.CharField(max_length=60)
    can_be_arm = models.BooleanField(default=True)
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name", "version", "parameters_key"]
        constraints = [
            models.UniqueConstraint(fields=["name", "version", "parameters_key"], name="unique_extractor")
        ]

    def __str__(self) -> str:
        defaults = _default_parameters(self.name)
        changed = sorted(item for item in self.parameters.items() if defaults.get(item[0]) != item[1])
        listed = ", ".join(f"{key} {value}" for key, value in changed)
        return f"{self.name} ({listed})" if listed else self.name

    @property
    def is_available(self) -> bool:
        """Whether this Goldpan can run this version."""
        try:
            spec = extractors.get(self.name)
        except extractors.ExtractorError:
            return False
        return spec.version == self.version and spec.missing is None


def _default_parameters(name: str) -> dict[str, Any]:
    """Return the default parameters of an extractor; none if it is no longer installed."""
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
                fields=["corpus", "extractor"], condition=Q(ended_at=None), name="unique_enabled_extractor"
            )
        ]


class Extraction(Work):
    """The output of one extractor for one document, or its error, and its cost."""

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    # A failed extraction is a result, scored as empty (invariants 7 and 9): it is not retried.
    kind = WorkKind(
        title=_("Extractions"),
        failed_title=_("Failed extractions"),
        task="annotator.runs.tasks.run_extractor",
        queue=BULK,
        page="document__page",
        label="extractor__name",
        can_retry=False,
    )
    find_missing = ("annotator.runs.tasks.request_missing",)

    document = models.ForeignKey(StoredDocument, models.PROTECT, related_name="extractions")
    extractor = models.ForeignKey(Extractor, models.PROTECT, related_name="extractions")
    spans = models.JSONField(default=list)
    # The explanation by block, if the extractor can explain: the rows of `runs.reasons`.
    reasons = models.JSONField(default=list)
    # The class of the error if explaining failed; no text of the page.
    explanation_error = models.TextField(default="")
    # CPU time.
    seconds = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["document", "extractor"], name="unique_extraction"),
        ]
        indexes = [
            *work_indexes("extraction"),
            models.Index(fields=["finished_at"], name="extraction_finished"),
        ]
        triggers = append_only(
            SUCCEEDED,
            unless=Blanking(
                {"spans": []}, "select page_id from annotator_storeddocument where id = old.document_id"
            ),
        )


class ShrunkPage(Work):
    """The smallest HTML on which an extractor still makes one error of an extraction.

    As work: it is to be found. The error is the text `[start, end)` of the document, missed or taken wrongly.
    """

    kind = WorkKind(
        title=_("Smallest failing pages"),
        failed_title=_("Errors for which no smallest page was found"),
        task="annotator.runs.tasks.shrink_page",
        queue=BULK,
        page="extraction__document__page",
        label="extraction__extractor__name",
        is_requested=True,
    )

    extraction = models.ForeignKey(Extraction, models.PROTECT, related_name="shrunk_pages")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    is_missing = models.BooleanField()
    # The name of the label set whose labels count as taken.
    labels = models.CharField(max_length=20)
    html = models.TextField(blank=True, default="")
    # Pages tried, and whether nothing more can be left out.
    tried = models.PositiveIntegerField(default=0)
    is_minimal = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["extraction", "start", "end", "is_missing", "labels"],
                name="one_shrunk_page_per_error",
            ),
            models.CheckConstraint(condition=Q(start__lt=F("end")), name="error_is_not_empty"),
        ]
        indexes = work_indexes("shrunkpage")
