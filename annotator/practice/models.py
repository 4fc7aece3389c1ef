"""Practice attempts, page by page. Nothing of them counts anywhere else."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.annotations.models import Slot
from annotator.annotations.qualification.models import PracticeSettings
from annotator.common.triggers import append_only
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.practice.measure import Measure
from extraction.metrics.character_labels import Matrix


class PracticeAttempt(models.Model):
    """One attempt of one annotator, judged by the settings under which it was begun."""

    practice = models.ForeignKey(PracticeSettings, models.PROTECT, related_name="attempts")
    # Denormalised from the practice, for the constraints.
    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="+")
    annotator = models.ForeignKey(User, models.PROTECT, related_name="practice_attempts")
    number = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField(default=timezone.now)
    # The result: the mean F1 of its pages (null: none had text to mark), and the correct verdicts.
    f1 = models.FloatField(null=True)
    verdicts = models.PositiveSmallIntegerField(null=True)
    passed = models.BooleanField(null=True)
    # It ended because there was no page left to practise on.
    ran_out = models.BooleanField(default=False)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "annotator", "number"], name="one_attempt_per_number"),
            models.UniqueConstraint(
                fields=["corpus", "annotator"], condition=Q(finished_at=None), name="one_open_attempt"
            ),
            models.CheckConstraint(
                condition=Q(finished_at=None, passed=None)
                | Q(finished_at__isnull=False, passed__isnull=False, verdicts__isnull=False),
                name="finished_attempt_is_judged",
            ),
            models.CheckConstraint(
                condition=~Q(ran_out=True, passed=True), name="attempt_without_pages_not_passed"
            ),
        ]
        triggers = append_only(pgtrigger.Q(old__finished_at__isnull=False))

    @property
    def evaluated_pages(self) -> "list[PracticePage]":
        """Its pages with a result; without a query where they were prefetched."""
        return [page for page in self.pages.all() if page.evaluated_at]

    @property
    def differing(self) -> int:
        """Pages whose gold has another verdict or other marks."""
        return sum(
            not page.same_verdict or (page.f1 is not None and page.f1 < 1) for page in self.evaluated_pages
        )


class PracticePage(models.Model):
    """One page of an attempt, with its result once it is submitted; never edited from then on."""

    attempt = models.ForeignKey(PracticeAttempt, models.PROTECT, related_name="pages")
    position = models.PositiveSmallIntegerField()
    slot = models.OneToOneField(Slot, models.PROTECT, related_name="practice_page")
    # The gold that the feedback shows.
    gold = models.ForeignKey(Gold, models.PROTECT, null=True, related_name="+")
    same_verdict = models.BooleanField(null=True)
    # Non-whitespace characters by the annotator's label and gold's: {label: {gold label: n}}.
    confusion = models.JSONField(null=True)
    # Of characters with the correct label; null where there was nothing to mark.
    f1 = models.FloatField(null=True)
    evaluated_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["attempt", "position"], name="one_practice_page_per_position"),
            models.CheckConstraint(
                condition=Q(evaluated_at=None, gold=None, same_verdict=None, confusion__isnull=True, f1=None)
                | Q(
                    evaluated_at__isnull=False,
                    gold__isnull=False,
                    same_verdict__isnull=False,
                    confusion__isnull=False,
                ),
                name="evaluated_page_has_its_result",
            ),
            models.CheckConstraint(
                condition=Q(f1=None) | Q(f1__gte=0, f1__lte=1), name="practice_f1_is_a_share"
            ),
        ]
        triggers = append_only(pgtrigger.Q(old__evaluated_at__isnull=False))

    @property
    def matrix(self) -> Matrix:
        found: Matrix = self.confusion or {}
        return found

    @property
    def measure(self) -> Measure:
        return Measure.of(self.matrix)
