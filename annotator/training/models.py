"""Trained models, and the rounds in which they were trained."""

from enum import StrEnum
from typing import Any

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.common.queues import BULK
from annotator.common.triggers import append_only
from annotator.common.work import StoppableWork, work_indexes
from annotator.common.work_kinds import WorkControls, WorkKind
from annotator.corpora.models import Corpus, User
from annotator.releases.models import Release
from annotator.runs.models import Extractor
from extraction.learning.architectures import NAMES


class TrainingStage(StrEnum):
    """How far a model is."""

    QUEUED = "queued"
    RUNNING = "running"
    STOPPED = "stopped"
    TRAINED = "done"
    FAILED = "failed"


_STATES = {
    TrainingStage.QUEUED: "waiting",
    TrainingStage.RUNNING: "running",
    TrainingStage.STOPPED: "stopped",
    TrainingStage.TRAINED: "done",
    TrainingStage.FAILED: "failed",
}

UNDER_WAY = Q(extractor=None, finished_at=None, stopped_at=None)
STOPPED = Q(extractor=None) & (Q(stopped_at__isnull=False) | ~Q(error=""))


class TrainedModel(StoppableWork):
    """An architecture that learns from a release. Once trained it is an extractor, and never changes.

    As work: it is to be trained. While it is stopped, it is finished as work, without a model.
    """

    # Not retried by itself: an admin looks at what went wrong, and resumes it.
    kind = WorkKind(
        title=_("Models"),
        failed_title=_("Models that could not be trained"),
        task="annotator.training.tasks.train_model",
        queue=BULK,
        cpu_seconds=None,
        label="architecture",
        can_retry=False,
        is_requested=True,
        screen="models",
        is_job=True,
        progress=("rounds_done", "rounds_at_most"),
        controls=(
            WorkControls(_("Stop"), "model-stop", UNDER_WAY, key="number"),
            WorkControls(_("Resume"), "model-resume", STOPPED, key="number", is_resuming=True),
        ),
    )

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="models")
    number = models.PositiveIntegerField()
    architecture = models.CharField(max_length=60)
    # What a person chose, of the `Settings` of `extraction.learning.training`; null is its authors'.
    hyper_parameters = models.JSONField(default=dict)
    seed = models.PositiveIntegerField(default=1)
    # The name of the label set whose labels are content.
    labels = models.CharField(max_length=20)
    # What it learns from: the release's train pages; its dev pages choose the best round, its test pages are
    # for the figures.
    release = models.ForeignKey(Release, models.PROTECT, related_name="models")
    # Null: from the command line.
    requested_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")

    # Of what it was trained on last: digests of the pages by split, and of these with their gold.
    splits_sha256 = models.CharField(max_length=64, blank=True, default="")
    data_sha256 = models.CharField(max_length=64, blank=True, default="")
    # Pages that are ready to be learned from, of all; 0 before.
    pages_ready = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    # Of the part that is being trained now.
    rounds_done = models.PositiveIntegerField(default=0)
    rounds_at_most = models.PositiveIntegerField(default=0)

    # What came of it. The code is Goldpan's version, that of the architecture and that of the parser.
    code_version = models.CharField(max_length=120, blank=True, default="")
    metrics = models.JSONField(default=dict)
    file_sha256 = models.CharField(max_length=64, blank=True, default="")
    file_size = models.PositiveBigIntegerField(default=0)
    licence_note = models.CharField(max_length=500, blank=True, default="")
    # Null until it is trained. Its `tuned_on_pages` are those that the model has seen.
    extractor = models.OneToOneField(Extractor, models.PROTECT, null=True, related_name="model")

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "number"], name="unique_model_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="model_number_is_positive"),
            models.CheckConstraint(condition=Q(architecture__in=NAMES), name="known_architecture"),
            models.CheckConstraint(
                condition=Q(extractor=None, file_sha256="")
                | (
                    Q(extractor__isnull=False, finished_at__isnull=False, error="", stopped_at=None)
                    & ~Q(file_sha256="")
                    & ~Q(data_sha256="")
                    & ~Q(splits_sha256="")
                    & ~Q(code_version="")
                    & ~Q(licence_note="")
                ),
                name="trained_model_is_whole",
            ),
        ]
        indexes = work_indexes("trainedmodel")
        triggers = append_only(
            pgtrigger.Q(old__extractor__isnull=False), delete=pgtrigger.Q(old__extractor__isnull=False)
        )

    def __str__(self) -> str:
        return f"{self.corpus}: {self.number}"

    @property
    def stage(self) -> TrainingStage:
        """How far it is, for people."""
        stages = [
            (TrainingStage.TRAINED, self.extractor_id),
            (TrainingStage.FAILED, self.finished_at and self.error),
            (TrainingStage.STOPPED, self.stopped_at),
            (TrainingStage.RUNNING, self.heartbeat_at),
        ]
        return next((stage for stage, holds in stages if holds), TrainingStage.QUEUED)

    @property
    def state(self) -> str:
        """The stage in the words of all jobs."""
        return _STATES[self.stage]

    @property
    def is_moving(self) -> bool:
        """Whether its figures change by themselves, so that a screen should look again."""
        return self.finished_at is None

    @property
    def unseen(self) -> dict[str, Any] | None:
        """The figures on blocks of the release's test pages; None before."""
        found: dict[str, Any] | None = self.metrics.get("unseen")
        return found


