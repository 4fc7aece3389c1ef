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
