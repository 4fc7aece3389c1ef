"""What adjudication changed in annotations, and reports of suggestion bias."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.agreement.models import CachedReport
from annotator.common.queues import BULK, SCORE
from annotator.common.work import Work, work_indexes
from annotator.common.work_kinds import WorkKind
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold


class AdjudicationDelta(Work):
    """Gold compared with each annotation that it was made from."""

    kind = WorkKind(
        title=_("Changes made by adjudication"),
        failed_title=_("Gold that could not be compared with its annotations"),
        task="annotator.quality.bias.tasks.compare_with_gold",
        queue=SCORE,
        page="gold__page",
    )
    find_missing = ("annotator.quality.bias.tasks.request_missing",)

    gold = models.OneToOneField(Gold, models.PROTECT, related_name="delta")
    # By annotator id: non-whitespace characters that the two label differently, and those that either labels.
    differences = models.JSONField(default=dict)

    class Meta:
        indexes = work_indexes("delta")


class BiasReport(CachedReport):
    """What showing a suggestion changes, as `bias.figures.BiasFigures.to_json`.

    Its version changes with the state of agreement and with every finished delta.
    """

    kind = WorkKind(
        title=_("Suggestion bias reports"),
        failed_title=_("Failed suggestion bias reports"),
        task="annotator.quality.bias.tasks.write_report",
        queue=BULK,
        cpu_seconds=None,
        label="pages",
        is_requested=True,
        screen="suggestion-bias",
    )

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="bias_reports")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "version"], name="one_bias_report_per_state")
        ]
        indexes = work_indexes("bias_report")
