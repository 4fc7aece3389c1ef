"""The comparison of a round, and reports of agreement in a corpus."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.annotations.models import Round
from annotator.common.queues import BULK
from annotator.common.triggers import SUCCEEDED, Blanking, append_only, counts_again, new_version
from annotator.common.verdicts import NotArticleReason, Verdict
from annotator.common.work import Work, work_indexes
from annotator.common.work_kinds import WorkKind
from annotator.corpora.models import Corpus
from annotator.pages.models import StoredDocument


class AgreementVersion(models.Model):
    """A number that changes with every comparison that is finished or superseded in a corpus.

    Triggers write it, as looking through the comparisons takes too long for a screen.
    """

    corpus = models.OneToOneField(Corpus, models.CASCADE, primary_key=True, related_name="+")
    number = models.BigIntegerField(default=0)


class Agreement(Work):
    """The comparison of one round's submitted annotations, made once for each edition of the round.

    Everything that needs to know where the annotators agree reads it here: figures, gold, adjudication. The
    figures of a single page are here too; those of a corpus come from the counts of its pages.
    """

    kind = WorkKind(
        title=_("Comparisons of annotations"),
        failed_title=_("Annotations that could not be compared"),
        task="annotator.agreement.tasks.compare_round",
        page="round__page",
    )
    find_missing = ("annotator.agreement.tasks.request_missing",)

    round = models.ForeignKey(Round, models.PROTECT, related_name="comparisons")
    # The round's edition when it was requested; a comparison of an earlier edition is superseded and stays.
    edition = models.PositiveIntegerField(default=1)
    # The document that was annotated; null until it is compared.
    document = models.ForeignKey(StoredDocument, models.PROTECT, null=True, related_name="+")
    # The verdict and reason that all annotators gave; empty where they differ.
    verdict = models.CharField(max_length=20, choices=Verdict, blank=True, default="")
    reason = models.CharField(max_length=20, choices=NotArticleReason, blank=True, default="")
    # Spans on which all agree: [start, end, label].
    agreed = models.JSONField(default=list)
    # Disputes, each a list of pieces [start, end, [label or null, one per slot]].
    disputes = models.JSONField(default=list)
    # Non-whitespace characters in dispute, and those that anybody marked.
    disputed_characters = models.PositiveIntegerField(default=0)
    marked_characters = models.PositiveIntegerField(default=0)
    # The rest is empty where there was one annotator only. `confusion` counts non-whitespace characters by
    # the labels of the first and of the second annotator, summed over pairs.
    confusion = models.JSONField(default=dict)
    kappa = models.FloatField(null=True)
    f1 = models.FloatField(null=True)
    same_verdict = models.BooleanField(null=True)
    # `extraction.agreement.counts.PageCounts`, with annotators called by their ids.
    counts = models.JSONField(null=True)
    # `comparison.Participant`, one per slot.
    participants = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "edition"], name="one_comparison_per_edition")
        ]
        indexes = [
            *work_indexes("agreement"),
            models.Index(fields=["finished_at"], name="agreement_finished"),
            # Pages that one person annotated: see `is_single`.
            models.Index(
                fields=["round"],
                condition=Q(same_verdict=None, finished_at__isnull=False),
                name="agreement_single",
            ),
        ]
        triggers = [
            *append_only(
                SUCCEEDED,
                unless=Blanking(
                    {"agreed": [], "disputes": []},
                    "select page_id from annotator_round where id = old.round_id",
                ),
            ),
            counts_again(
                pgtrigger.Update,
                page="select page_id from annotator_round where id = new.round_id",
                condition="old.finished_at is distinct from new.finished_at",
            ),
            *new_version(
                "annotator_agreementversion",
                page="r.page_id",
                joins="join annotator_round r on r.id = it.round_id",
                counts="it.finished_at is not null",
                differs="was.finished_at is distinct from it.finished_at",
            ),
        ]

    @property
    def is_single(self) -> bool:
        """Whether there was one annotator only, and so nobody to compare with."""
        return self.same_verdict is None


class CachedReport(Work):
    """Figures of a corpus, computed once for each of its states; deleted once a newer report is written."""

    # Identifies the state of everything that the figures depend on.
    version = models.CharField(max_length=64)
    pages = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    figures = models.JSONField(null=True)

    class Meta:
        abstract = True

    @property
    def progress(self) -> str:
        """A value that changes whenever there is more to show."""
        return f"{self.pk}-{self.done}-{bool(self.finished_at)}"


class AgreementReport(CachedReport):
    """The figures of one selection of pairs, unit and labels (`Selection.key`).

    Its version changes with every comparison that is finished or superseded.
    """

    kind = WorkKind(
        title=_("Agreement reports"),
        failed_title=_("Failed agreement reports"),
        task="annotator.agreement.tasks.write_report",
        queue=BULK,
        cpu_seconds=None,
        label="selection",
        is_requested=True,
        screen="agreement",
    )

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="agreement_reports")
    selection = models.CharField(max_length=80)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "selection", "version"], name="one_report_per_selection"
            )
        ]
        indexes = work_indexes("agreement_report")
