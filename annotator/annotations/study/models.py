"""The study settings of a corpus, version by version."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.common.triggers import append_only
from annotator.corpora.models import Corpus, User

MAX_SLOTS = 5


class AssignmentMode(models.TextChoices):
    ALL = "all", _("All annotators")
    NAMED = "named", _("Selected annotators")
    BALANCED = "balanced", _("Balanced across annotators, sites and languages")


class PageOrder(models.TextChoices):
    OLDEST = "oldest", _("Oldest first")
    RANDOM = "random", _("Random")
    SITE = "site", _("Site by site")
    DISAGREEMENT = "disagreement", _("Highest extractor disagreement first")


class WeightsVersion(models.Model):
    """A number that changes whenever the weights of a corpus's pages may: see `study.weights`.

    Triggers write it. Corpora in which no page ever had an inclusion probability have none.
    """

    corpus = models.OneToOneField(Corpus, models.CASCADE, primary_key=True, related_name="+")
    number = models.BigIntegerField(default=0)


class StudyDesign(models.Model):
    """One version of a corpus's study settings; never edited (invariant 7), a change is the next number.

    Slots and arms apply to the rounds opened under it, and are never drawn again (invariant 5). Assignment
    and order apply, from then on, to every page that nobody has begun.
    """

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="designs")
    number = models.PositiveIntegerField()
    slots = models.PositiveSmallIntegerField(default=2)
    # The share of pages on which no slot shows a suggestion.
    blind_share = models.FloatField(default=0.2)
    # Extractor's key -> its weight on the other pages; empty: all enabled extractors equally.
    shares = models.JSONField(default=dict, blank=True)
    who = models.CharField(max_length=10, choices=AssignmentMode, default=AssignmentMode.ALL)
    people = models.ManyToManyField(User, related_name="+", blank=True)
    order = models.CharField(max_length=20, choices=PageOrder, default=PageOrder.OLDEST)
    # With the order by disagreement: the share of pages that are ordered at random.
    random_share = models.FloatField(default=0.2)
    # Gold checks, and repeats after some weeks, as a share of the pages that an annotator submits.
    check_rate = models.FloatField(default=0)
    repeat_rate = models.FloatField(default=0)
    repeat_weeks = models.PositiveSmallIntegerField(default=4)
    # Draws arms, queue keys and checks; stored, so that every draw can be reproduced.
    seed = models.BigIntegerField(editable=False)
    # Null for the version that a corpus begins with.
    made_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["corpus", "number"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "number"], name="one_design_per_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="designs_count_from_one"),
            models.CheckConstraint(condition=Q(slots__gte=1, slots__lte=MAX_SLOTS), name="design_has_slots"),
            models.CheckConstraint(
                condition=Q(blind_share__gte=0.2, blind_share__lte=1), name="design_has_blind_fifth"
            ),
            models.CheckConstraint(
                condition=Q(random_share__gte=0.1, random_share__lte=1), name="design_has_random_stratum"
            ),
            models.CheckConstraint(
                condition=Q(check_rate__gte=0, check_rate__lte=0.25)
                & Q(repeat_rate__gte=0, repeat_rate__lte=0.25),
                name="checks_at_most_a_quarter",
            ),
            models.CheckConstraint(
                condition=Q(repeat_weeks__gte=1, repeat_weeks__lte=104), name="repeat_after_weeks"
            ),
            models.CheckConstraint(condition=Q(who__in=AssignmentMode.values), name="known_assignment_mode"),
            models.CheckConstraint(condition=Q(order__in=PageOrder.values), name="known_page_order"),
        ]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.corpus}: {self.number}"

    @property
    def gives_pages_again(self) -> bool:
        """Whether annotators get gold checks or repeats."""
        return self.check_rate > 0 or self.repeat_rate > 0
