"""Scores of extractions against gold."""

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


class Score(Work):
    """One extraction against one gold: visible characters by gold label and predicted label.

    The matrix serves every label set.
    """

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
