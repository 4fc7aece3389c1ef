"""Scores of extractions against gold."""

from enum import StrEnum

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from annotator.common.queues import BULK, SCORE
from annotator.common.triggers import SUCCEEDED, append_only, changes_other_than, condition, counts_again
from annotator.common.work import WORK_FIELDS, Work, work_indexes
from annotator.common.work_kinds import WorkKind
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.runs.models import Extraction, Extractor

# As many as `totals.figures.CELLS`.
N_CELLS = 28


class LeaderboardVersion(models.Model):
    """A number that changes with every change of the totals of a corpus, and is locked to make one."""

    corpus = models.OneToOneField(Corpus, models.CASCADE, primary_key=True, related_name="+")
    number = models.BigIntegerField(default=0)


class StoredLeaderboard(Work):
    """The last leaderboard that was computed for one choice of filters.

    As work: it is to be computed. It is opened again when somebody asks for it and the scores have changed.
    """

    kind = WorkKind(
        title=_("Leaderboards"),
        failed_title=_("Leaderboards that could not be computed"),
        task="annotator.scoring.tasks.compute_leaderboard",
        cpu_seconds=None,
        label="filters",
        is_requested=True,
        screen="leaderboard",
    )

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="+")
    # `LeaderboardFilters.key`.
    filters = models.CharField(max_length=1000)
    # The state of the corpus's scores (`leaderboard.queries.state_of`) that it was last asked for.
    asked_state = models.CharField(max_length=100, default="")
    # The state that `board` was computed from, and when.
    state = models.CharField(max_length=100, default="")
    computed_at = models.DateTimeField(null=True)
    board = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "filters"], name="one_leaderboard_per_filters")
        ]
        indexes = work_indexes("leaderboard")


class AnalysisKind(StrEnum):
    """What is analysed; `leaderboard.analyses.ANALYSES` says how."""

    ERRORS = "errors"
    PAIR = "pair"
    PAIRS = "pairs"
    RETRIEVAL = "retrieval"
    PEOPLE = "people"


class Analysis(Work):
    """The last result of one kind of analysis of a corpus's scores, for one choice of filters.

    As work: it is to be computed, always by a worker. It is opened again when somebody asks for it and the
    scores have changed. The result holds keys of pages and figures, no text of a page.
    """

    kind = WorkKind(
        title=_("Analyses of scores"),
        failed_title=_("Analyses of scores that could not be computed"),
        task="annotator.scoring.tasks.analyse",
        queue=BULK,
        cpu_seconds=None,
        label="name",
        is_requested=True,
        screen="leaderboard",
        progress=("done", "total"),
    )

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="+")
    # An AnalysisKind, and its filters as a query string.
    name = models.CharField(max_length=20)
    filters = models.CharField(max_length=1000)
    # As in `StoredLeaderboard`.
    asked_state = models.CharField(max_length=100, default="")
    state = models.CharField(max_length=100, default="")
    computed_at = models.DateTimeField(null=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    result = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "name", "filters"], name="one_analysis_per_filters")
        ]
        indexes = work_indexes("analysis")

    @property
    def is_current(self) -> bool:
        """Whether the result is that of the scores as they were last asked for."""
        return self.result is not None and self.state == self.asked_state


class Score(Work):
    """One extraction against one gold: visible characters by gold label and predicted label.

    The matrix serves every label set.
    """

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    kind = WorkKind(
        title=_("Scores"),
        failed_title=_("Failed scores"),
        task="annotator.scoring.tasks.score_extractions",
        queue=SCORE,
        page="gold__page",
        label="extraction__extractor__name",
    )
    find_missing = ("annotator.scoring.tasks.request_missing",)

    # Its unique index with the extraction serves as index of the gold.
    gold = models.ForeignKey(Gold, models.PROTECT, related_name="scores", db_index=False)
    extraction = models.ForeignKey(Extraction, models.PROTECT, related_name="scores")
    matrix = models.JSONField(default=dict)
    # Nobody who made the gold was shown this extractor or its family (invariant 5).
    blind = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["gold", "extraction"], name="one_score_per_cell")]
        indexes = work_indexes("score")
        triggers = [
            *append_only(SUCCEEDED),
            counts_again(
                pgtrigger.Update | pgtrigger.Delete,
                page="select page_id from annotator_gold where id = old.gold_id",
                condition="old.finished_at is distinct from new.finished_at",
            ),
        ]


# Measurements may be opened again, by which nothing else in them changes.
_MEASUREMENT_IS_CHANGED = condition(
    "old.finished_at is not null and old.error = '' and (new.finished_at is not null or "
    f"{changes_other_than(*WORK_FIELDS)})"
)


