"""How far the annotators of a round agree."""

from django.db import models
from django.db.models import Q

from annotator.annotations.models import Round
from annotator.common.work import Work
from annotator.corpora.models import Corpus


class Agreement(Work):
    """The comparison of one round's submitted annotations, before anything is settled.

    `confusion` counts non-whitespace characters by label of the first and of the second annotator, summed
    over pairs; `kappa` and `f1` are of this page alone. The figures of a corpus come from its tallies.
    """

    task = "annotator.agreement.tasks.compare_round"

    round = models.ForeignKey(Round, models.PROTECT, related_name="comparisons")
    # The round's when it was asked for; one of an earlier edition is superseded, and stays on record.
    edition = models.PositiveIntegerField(default=1)
    confusion = models.JSONField(default=dict)
    kappa = models.FloatField(null=True)
    f1 = models.FloatField(null=True)
    same_verdict = models.BooleanField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "edition"], name="one_comparison_per_edition")
        ]
        indexes = [models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="agreement_open")]


class Tally(models.Model):
    """What a compared page adds to every figure, in small numbers; made with the comparison or, for those
    that were made before there were tallies, after it."""

    agreement = models.OneToOneField(Agreement, models.CASCADE, related_name="tally")
    # `extraction.agreement.counts.PageCounts`, annotators by the ids of their accounts.
    counts = models.JSONField()
    # What was so for each annotator: `counting.Part`.
    parts = models.JSONField()


class KeptReport(Work):
    """Figures of a corpus, worked out once for each of its states, however often they are looked at.

    A cache: once a newer one is written it goes.
    """

    queue = "bulk"

    # Of the state: it moves with all that the figures rest on.
    version = models.CharField(max_length=64)
    pages = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    figures = models.JSONField(null=True)

    class Meta:
        abstract = True

    @property
    def progress(self) -> str:
        """A name of how far it is: another one means that there is more to show."""
        return f"{self.pk}-{self.done}-{bool(self.finished_at)}"


class Report(KeptReport):
    """The figures of one choice of pairs, unit and labels.

    Its version moves with every tally that comes and every comparison that is superseded.
    """

    task = "annotator.agreement.tasks.write_report"

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="agreement_reports")
    choice = models.CharField(max_length=80)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "choice", "version"], name="one_report_per_choice")
        ]
        indexes = [
            models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="agreement_report_open")
        ]
