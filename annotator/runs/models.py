"""Extractors, their runs over corpora, and extractions."""

from datetime import datetime, timedelta
from enum import StrEnum
from math import ceil

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.common.bars import BarPart, bar_of
from annotator.common.queues import BULK, SCORE
from annotator.common.triggers import SUCCEEDED, Blanking, append_only
from annotator.common.work import Work, work_indexes
from annotator.common.work_kinds import WorkControls, WorkKind
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page, StoredDocument
from annotator.runs.parts import part_title
from extraction import extractors

# Between the version of an architecture and what tells one of its models from others.
MODEL = "+model-"


def own_name(architecture: str) -> str:
    """The name that a corpus's own models of an architecture have."""
    return f"{architecture}-own"


class Extractor(models.Model):
    """A named, versioned program with parameters. A changed rule is a new version, and a new row.

    One with `uploaded_in` ran elsewhere: what it said about the pages of that corpus was uploaded. One with
    `trained_in` is an architecture with a model that was trained on gold of that corpus.
    """

    name = models.CharField(max_length=60)
    version = models.CharField(max_length=60)
    parameters = models.JSONField(default=dict)
    # The parameters as canonical JSON, for the unique constraint.
    parameters_key = models.CharField(max_length=500, default="{}", editable=False)
    # Extractors of one family count as one where blindness is concerned (invariant 5).
    family = models.CharField(max_length=60)
    can_be_arm = models.BooleanField(default=True)
    added_at = models.DateTimeField(default=timezone.now)
    uploaded_in = models.ForeignKey(Corpus, models.PROTECT, null=True, related_name="uploaded_extractors")
    trained_in = models.ForeignKey(Corpus, models.PROTECT, null=True, related_name="trained_extractors")
    # Of one that was trained here: the extractor that runs the model, and the digest of the model's file.
    architecture = models.CharField(max_length=60, blank=True, default="")
    model_sha256 = models.CharField(max_length=64, blank=True, default="")
    # Of uploaded outputs, as the uploader states it: who published them where, and on what terms.
    source = models.TextField(blank=True, default="")
    licence = models.CharField(max_length=200, blank=True, default="")
    # Sites on which it was trained or tuned (invariant 10), beside its `tuned_on_pages`.
    tuned_on_sites = models.JSONField(default=list)

    class Meta:
        ordering = ["name", "version", "parameters_key"]
        constraints = [
            models.UniqueConstraint(
                fields=["name", "version", "parameters_key"],
                condition=Q(uploaded_in=None, trained_in=None),
                name="unique_extractor",
            ),
            models.UniqueConstraint(
                fields=["trained_in", "name", "version"], name="unique_trained_extractor"
            ),
            models.CheckConstraint(
                condition=Q(trained_in=None, architecture="", model_sha256="")
                | (Q(trained_in__isnull=False, uploaded_in=None) & ~Q(architecture="") & ~Q(model_sha256="")),
                name="trained_extractor_has_its_model",
            ),
            models.UniqueConstraint(
                fields=["uploaded_in", "name", "version"], name="unique_uploaded_extractor"
            ),
            models.CheckConstraint(
                condition=Q(uploaded_in=None) | Q(can_be_arm=False), name="uploaded_outputs_are_never_shown"
            ),
        ]

    def __str__(self) -> str:
        spec = _installed(self.name)
        defaults = spec.parameters if spec else {}
        changed = sorted(item for item in self.parameters.items() if defaults.get(item[0]) != item[1])
        listed = ", ".join(f"{key} {value}" for key, value in changed)
        return f"{self.name} ({listed})" if listed else self.name

    @property
    def is_uploaded(self) -> bool:
        """Whether its outputs were made elsewhere."""
        return self.uploaded_in_id is not None

    @property
    def is_trained(self) -> bool:
        """Whether it runs a model that was trained in a corpus."""
        return bool(self.model_sha256)

    @property
    def is_available(self) -> bool:
        """Whether this Goldpan can run this version, or has its outputs."""
        if self.is_uploaded:
            return True
        spec = _installed(self.architecture or self.name)
        # The version of a trained one begins with that of what runs its model.
        version = self.version.partition(MODEL)[0] if self.is_trained else self.version
        return spec is not None and spec.version == version and spec.missing is None


def _installed(name: str) -> extractors.ExtractorSpec | None:
    try:
        return extractors.get(name)
    except extractors.ExtractorError:  # uploaded, or of a plugin that is no longer installed
        return None