class TrainingRound(models.Model):
    """What one round brought: a point of the curves."""

    model = models.ForeignKey(TrainedModel, models.CASCADE, related_name="rounds")
    # The part of the model: one network of several, for instance.
    part = models.CharField(max_length=20)
    number = models.PositiveIntegerField()
    # The mean loss on what it learns from, and what the best round is chosen by: larger is better.
    loss = models.FloatField()
    score = models.FloatField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["model", "part", "number"], name="one_point_per_round"),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_number_is_positive"),
        ]


class LearningCurve(StoppableWork):
    """How good the corpus's own extractor is with parts of a release's gold, and what more would bring.

    As work: it is to be measured, fold by fold. A measured one never changes; another one is another row.
    """

    kind = WorkKind(
        title=_("Learning curves"),
        failed_title=_("Learning curves that could not be measured"),
        task="annotator.training.tasks.measure_curve",
        queue=BULK,
        cpu_seconds=None,
        label="release__number",
        can_retry=False,
        is_requested=True,
        screen="models",
        is_job=True,
        progress=("folds_done", "folds"),
        controls=(WorkControls(_("Stop"), "curve-stop", Q(finished_at=None, stopped_at=None)),),
    )

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="learning_curves")
    release = models.ForeignKey(Release, models.PROTECT, related_name="learning_curves")
    # The name of the label set whose labels are content.
    labels = models.CharField(max_length=20)
    requested_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    # Of the pages and their gold.
    data_sha256 = models.CharField(max_length=64, blank=True, default="")
    folds_done = models.PositiveIntegerField(default=0)
    folds = models.PositiveIntegerField(default=0)
    # `extraction.learning.growth.GrowthCurve` as JSON; null until it is measured.
    result = models.JSONField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["corpus"], condition=Q(finished_at=None), name="one_open_learning_curve"
            ),
            models.CheckConstraint(
                condition=Q(result=None) | (Q(finished_at__isnull=False, error="") & ~Q(data_sha256="")),
                name="measured_curve_is_whole",
            ),
        ]
        indexes = work_indexes("learningcurve")
        triggers = append_only(
            pgtrigger.Q(old__result__isnull=False), delete=pgtrigger.Q(old__result__isnull=False)
        )

    def __str__(self) -> str:
        return f"{self.corpus}: {self.release.number}"


class CurveFold(models.Model):
    """What came of one fold: kept, so that a worker that takes over begins with the next one."""

    curve = models.ForeignKey(LearningCurve, models.CASCADE, related_name="measured")
    number = models.PositiveIntegerField()
    # Pages that each part learned from; `extraction.learning.growth.PageFigure` rows of the fold's pages.
    sizes = models.JSONField()
    figures = models.JSONField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["curve", "number"], name="one_row_per_fold")]
