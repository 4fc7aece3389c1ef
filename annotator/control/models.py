"""What control found; admins see it, annotators never do."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.annotations.models import Annotation
from annotator.gold.models import Gold


class Finding(models.Model):
    """A check against the gold of its day, or a second reading against the first; never edited."""

    annotation = models.OneToOneField(Annotation, models.PROTECT, related_name="finding")
    # One of the two: what it is held against.
    gold = models.ForeignKey(Gold, models.PROTECT, null=True, related_name="findings")
    first = models.ForeignKey(Annotation, models.PROTECT, null=True, related_name="second_readings")
    same_verdict = models.BooleanField()
    # Of labelled against unlabelled characters; null without marks on either side.
    f1 = models.FloatField(null=True)
    # Non-whitespace characters by her label and the other: {hers: {other: n}}; null as above.
    confusion = models.JSONField(null=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(gold=None, first__isnull=False) | Q(gold__isnull=False, first=None),
                name="held_against_one_thing",
            ),
            models.CheckConstraint(
                condition=Q(f1=None) | Q(f1__gte=0, f1__lte=1), name="an_f1_of_a_finding_is_a_share"
            ),
        ]
