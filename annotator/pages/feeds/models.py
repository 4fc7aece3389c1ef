"""Followed feeds, and the pages that they have listed."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotator.common.queues import IMPORT
from annotator.common.work import Work, work_indexes
from annotator.common.work_kinds import WorkKind
from annotator.corpora.models import Corpus, User
from annotator.pages.imports.models import Import

MOST_PER_DAY = 100


class FollowedFeed(Work):
    """A feed or a sitemap that a corpus follows. As work: it has to be checked, again and again.

    Between two checks it is finished as work. `error` is why it cannot be read; what may be different the
    next time is `problem`.
    """

    kind = WorkKind(
        title=_("Checks of feeds"),
        failed_title=_("Feeds that could not be read"),
        task="annotator.pages.tasks.check_feed",
        queue=IMPORT,
        label="url",
        is_requested=True,
        screen="imports",
    )
    find_missing = ("annotator.pages.tasks.check_due_feeds",)

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="feeds")
    # Null: from the command line.
    followed_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    followed_at = models.DateTimeField(default=timezone.now)
    url = models.TextField()
    title = models.CharField(max_length=200, blank=True, default="")
    # Hours between two checks.
    every_hours = models.PositiveSmallIntegerField(default=24)
    # New pages of one site in 24 hours, of all feeds of the corpus together.
    daily_cap = models.PositiveSmallIntegerField(
        default=5, validators=[MinValueValidator(1), MaxValueValidator(MOST_PER_DAY)]
    )
    # Whether style sheets and images of its pages are fetched too.
    with_assets = models.BooleanField(default=False)
    paused_at = models.DateTimeField(null=True)

    next_check_at = models.DateTimeField(default=timezone.now)
    checked_at = models.DateTimeField(null=True)
    # Checks in a row in which the site did not answer, and why.
    misses = models.PositiveSmallIntegerField(default=0)
    problem = models.CharField(max_length=300, blank=True, default="")
    # Of the last check that brought something: entries that were new, and how many of them are imported.
    listed = models.PositiveIntegerField(default=0)
    taken = models.PositiveIntegerField(default=0)
    # As the site sent them, to ask only for what has changed.
    etag = models.CharField(max_length=200, blank=True, default="")
    last_modified = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "url"], name="unique_feed_of_corpus"),
            models.CheckConstraint(
                condition=Q(daily_cap__gte=1, daily_cap__lte=MOST_PER_DAY), name="daily_cap_is_sensible"
            ),
            models.CheckConstraint(condition=Q(every_hours__gte=1), name="feeds_are_checked_hourly_at_most"),
        ]
        indexes = [
            *work_indexes("followedfeed"),
            models.Index(
                fields=["next_check_at"],
                condition=Q(paused_at=None, finished_at__isnull=False),
                name="feeds_due",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.url


class FeedEntry(models.Model):
    """A page that a followed feed has listed. `run` imports it; without one, it waits for the daily cap."""

    feed = models.ForeignKey(FollowedFeed, models.CASCADE, related_name="entries")
    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="+")
    url = models.TextField()
    # SHA-256 of the address, which may be longer than an index row.
    digest = models.CharField(max_length=64)
    site = models.CharField(max_length=255)
    # When it was published or changed, as the feed says.
    published_at = models.DateTimeField(null=True)
    listed_at = models.DateTimeField(default=timezone.now)
    taken_at = models.DateTimeField(null=True)
    run = models.ForeignKey(Import, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-published_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["feed", "digest"], name="unique_entry_of_feed")]
        indexes = [
            models.Index(
                fields=["corpus", "site", "taken_at"],
                condition=Q(taken_at__isnull=False),
                name="entries_taken_by_site",
            ),
            models.Index(fields=["corpus", "digest"], name="entries_by_address"),
        ]

    def __str__(self) -> str:
        return self.url
