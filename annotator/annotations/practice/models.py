"""Practice before the first real page: what a corpus asks, version by version, and who is through with it."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.corpora.models import Corpus, User


class Practice(models.Model):
    """One version of what a corpus asks for; never edited (law 7), a change is the next number.

    A try is judged by the version under which it was begun.
    """

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="practices")
    number = models.PositiveIntegerField()
    # Whose settled pages are practised on; null: no practice is asked.
    source = models.ForeignKey(Corpus, models.PROTECT, null=True, related_name="+")
    # Pages of a try.
    pages = models.PositiveSmallIntegerField(default=5)
    # The pass mark: the mean F1 of a try's pages, and on how many of them the verdict must be gold's.
    least_f1 = models.FloatField(default=0.9)
    least_verdicts = models.PositiveSmallIntegerField(default=4)
    tries = models.PositiveSmallIntegerField(default=2)
    # Puts the pages in their order, one for everybody; stored, so that it can be made again.
    seed = models.BigIntegerField(editable=False)
    made_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["corpus", "number"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "number"], name="one_practice_per_number"),
            models.CheckConstraint(
                condition=Q(source=None) | ~Q(source=F("corpus")), name="practice_is_on_another_corpus"
            ),
            models.CheckConstraint(
                condition=Q(pages__gte=1, pages__lte=20, tries__gte=1, tries__lte=5),
                name="practice_has_pages_and_tries",
            ),
            models.CheckConstraint(
                condition=Q(least_f1__gte=0, least_f1__lte=1, least_verdicts__lte=F("pages")),
                name="a_pass_mark_can_be_reached",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.corpus}: {self.number}"


class How(models.TextChoices):
    """How somebody came through."""

    PASSED = "passed", _("passed")
    BEFORE = "before", _("worked here before")
    BY_HAND = "by_hand", _("let through")


class Admission(models.Model):
    """From that day on she is given the corpus's own pages; never edited, never taken back."""

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="admissions")
    annotator = models.ForeignKey(User, models.PROTECT, related_name="admissions")
    how = models.CharField(max_length=10, choices=How)
    # Who let her through, and why.
    by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    why = models.CharField(max_length=500, blank=True, default="")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "annotator"], name="one_admission_per_annotator"),
            models.CheckConstraint(
                condition=(Q(how=How.BY_HAND, by__isnull=False) & ~Q(why=""))
                | (~Q(how=How.BY_HAND) & Q(by=None, why="")),
                name="whoever_lets_through_says_why",
            ),
            models.CheckConstraint(condition=Q(how__in=How.values), name="a_known_way_through"),
        ]
