"""Releases: frozen, numbered sets of gold; what is wrong in them; pages that were taken down."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.common.work import Work
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.pages.models import Page
from annotator.releases.splits import DEV, TEST, TRAIN


class Terms(models.Model):
    """What a corpus says of itself in its releases. A row as soon as somebody has said something."""

    corpus = models.OneToOneField(Corpus, models.CASCADE, related_name="terms")
    licence = models.CharField(max_length=500, blank=True, default="")
    collection = models.TextField(blank=True, default="")
    limits = models.TextField(blank=True, default="")


class Release(Work):
    """A frozen, numbered set of gold. As work: to be made; once it is made, nothing of it changes."""

    task = "annotator.releases.tasks.make_release"
    queue = "bulk"

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    note = models.CharField(max_length=500, blank=True, default="")
    made_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    pages = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    # Somebody asked for it to stop; what was counted for it stays.
    stopped_at = models.DateTimeField(null=True)
    # Canonical JSON, kept as the bytes of which `sha256` is the digest: that of the whole release.
    manifest = models.TextField(blank=True, default="")
    sha256 = models.CharField(max_length=64, blank=True, default="")
    # Markdown by language.
    datasheets = models.JSONField(default=dict)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "number"], name="one_release_per_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="releases_count_from_one"),
        ]
        indexes = [models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="release_open")]

    def __str__(self) -> str:
        return f"{self.corpus}: {self.number}"


class Split(models.TextChoices):
    """For what a page is meant."""

    TRAIN = TRAIN
    DEV = DEV
    TEST = TEST


class ReleasePage(models.Model):
    """One page's gold as it is in a release."""

    release = models.ForeignKey(Release, models.PROTECT, related_name="rows")
    gold = models.ForeignKey(Gold, models.PROTECT, related_name="released_in")
    # The page's, by which the rows are in order.
    sha256 = models.CharField(max_length=64)
    gold_sha256 = models.CharField(max_length=64)
    split = models.CharField(max_length=5, choices=Split)
    # The smallest digest of the pages that site and near-duplicate cluster hold together.
    group = models.CharField(max_length=64)
    # How records have it, which is not to move with the page's row.
    facts = models.JSONField(default=dict)

    class Meta:
        ordering = ["release", "sha256"]
        constraints = [models.UniqueConstraint(fields=["release", "sha256"], name="one_row_per_page")]


class GoldCount(models.Model):
    """What is counted of a gold: what its page's text is made of (`extraction.composition`), by label."""

    gold = models.OneToOneField(Gold, models.PROTECT, related_name="counted")
    amounts = models.JSONField()
    # What its annotators add to agreement: `counting.Counts`, empty below two of them. Null where it is not
    # counted yet, or may still change.
    agreement = models.JSONField(null=True)


class Erratum(models.Model):
    """What is wrong with a released page; what is said stays, that it was corrected is added."""

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="errata")
    release = models.ForeignKey(Release, models.PROTECT, related_name="errata")
    # The page's digest.
    sha256 = models.CharField(max_length=64)
    what = models.CharField(max_length=500)
    found_at = models.DateTimeField(default=timezone.now, editable=False)
    # Nobody found what the making of a release found.
    found_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    corrected_in = models.ForeignKey(Release, models.PROTECT, null=True, related_name="corrects")

    class Meta:
        ordering = ["release", "sha256", "id"]
        constraints = [
            models.UniqueConstraint(fields=["release", "sha256", "what"], name="one_erratum_of_a_kind")
        ]


class Takedown(models.Model):
    """The tombstone of a page that had to go (law 7's one exception): its digest, and why."""

    page = models.OneToOneField(Page, models.PROTECT, related_name="takedown")
    reason = models.CharField(max_length=500)
    made_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
