"""What settling a page changed of what its annotators had said, and what suggestions do."""

from django.db import models
from django.db.models import Q

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


class BiasReport(Work):
    """What showing a suggestion does, worked out once for each state of a corpus.

    A cache: once a newer one is written it goes.
    """

    task = "annotator.bias.tasks.write_report"
    queue = "bulk"

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="bias_reports")
    # Moves with the state of agreement and with every gold that is held against its annotations.
    version = models.CharField(max_length=64)
    pages = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    # `bias.figures.Report.to_json`.
    figures = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "version"], name="one_bias_report_per_state")
        ]
        indexes = [models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="bias_report_open")]
