"""The results of quality checks, which annotators never see."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.annotations.models import Annotation
from annotator.common.triggers import append_only
from annotator.gold.models import Gold


class QualityCheck(models.Model):
    """An annotation compared with the gold of its day or, for a repeat, with the first; never edited."""

    find_missing = ("annotator.quality.checks.tasks.look_for_missing",)

    annotation = models.OneToOneField(Annotation, models.PROTECT, related_name="quality_check")
    # What it is compared with: one of the two.
    gold = models.ForeignKey(Gold, models.PROTECT, null=True, related_name="quality_checks")
    first_annotation = models.ForeignKey(Annotation, models.PROTECT, null=True, related_name="repeats")
    same_verdict = models.BooleanField()
    # Of labelled against unlabelled characters; null without marks on either side.
    f1 = models.FloatField(null=True)
    # Non-whitespace characters by label here and there: {label: {other label: n}}; null as above.
    confusion = models.JSONField(null=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(gold=None, first_annotation__isnull=False)
                | Q(gold__isnull=False, first_annotation=None),
                name="compared_with_one_thing",
            ),
            models.CheckConstraint(
                condition=Q(f1=None) | Q(f1__gte=0, f1__lte=1), name="quality_check_f1_is_a_share"
            ),
        ]
        triggers = append_only()
