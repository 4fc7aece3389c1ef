"""Releases, their errata, and pages that were taken down."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.common.queues import BULK
from annotator.common.triggers import (
    TAKEN_DOWN,
    Blanking,
    append_only,
    changes_other_than,
    condition,
    counts_again,
)
from annotator.common.work import StoppableWork, work_indexes
from annotator.common.work_kinds import WorkControls, WorkKind
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.pages.models import Page
from annotator.releases.splits import SPLITS


class ReleaseTerms(models.Model):
    """What the datasheets of a corpus's releases state. The row is created when an admin saves it first."""

    corpus = models.OneToOneField(Corpus, models.CASCADE, related_name="terms")
    licence = models.CharField(max_length=500, blank=True, default="")
    collection = models.TextField(blank=True, default="")
    limitations = models.TextField(blank=True, default="")


class Release(StoppableWork):
    """A frozen, numbered set of gold. As work: it has to be built; a finished release never changes."""

    kind = WorkKind(
        title=_("Releases"),
        failed_title=_("Failed releases"),
        task="annotator.releases.tasks.build_release",
        queue=BULK,
        cpu_seconds=None,
        label="number",
        can_retry=False,
        is_requested=True,
        screen="releases",
        is_job=True,
        progress=("done", "pages"),
        controls=(WorkControls(_("Stop"), "release-stop", Q(finished_at=None), key="number"),),
    )

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    note = models.CharField(max_length=500, blank=True, default="")
    requested_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    pages = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    # The number of its pages in each split.
    splits = models.JSONField(default=dict)
    # Pages that are not in it, because their gold was being made when it was built.
    left_out = models.PositiveIntegerField(default=0)
    # Canonical JSON. `sha256` is the digest of its bytes, and identifies the release.
    manifest = models.TextField(blank=True, default="")
    sha256 = models.CharField(max_length=64, blank=True, default="")
    # Markdown by language.
    datasheets = models.JSONField(default=dict)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "number"], name="unique_release_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="release_number_is_positive"),
        ]
        indexes = work_indexes("release")
        triggers = [
            *append_only(~pgtrigger.Q(old__sha256=""), delete=~pgtrigger.Q(old__sha256="")),
            counts_again(
                pgtrigger.UpdateOf("sha256"),
                page="select g.page_id from annotator_gold g"
                " join annotator_releasepage r on r.gold_id = g.id where r.release_id = new.id",
                condition="old.sha256 is distinct from new.sha256",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.corpus}: {self.number}"


class ReleasePage(models.Model):
    """A page's gold as frozen in a release."""

    release = models.ForeignKey(Release, models.PROTECT, related_name="rows")
    gold = models.ForeignKey(Gold, models.PROTECT, related_name="released_in")
    # Of the page.
    sha256 = models.CharField(max_length=64)
    gold_sha256 = models.CharField(max_length=64)
    split = models.CharField(max_length=5, choices=[(split, split.capitalize()) for split in SPLITS])
    # The smallest digest of the pages connected by site or near-duplicate cluster.
    group = models.CharField(max_length=64)
    # The page's URL, charset, capture time, language and site when the release was built.
    metadata = models.JSONField(default=dict)

    class Meta:
        ordering = ["release", "sha256"]
        constraints = [models.UniqueConstraint(fields=["release", "sha256"], name="unique_page_in_release")]
        triggers = append_only(
            unless=Blanking({"metadata": {}}, "select page_id from annotator_gold where id = old.gold_id")
        )


class GoldCount(models.Model):
    """Counts of a gold: amounts of text by label, as `extraction.metrics.composition` returns them."""

    # Goes with its page when an import is undone: see `pages/imports/undoing.py`.
    derived_from_page = True

    find_missing = ("annotator.releases.tasks.count_missing",)

    gold = models.OneToOneField(Gold, models.PROTECT, related_name="counted")
    amounts = models.JSONField()
    # `gold_counts.AgreementCounts` as JSON; empty with fewer than two annotators, null while the round can
    # still change.
    agreement = models.JSONField(null=True)


class Erratum(models.Model):
    """An error in a released page. Only `corrected_in` is added later."""

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="errata")
    release = models.ForeignKey(Release, models.PROTECT, related_name="errata")
    # The page's digest.
    sha256 = models.CharField(max_length=64)
    description = models.CharField(max_length=500)
    found_at = models.DateTimeField(default=timezone.now, editable=False)
    # Null if found by building a release.
    found_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    corrected_in = models.ForeignKey(Release, models.PROTECT, null=True, related_name="corrects")

    class Meta:
        ordering = ["release", "sha256", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "sha256", "description"],
                condition=~Q(description=TAKEN_DOWN),
                name="unique_erratum",
            )
        ]
        triggers = append_only(
            condition(f"old.corrected_in_id is not null or {changes_other_than('corrected_in_id')}"),
            unless=Blanking(
                {"description": TAKEN_DOWN},
                "select id from annotator_page where corpus_id = old.corpus_id and sha256 = old.sha256",
            ),
        )


class Takedown(models.Model):
    """The tombstone of a page that was taken down, the one exception of invariant 7."""

    page = models.OneToOneField(Page, models.PROTECT, related_name="takedown")
    reason = models.CharField(max_length=500)
    made_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        triggers = append_only()