class Measurement(Work):
    """The metrics of a score that its matrix does not hold. Created finished, together with the score.

    It is work so that a metric that failed is listed, and can be retried without touching the score. It is
    opened again, with its figures, where the labels of its corpus change.
    """

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    kind = WorkKind(
        title=_("Scores by other metrics"),
        failed_title=_("Failed scores by other metrics"),
        task="annotator.scoring.tasks.measure_score",
        queue=BULK,
        page="score__gold__page",
        label="score__extraction__extractor__name",
    )

    score = models.OneToOneField(Score, models.PROTECT, related_name="measurement")
    # Metric -> label set (`measuring.stored_under`) -> `measuring.packed`; metrics that failed are missing.
    figures = models.JSONField(default=dict)

    class Meta:
        indexes = work_indexes("measurement")
        triggers = [
            *append_only(_MEASUREMENT_IS_CHANGED),
            counts_again(
                pgtrigger.Update,
                page="select g.page_id from annotator_gold g join annotator_score s on s.gold_id = g.id"
                " where s.id = new.score_id",
                condition="old.figures is distinct from new.figures",
            ),
        ]


class Remeasuring(Work):
    """Opening the measurements of a corpus again whose figures have become those of other label sets.

    One row for each change of labels: what is asked for meanwhile is not taken for done.
    """

    kind = WorkKind(
        title=_("Label changes"),
        failed_title=_("Label changes that scores could not follow"),
        task="annotator.scoring.tasks.open_measurements",
        cpu_seconds=None,
        screen="labels",
    )

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="+")

    class Meta:
        indexes = work_indexes("remeasuring")


# ---- totals: see `scoring.totals` ----


class PageToCount(models.Model):
    """Something changed that a page counts for. Written by triggers; the one who counts deletes the rows.

    `page` is no foreign key, since a page that is gone has to be counted off.
    """

    page = models.BigIntegerField()
    corpus = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["corpus", "-id"], name="pages_to_count")]


class Counting(Work):
    """Bringing the totals of a corpus up to date: one row each, opened again when pages are to be counted."""

    kind = WorkKind(
        title=_("Totals of scores"),
        failed_title=_("Totals of scores that could not be updated"),
        task="annotator.scoring.tasks.count_pages",
        cpu_seconds=None,
        screen="leaderboard",
    )
    find_missing = ("annotator.scoring.tasks.request_counting",)

    corpus = models.OneToOneField(Corpus, models.CASCADE, related_name="+")

    class Meta:
        indexes = work_indexes("counting")


class CountedPage(models.Model):
    """A page with current gold as it stands in the totals, with all by which totals are kept apart.

    Without foreign keys, as `PageToCount`. Pages that are no article are here, but in no total.
    """

    page = models.BigIntegerField(primary_key=True)
    corpus = models.BigIntegerField()
    gold = models.BigIntegerField()
    finalised_at = models.DateTimeField()
    # When the page first became gold.
    since = models.DateTimeField()
    # The first digits of its digest: the order in which pages are sampled.
    draw = models.BigIntegerField()
    language = models.CharField(max_length=8, blank=True)
    site = models.CharField(max_length=255, blank=True)
    month = models.CharField(max_length=7)
    capture = models.CharField(max_length=10, default="sent")
    verdict = models.CharField(max_length=20)
    guideline = models.PositiveIntegerField(null=True)
    # The numbers of the releases that hold this gold.
    releases = ArrayField(models.PositiveIntegerField(), default=list)
    # The label sets that the gold distinguishes, and its single labels.
    labels = ArrayField(models.CharField(max_length=60), default=list)
    # Non-whitespace characters of imported gold text, and those that could be placed.
    characters = models.BigIntegerField(default=0)
    placed = models.BigIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["corpus", "draw"], name="counted_pages"),
            models.Index(fields=["corpus", "finalised_at"], name="counted_newest"),
            models.Index(fields=["corpus", "language", "draw"], name="counted_language"),
            models.Index(fields=["corpus", "site", "draw"], name="counted_site"),
            models.Index(fields=["corpus", "month", "draw"], name="counted_month"),
            models.Index(fields=["corpus", "verdict", "draw"], name="counted_verdict"),
            models.Index(fields=["corpus", "guideline", "draw"], name="counted_guideline"),
        ]


