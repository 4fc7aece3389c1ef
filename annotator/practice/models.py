"""Tries of practice, page by page. Nothing of them counts anywhere else."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.annotations.models import Slot
from annotator.annotations.practice.models import Practice
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.practice.measure import Measure
from extraction.characters import Matrix


class PracticeTry(models.Model):
    """One try of one annotator: some pages, judged together by the version under which it was begun."""

    practice = models.ForeignKey(Practice, models.PROTECT, related_name="tries_made")
    # The practice's, held here too, for the constraints.
    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="+")
    annotator = models.ForeignKey(User, models.PROTECT, related_name="practice_tries")
    number = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField(default=timezone.now)
    # What it was judged by: the mean F1 of its pages (null: none had text to mark), and right verdicts.
    f1 = models.FloatField(null=True)
    verdicts = models.PositiveSmallIntegerField(null=True)
    passed = models.BooleanField(null=True)
    # It ended because there was no page left to practise on.
    ran_out = models.BooleanField(default=False)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "annotator", "number"], name="one_try_per_number"),
            models.UniqueConstraint(
                fields=["corpus", "annotator"], condition=Q(finished_at=None), name="one_try_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(finished_at=None, passed=None)
                | Q(finished_at__isnull=False, passed__isnull=False, verdicts__isnull=False),
                name="a_finished_try_is_judged",
            ),
            models.CheckConstraint(
                condition=~Q(ran_out=True, passed=True), name="who_ran_out_has_not_passed"
            ),
        ]

    @property
    def handed_in(self) -> "list[PracticePage]":
        """Its pages with a result; from memory where they were fetched with it."""
        return [page for page in self.pages.all() if page.looked_at]


class PracticePage(models.Model):
    """One page of a try, and what came of it when it was handed in; never edited from then on."""

    attempt = models.ForeignKey(PracticeTry, models.PROTECT, related_name="pages")
    place = models.PositiveSmallIntegerField()
    slot = models.OneToOneField(Slot, models.PROTECT, related_name="practice_page")
    # The gold of that day, which she is shown.
    gold = models.ForeignKey(Gold, models.PROTECT, null=True, related_name="+")
    same_verdict = models.BooleanField(null=True)
    # Non-whitespace characters by her label and gold's: {hers: {gold's: n}}.
    confusion = models.JSONField(null=True)
    # Of characters with the right label; null where there was nothing to mark.
    f1 = models.FloatField(null=True)
    looked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["attempt", "place"], name="one_practice_page_per_place"),
            models.CheckConstraint(
                condition=Q(looked_at=None, gold=None, same_verdict=None, confusion__isnull=True, f1=None)
                | Q(
                    looked_at__isnull=False,
                    gold__isnull=False,
                    same_verdict__isnull=False,
                    confusion__isnull=False,
                ),
                name="what_is_looked_at_has_its_result",
            ),
            models.CheckConstraint(
                condition=Q(f1=None) | Q(f1__gte=0, f1__lte=1), name="an_f1_of_practice_is_a_share"
            ),
        ]

    @property
    def measure(self) -> Measure:
        matrix: Matrix = self.confusion or {}
        return Measure.of(matrix)
