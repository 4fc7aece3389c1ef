"""One extraction against one gold."""

from django.db import models
from django.db.models import Q

from annotator.common.work import Work
from annotator.gold.models import Gold
from annotator.runs.models import Extraction


class Score(Work):
    """Characters by gold label and by predicted label, so that a new label set needs no new run."""

    task = "annotator.scoring.tasks.score_extraction"

    gold = models.ForeignKey(Gold, models.PROTECT, related_name="scores")
    extraction = models.ForeignKey(Extraction, models.PROTECT, related_name="scores")
    matrix = models.JSONField(default=dict)
    # Nobody who made the gold had seen this extractor or its family.
    blind = models.BooleanField(default=True)
    # The extractor was trained or tuned on this page, a near duplicate or its site (law 10).
    tuned_on = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["gold", "extraction"], name="one_score_per_cell")]
        indexes = [models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="score_open")]


class Measurement(Work):
    """A score by the metrics that its matrix does not hold, written with it.

    As work of its own only for scores that are older than these figures, and for a metric that failed.
    """

    task = "annotator.scoring.tasks.measure_score"
    queue = "bulk"

    score = models.OneToOneField(Score, models.PROTECT, related_name="measurement")
    # Metric -> label set -> a row of `measuring.packed`; what is not there could not be worked out.
    figures = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="measurement_open")]