class CountedScore(models.Model):
    """A score as it stands in the totals: its figures as integers, in columns.

    `extractor` is null for the agreement of the page's annotators.
    """

    # Its unique index with the extractor serves as index of the pages.
    page = models.ForeignKey(
        CountedPage,
        models.CASCADE,
        db_column="page",
        db_constraint=False,
        db_index=False,
        related_name="scores",
    )
    corpus = models.BigIntegerField()
    extractor = models.ForeignKey(Extractor, models.CASCADE, null=True, related_name="+")
    score = models.BigIntegerField(null=True)
    # `totals.figures.Kind`
    kind = models.PositiveSmallIntegerField()
    failed = models.BooleanField()
    microseconds = models.BigIntegerField(null=True)
    # Of each of `totals.figures.CELLS`, then of each single label of the page: `totals.figures.PARTS`.
    amounts = ArrayField(models.IntegerField(null=True))
    # F1 of each of `CELLS` in ten-thousandths: the order of the pages behind a row.
    f1 = ArrayField(models.SmallIntegerField(null=True))

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["page", "extractor"], name="one_counted_score_per_cell", nulls_distinct=False
            )
        ]
        # The pages behind a row of a leaderboard, worst first, by every metric and label set.
        indexes = [
            models.Index(F("corpus"), F("extractor"), F(f"f1__{cell}"), name=f"worst_pages_{cell}")
            for cell in range(N_CELLS)
        ]


class GoldTotal(models.Model):
    """How many pages with gold a slice of a corpus has, by what label set they can be scored."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="+")
    # `totals.slices.Slice`; "" and "" for all pages.
    dimension = models.CharField(max_length=10, blank=True)
    value = models.CharField(max_length=255, blank=True)
    # "": all pages, whatever their gold distinguishes.
    labels = models.CharField(max_length=60, blank=True)
    pages = models.BigIntegerField(default=0)
    scores = models.BigIntegerField(default=0)
    characters = models.BigIntegerField(default=0)
    placed = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "dimension", "labels", "value"], name="one_gold_total_per_slice"
            )
        ]


class ScoreTotal(models.Model):
    """Sums over the scores of an extractor on the pages of a slice, by one metric and label set.

    Figures are in billionths, so that sums are exact. Sums of products, for intervals, are in the unit of
    one factor.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="+")
    metric = models.CharField(max_length=20)
    labels = models.CharField(max_length=60)
    dimension = models.CharField(max_length=10, blank=True)
    value = models.CharField(max_length=255, blank=True)
    extractor = models.ForeignKey(Extractor, models.CASCADE, null=True, related_name="+")
    kind = models.PositiveSmallIntegerField()

    pages = models.BigIntegerField(default=0)
    failures = models.BigIntegerField(default=0)
    timed = models.BigIntegerField(default=0)
    microseconds = models.BigIntegerField(default=0)
    # The sum of `CountedPage.draw`: with `pages`, it tells whether two totals are of the same pages.
    draws = models.BigIntegerField(default=0)

    # Pages that are not left out of the mean of precisions, of recalls, of neither.
    with_precision = models.BigIntegerField(default=0)
    with_recall = models.BigIntegerField(default=0)
    with_both = models.BigIntegerField(default=0)
    precision = models.BigIntegerField(default=0)
    recall = models.BigIntegerField(default=0)
    f1 = models.BigIntegerField(default=0)
    precision_precision = models.BigIntegerField(default=0)
    recall_recall = models.BigIntegerField(default=0)
    precision_recall = models.BigIntegerField(default=0)
    f1_f1 = models.BigIntegerField(default=0)
    # Precision where there is recall, and the other way round.
    precision_both = models.BigIntegerField(default=0)
    recall_both = models.BigIntegerField(default=0)

    true = models.BigIntegerField(default=0)
    predicted = models.BigIntegerField(default=0)
    gold = models.BigIntegerField(default=0)
    true_true = models.BigIntegerField(default=0)
    predicted_predicted = models.BigIntegerField(default=0)
    gold_gold = models.BigIntegerField(default=0)
    true_predicted = models.BigIntegerField(default=0)
    true_gold = models.BigIntegerField(default=0)
    predicted_gold = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "metric", "labels", "dimension", "value", "extractor", "kind"],
                name="one_total_per_slice",
                nulls_distinct=False,
            )
        ]


class TotalsCheck(Work):
    """The nightly comparison of a sample of totals with the scores; it fails where one is wrong.

    One row a corpus, opened again every night.
    """

    kind = WorkKind(
        title=_("Checks of totals of scores"),
        failed_title=_("Totals of scores that are wrong"),
        task="annotator.scoring.tasks.check_totals",
        queue=BULK,
        cpu_seconds=None,
        screen="leaderboard",
    )

    corpus = models.OneToOneField(Corpus, models.CASCADE, related_name="+")
    # Slices and pages that were looked at.
    compared = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = work_indexes("totals_check")
