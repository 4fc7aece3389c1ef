"""What settling a page changed of what its annotators had said."""

from django.db import models
from django.db.models import Q

from annotator.common.work import Work
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
