"""What settling a page changed of what its annotators had said, and what suggestions do."""

from django.db import models
from django.db.models import Q

from annotator.agreement.models import KeptReport
from annotator.common.work import Work
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold


class Change(Work):
    """One gold held against each annotation that it was settled from."""

    task = "annotator.bias.tasks.compare_with_gold"

    gold = models.OneToOneField(Gold, models.PROTECT, related_name="change")
    # The id of an annotator's account -> non-whitespace characters that the two label differently, and those
    # that either of the two labels.
    found = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="change_open")]


class BiasReport(KeptReport):
    """What showing a suggestion does, as `bias.figures.Report.to_json` writes it.

    Its version moves with the state of agreement and with every gold that is held against its annotations.
    """

    task = "annotator.bias.tasks.write_report"

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="bias_reports")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "version"], name="one_bias_report_per_state")
        ]
        indexes = [models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="bias_report_open")]
