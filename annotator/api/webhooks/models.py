"""Webhooks, and what was sent to them."""

import uuid
from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from annotator.common.queues import IMPORT
from annotator.common.work import UNCLAIMED, Work, work_indexes
from annotator.common.work_kinds import WorkKind
from annotator.corpora.models import Corpus, User


class Event(models.TextChoices):
    """What is told; each is found by `queries.FINDERS`."""

    GOLD_DECIDED = "gold.decided", _("Gold was made or changed by people")
    RELEASE_MADE = "release.made", _("A release was made")
    RUN_ENDED = "run.ended", _("A run was completed, was cancelled or failed")


class Webhook(models.Model):
    """An address that is told of events of a corpus, until it is ended."""

    find_missing = ("annotator.api.webhooks.tasks.request_missing",)

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="webhooks")
    url = models.TextField()
    # Values of `Event`.
    events = models.JSONField()
    # Its secret is made of this and the site's: neither alone tells it, and it is not stored.
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    made_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)
    # Since when it is switched off.
    paused_at = models.DateTimeField(null=True, editable=False)
    # When it was made or last switched on: what happened before is never told.
    tells_from = models.DateTimeField(default=timezone.now, editable=False)
    # Events before were looked at.
    searched_until = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(events=[]), name="webhook_has_events"),
            models.UniqueConstraint(
                fields=["corpus", "url"], condition=Q(ended_at=None), name="one_webhook_per_address"
            ),
        ]

    def __str__(self) -> str:
        return self.url

    @property
    def event_titles(self) -> list[str]:
        """What it is told, in words."""
        return [str(Event(event).label) for event in self.events]

    @property
    def secret(self) -> str:
        """With which bodies are signed: 64 hexadecimal digits."""
        return salted_hmac("annotator.webhook", str(self.key), algorithm="sha256").hexdigest()


class Delivery(Work):
    """One event for one webhook. Neither text nor addresses of pages are in its body."""

    kind = WorkKind(
        title=_("Webhook deliveries"),
        failed_title=_("Webhook deliveries that failed"),
        task="annotator.api.webhooks.tasks.deliver",
        queue=IMPORT,
        label="webhook__url",
        # What is tried again waits for the program that did not take it.
        blocked=Q(tries__gt=0),
        is_requested=True,
    )

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="deliveries")
    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="+")
    event = models.CharField(max_length=20, choices=Event)
    # What it is about, so that no event is told twice.
    subject = models.CharField(max_length=100)
    body = models.JSONField()
    # How often it was sent in vain, what the answer's status was last (null: none), and what was wrong.
    tries = models.PositiveSmallIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True)
    problem = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["webhook", "event", "subject"], name="no_event_is_told_twice"),
            models.CheckConstraint(condition=Q(event__in=Event.values), name="known_webhook_event"),
        ]
        indexes = [
            *work_indexes("delivery"),
            models.Index(fields=["webhook", "-id"], name="deliveries_of_webhook"),
        ]

    @property
    def next_try_at(self) -> datetime | None:
        """When it is sent again at the earliest; None where it was not put off."""
        is_put_off = self.tries and self.state == "waiting"
        return self.enqueued_at + UNCLAIMED if is_put_off else None
