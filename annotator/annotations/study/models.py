"""The design of a corpus's study, version by version."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.corpora.models import Corpus, User

MOST_SLOTS = 5


class Who(models.TextChoices):
    ALL = "all", _("All annotators")
    NAMED = "named", _("Only those named")
    BALANCED = "balanced", _("All, balanced over people, sites and languages")


class Order(models.TextChoices):
    OLDEST = "oldest", _("The oldest first")
    RANDOM = "random", _("In random order")
    SITE = "site", _("Site by site")
    DISAGREEMENT = "disagreement", _("Where extractors disagree first")


class StudyDesign(models.Model):
    """One version of a corpus's design; never edited (law 7), a change is the next number.

    Slots and arms hold for the rounds opened under it, and are never drawn again (law 5). Who may take pages
    and in which order holds, from its day, for all that nobody has begun.
    """

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="designs")
    number = models.PositiveIntegerField()
    slots = models.PositiveSmallIntegerField(default=2)
    # The share of pages on which no slot shows a suggestion.
    blind_share = models.FloatField(default=0.2)
    # Extractor's key -> its weight on the other pages; empty: all that are enabled, alike.
    shares = models.JSONField(default=dict, blank=True)
    who = models.CharField(max_length=10, choices=Who, default=Who.ALL)
    people = models.ManyToManyField(User, related_name="+", blank=True)
    order = models.CharField(max_length=20, choices=Order, default=Order.OLDEST)
    # Of an order by disagreement: the share of pages whose turn is drawn regardless of it.
    random_share = models.FloatField(default=0.2)
    # Hidden checks, and second readings after some weeks, as a share of the pages that a person hands in.
    check_rate = models.FloatField(default=0)
    repeat_rate = models.FloatField(default=0)
    repeat_weeks = models.PositiveSmallIntegerField(default=4)
    # Draws arms, turns, checks; stored, so that every draw can be made again.
    seed = models.BigIntegerField(editable=False)
    # Nobody made the one that a corpus begins with.
    made_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["corpus", "number"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "number"], name="one_design_per_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="designs_count_from_one"),
            models.CheckConstraint(
                condition=Q(slots__gte=1, slots__lte=MOST_SLOTS), name="a_design_has_slots"
            ),
            models.CheckConstraint(
                condition=Q(blind_share__gte=0.2, blind_share__lte=1), name="a_fifth_of_a_design_is_blind"
            ),
            models.CheckConstraint(
                condition=Q(random_share__gte=0.1, random_share__lte=1), name="a_random_stratum_is_reserved"
            ),
            models.CheckConstraint(
                condition=Q(check_rate__gte=0, check_rate__lte=0.25)
                & Q(repeat_rate__gte=0, repeat_rate__lte=0.25),
                name="at_most_a_quarter_is_control",
            ),
            models.CheckConstraint(
                condition=Q(repeat_weeks__gte=1, repeat_weeks__lte=104), name="a_repeat_comes_after_weeks"
            ),
            models.CheckConstraint(condition=Q(who__in=Who.values), name="a_known_allowance"),
            models.CheckConstraint(condition=Q(order__in=Order.values), name="a_known_order"),
        ]

    def __str__(self) -> str:
        return f"{self.corpus}: {self.number}"
