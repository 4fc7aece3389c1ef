"""How far the annotators of a round agree."""

from django.db import models
from django.db.models import Q

from annotator.annotations.models import Round
from annotator.common.work import Work


class Agreement(Work):
    """The comparison of one round's submitted annotations, before anything is settled.

    `confusion` counts non-whitespace characters by label of the first and of the second annotator, summed
    over pairs; figures of a corpus come from the sum of these matrices.
    """

    task = "annotator.agreement.tasks.compare_round"

    round = models.ForeignKey(Round, models.PROTECT, related_name="comparisons")
    # The round's when it was asked for; one of an earlier edition is superseded, and stays on record.
    edition = models.PositiveIntegerField(default=1)
    confusion = models.JSONField(default=dict)
    kappa = models.FloatField(null=True)
    f1 = models.FloatField(null=True)
    same_verdict = models.BooleanField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "edition"], name="one_comparison_per_edition")
        ]
        indexes = [models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="agreement_open")]