class TunedOnPage(models.Model):
    """A page, of any corpus or of none, on which an extractor was trained or tuned (invariant 10)."""

    extractor = models.ForeignKey(Extractor, models.CASCADE, related_name="tuned_on_pages")
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sha256", "extractor"], name="tuned_on_a_page_once"),
        ]


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


class RunStage(StrEnum):
    """How far a run is."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    COMPLETED = "completed"
    FAILED = "failed"


class MissingOutputs(models.TextChoices):
    """What becomes of pages for which an upload has no output."""

    LEFT_OUT = "left_out", _("Leave these pages out")
    EMPTY = "empty", _("Count as empty outputs")


_STATES = {
    RunStage.QUEUED: "waiting",
    RunStage.RUNNING: "running",
    RunStage.PAUSED: "stopped",
    RunStage.CANCELLED: "stopped",
    RunStage.COMPLETED: "done",
    RunStage.FAILED: "failed",
}

NOT_ENDED = Q(completed_at=None, cancelled_at=None)
UNDER_WAY = NOT_ENDED & Q(finished_at=None, paused_at=None)
# An upload whose file could not be used: another file takes its place.
UNREAD = Q(read_at=None) & ~Q(file_sha256="") & ~Q(error="")
STOPPED = NOT_ENDED & (Q(paused_at__isnull=False) | ~Q(error="")) & ~UNREAD


class Run(Work):
    """One extractor over all pages of a corpus or a part of them, in the background.

    When one over all pages is whole, its extractor is enabled, in place of an earlier version. As work:
    a step asks for the next extractions, or completes the run. While it is paused, it is finished as work.
    """

    kind = WorkKind(
        title=_("Extractor runs"),
        failed_title=_("Failed extractor runs"),
        task="annotator.runs.tasks.work_on_run",
        # Its steps are short, and must not wait behind the extractions that they ask for.
        queue=SCORE,
        cpu_seconds=None,
        label="extractor__name",
        beyond_workers=UNREAD,
        ended=Q(cancelled_at__isnull=False),
        is_requested=True,
        screen="runs",
        is_job=True,
        progress=("done", "pages"),
        controls=(
            WorkControls(_("Pause"), "run-pause", UNDER_WAY),
            WorkControls(_("Resume"), "run-resume", STOPPED, is_resuming=True),
            WorkControls(_("Cancel"), "run-cancel", NOT_ENDED),
        ),
    )

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="runs")
    extractor = models.ForeignKey(Extractor, models.PROTECT, related_name="runs")
    # Null: from the command line.
    requested_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")

    # What it covers: see `runs.parts`.
    part = models.CharField(max_length=300, blank=True, default="")
    # The document up to which extractions were asked for.
    position = models.BigIntegerField(default=0)
    # Pages that it covers; those with a result, a failure too; of these the failed; those tried again because
    # of the machine. As of the last count.
    pages = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    retrying = models.PositiveIntegerField(default=0)
    counted_at = models.DateTimeField(null=True)
    counting_seconds = models.FloatField(default=0)
    # When it was started or resumed, and how many were done then: the rate is that since.
    started_at = models.DateTimeField(default=timezone.now)
    done_at_start = models.PositiveIntegerField(default=0)

    paused_at = models.DateTimeField(null=True)
    cancelled_at = models.DateTimeField(null=True)
    # When it was whole, and what it replaced then.
    completed_at = models.DateTimeField(null=True)
    replaced = models.ForeignKey(Extractor, models.PROTECT, null=True, related_name="replaced_in")

    # Of outputs made elsewhere: the uploaded file, when it was read, and what becomes of pages without one.
    file_name = models.CharField(max_length=300, blank=True, default="")
    file_sha256 = models.CharField(max_length=64, blank=True, default="")
    read_at = models.DateTimeField(null=True)
    missing_outputs = models.CharField(max_length=10, choices=MissingOutputs, default=MissingOutputs.LEFT_OUT)

    class Meta:
        ordering = ["-requested_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "extractor"], condition=NOT_ENDED, name="one_open_run_per_extractor"
            ),
            models.CheckConstraint(
                condition=Q(missing_outputs__in=MissingOutputs.values), name="known_missing_outputs"
            ),
        ]
        indexes = [
            *work_indexes("run"),
            models.Index(fields=["corpus", "-requested_at"], name="runs_of_corpus"),
        ]

    def __str__(self) -> str:
        return str(self.extractor)

    @property
    def part_title(self) -> str:
        return part_title(self.part)

    @property
    def stage(self) -> RunStage:
        """How far the run is, for people."""
        stages = [
            (RunStage.COMPLETED, self.completed_at),
            (RunStage.CANCELLED, self.cancelled_at),
            (RunStage.FAILED, self.finished_at and self.error),
            (RunStage.PAUSED, self.paused_at),
            (RunStage.RUNNING, self.counted_at),
        ]
        return next((stage for stage, holds in stages if holds), RunStage.QUEUED)

    @property
    def state(self) -> str:
        """The stage in the words of all jobs."""
        return _STATES[self.stage]

    @property
    def is_moving(self) -> bool:
        """Whether its figures change by themselves, so that a screen should look again."""
        return self.stage in (RunStage.QUEUED, RunStage.RUNNING)

    @property
    def is_upload(self) -> bool:
        return bool(self.file_sha256)

    @property
    def needs_file(self) -> bool:
        """Whether its file could not be used, so that another one has to be uploaded."""
        return self.is_upload and not self.read_at and self.stage == RunStage.FAILED

    @property
    def succeeded(self) -> int:
        return self.done - self.failed

    @property
    def left(self) -> int:
        """Pages without a result, without those that are tried again."""
        return max(0, self.pages - self.done - self.retrying)

    @property
    def ended_at(self) -> datetime | None:
        return self.completed_at or self.cancelled_at

    @property
    def took(self) -> timedelta | None:
        """The time from its last start to its end."""
        return self.ended_at - self.started_at if self.ended_at else None

    @property
    def per_second(self) -> float | None:
        """Pages a second since it was started or resumed; None before the first."""
        until = self.ended_at or self.counted_at
        seconds = (until - self.started_at).total_seconds() if until else 0
        pages = self.done - self.done_at_start
        return pages / seconds if seconds > 0 and pages > 0 else None

    @property
    def seconds_left(self) -> int | None:
        """The expected time to its end at this rate; None where all that is left was put off."""
        open_pages = self.left + self.retrying
        return ceil(open_pages / self.per_second) if self.per_second and self.left else None

    @property
    def bar(self) -> list[BarPart]:
        """The pages by state, as parts of a bar."""
        return bar_of(
            [
                ("s-half", self.succeeded),
                ("s-bad", self.failed),
                ("s-wait", self.retrying),
                ("s-new", self.left),
            ]
        )


class OutputOutcome(models.TextChoices):
    """What became of one record of an upload."""

    MATCHED = "matched", _("Matched")
    UNKNOWN = "unknown", _("No such page")
    REPEATED = "repeated", _("Repeated")
    REFUSED = "refused", _("Refused")


class UploadedOutput(models.Model):
    """One record of an upload: what a system said elsewhere about a page, and what became of that here."""

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    run = models.ForeignKey(Run, models.PROTECT, related_name="outputs")
    # The how-manieth record of the file it is, from 1, and what the file calls the page.
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=300)
    outcome = models.CharField(max_length=10, choices=OutputOutcome)
    page = models.ForeignKey(Page, models.PROTECT, null=True, related_name="uploaded_outputs")
    # The output: a text, or spans [start, end, label] of the document with the text of this digest.
    text = models.TextField(blank=True, default="")
    spans = models.JSONField(null=True)
    document_sha256 = models.CharField(max_length=64, blank=True, default="")
    # Why it was not used.
    reason = models.CharField(max_length=300, blank=True, default="")
    # Visible characters of the text that were found in the page, and all; null before it was aligned.
    placed = models.PositiveIntegerField(null=True)
    total = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["run", "number"]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="unique_output_number"),
            models.UniqueConstraint(
                fields=["run", "page"], condition=Q(outcome="matched"), name="one_output_per_page"
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=OutputOutcome.values), name="known_output_outcome"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def share_placed(self) -> float | None:
        """The share of the text that was found in the page, from 0 to 1; an empty text is found."""
        if self.total is None or self.placed is None:
            return None
        return self.placed / self.total if self.total else 1.0


class Extraction(Work):
    """The output of one extractor for one document, or its error, and its cost."""

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    # A failed extraction is a result, scored as empty (invariants 7 and 9): it is not retried.
    kind = WorkKind(
        title=_("Extractions"),
        failed_title=_("Failed extractions"),
        task="annotator.runs.tasks.run_extractors",
        queue=BULK,
        page="document__page",
        label="extractor__name",
        can_retry=False,
    )
    find_missing = ("annotator.runs.tasks.request_missing",)

    # Its unique index with the extractor serves as index of the documents.
    document = models.ForeignKey(StoredDocument, models.PROTECT, related_name="extractions", db_index=False)
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
            # What nobody has begun can be withdrawn, as when a run is paused.
            delete=pgtrigger.Q(old__finished_at__isnull=False),
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
