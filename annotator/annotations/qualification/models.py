"""The practice that a corpus requires, version by version, and who has qualified."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.common.triggers import append_only
from annotator.corpora.models import Corpus, User


class PracticeSettings(models.Model):
    """One version of a corpus's practice settings; never edited (invariant 7), a change is the next number.

    An attempt is judged by the version under which it was begun.
    """

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="practices")
    number = models.PositiveIntegerField()
    # The corpus whose pages with gold are practised on; null: no practice is required.
    source = models.ForeignKey(Corpus, models.PROTECT, null=True, related_name="+")
    # Pages per attempt.
    pages = models.PositiveSmallIntegerField(default=5)
    # The pass mark: the mean F1 of an attempt's pages, and the number of correct verdicts.
    min_f1 = models.FloatField(default=0.9)
    min_verdicts = models.PositiveSmallIntegerField(default=4)
    max_attempts = models.PositiveSmallIntegerField(default=2)
    # Orders the pages, the same for everybody; stored, so that the order can be reproduced.
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
                condition=Q(pages__gte=1, pages__lte=20, max_attempts__gte=1, max_attempts__lte=5),
                name="practice_has_pages_and_attempts",
            ),
            models.CheckConstraint(
                condition=Q(min_f1__gte=0, min_f1__lte=1, min_verdicts__lte=F("pages")),
                name="pass_mark_can_be_reached",
            ),
        ]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.corpus}: {self.number}"

    @property
    def rules(self) -> dict[str, int | float]:
        """How long an attempt is, its pass mark, and how many attempts there are."""
        names = ("pages", "min_f1", "min_verdicts", "max_attempts")
        return {name: getattr(self, name) for name in names}


class QualificationBasis(models.TextChoices):
    """Why an annotator is qualified."""

    PASSED = "passed", _("passed")
    BEFORE = "before", _("annotated before")
    WAIVED = "waived", _("waived")


class Qualification(models.Model):
    """An annotator may take the corpus's own pages; never edited, never withdrawn."""

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="qualifications")
    annotator = models.ForeignKey(User, models.PROTECT, related_name="qualifications")
    basis = models.CharField(max_length=10, choices=QualificationBasis)
    # The admin who waived practice, and why.
    waived_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=500, blank=True, default="")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "annotator"], name="one_qualification_per_annotator"),
            models.CheckConstraint(
                condition=(Q(basis=QualificationBasis.WAIVED, waived_by__isnull=False) & ~Q(reason=""))
                | (~Q(basis=QualificationBasis.WAIVED) & Q(waived_by=None, reason="")),
                name="waiver_has_admin_and_reason",
            ),
            models.CheckConstraint(
                condition=Q(basis__in=QualificationBasis.values), name="known_qualification_basis"
            ),
        ]
        triggers = append_only()
