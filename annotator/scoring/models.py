"""Scores of extractions against gold."""

from enum import StrEnum

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.common.queues import BULK, SCORE
from annotator.common.triggers import SUCCEEDED, append_only
from annotator.common.work import Work, WorkKind, work_indexes
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.runs.models import Extraction


class LeaderboardVersion(models.Model):
    """A number that changes whenever a figure of the corpus's leaderboard may have; open ones poll it."""

    corpus = models.OneToOneField(Corpus, models.CASCADE, primary_key=True, related_name="+")
    number = models.BigIntegerField(default=0)


class StoredLeaderboard(Work):
    """The last leaderboard that was computed for one choice of filters.

    As work: it is to be computed. It is opened again when somebody asks for it and the scores have changed.
    """

    kind = WorkKind(
        title=_("Leaderboards"),
        failed_title=_("Leaderboards that could not be computed"),
        task="annotator.scoring.tasks.compute_leaderboard",
        cpu_seconds=None,
        label="filters",
        is_requested=True,
        screen="leaderboard",
    )

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="+")
    # `LeaderboardFilters.key`.
    filters = models.CharField(max_length=100)
    # The state of the corpus's scores (`leaderboard.queries.state_of`) that it was last asked for.
    asked_state = models.CharField(max_length=100, default="")
    # The state that `board` was computed from, and when.
    state = models.CharField(max_length=100, default="")
    computed_at = models.DateTimeField(null=True)
    board = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "filters"], name="one_leaderboard_per_filters")
        ]
        indexes = work_indexes("leaderboard")


class AnalysisKind(StrEnum):
    """What is analysed; `leaderboard.analyses.ANALYSES` says how."""

    ERRORS = "errors"
    PAIRS = "pairs"


class Analysis(Work):
    """The last result of one kind of analysis of a corpus's scores, for one choice of filters.

    As work: it is to be computed, always by a worker. It is opened again when somebody asks for it and the
    scores have changed. The result holds keys of pages and figures, no text of a page.
    """

    kind = WorkKind(
        title=_("Analyses of scores"),
        failed_title=_("Analyses of scores that could not be computed"),
        task="annotator.scoring.tasks.analyse",
        queue=BULK,
        cpu_seconds=None,
        label="name",
        is_requested=True,
        screen="leaderboard",
        progress=("done", "total"),
    )

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="+")
    # An AnalysisKind, and its filters as a query string.
    name = models.CharField(max_length=20)
    filters = models.CharField(max_length=300)
    # As in `StoredLeaderboard`.
    asked_state = models.CharField(max_length=100, default="")
    state = models.CharField(max_length=100, default="")
    computed_at = models.DateTimeField(null=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    result = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "name", "filters"], name="one_analysis_per_filters")
        ]
        indexes = work_indexes("analysis")

    @property
    def is_current(self) -> bool:
        """Whether the result is that of the scores as they were last asked for."""
        return self.result is not None and self.state == self.asked_state


class Score(Work):
    """One extraction against one gold: visible characters by gold label and predicted label.

    The matrix serves every label set.
    """

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    kind = WorkKind(
        title=_("Scores"),
        failed_title=_("Failed scores"),
        task="annotator.scoring.tasks.score_extraction",
        queue=SCORE,
        page="gold__page",
        label="extraction__extractor__name",
    )
    find_missing = ("annotator.scoring.tasks.request_missing",)

    gold = models.ForeignKey(Gold, models.PROTECT, related_name="scores")
    extraction = models.ForeignKey(Extraction, models.PROTECT, related_name="scores")
    matrix = models.JSONField(default=dict)
    # Nobody who made the gold was shown this extractor or its family (invariant 5).
    blind = models.BooleanField(default=True)
    # The extractor was trained or tuned on this page, a near duplicate or its site (invariant 10).
    tuned_on = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["gold", "extraction"], name="one_score_per_cell")]
        indexes = work_indexes("score")
        triggers = append_only(SUCCEEDED)


class Measurement(Work):
    """The metrics of a score that its matrix does not hold. Created finished, together with the score.

    It is work so that a metric that failed is listed, and can be retried without touching the score.
    """

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    kind = WorkKind(
        title=_("Scores by other metrics"),
        failed_title=_("Failed scores by other metrics"),
        task="annotator.scoring.tasks.measure_score",
        queue=BULK,
        page="score__gold__page",
        label="score__extraction__extractor__name",
    )

    score = models.OneToOneField(Score, models.PROTECT, related_name="measurement")
    # Metric -> label set -> `measuring.packed`; metrics that failed are missing.
    figures = models.JSONField(default=dict)

    class Meta:
        indexes = work_indexes("measurement")
        triggers = append_only(SUCCEEDED)
