"""Webhooks, and events that they were not told of."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import OuterRef, Prefetch, Q, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber

from annotator.api.webhooks.models import Delivery, Event, Webhook
from annotator.corpora.models import Corpus
from annotator.gold.models import NOT_BY_PEOPLE, Gold
from annotator.releases.queries import finished
from annotator.runs.queries import runs_of


class Happened(NamedTuple):
    """An event, and what is told of it."""

    event: Event
    subject: str
    at: datetime
    data: dict[str, Any]


def webhooks_of(corpus: Corpus) -> QuerySet[Webhook]:
    """The corpus's webhooks, each with how its last delivery ended."""
    last = Delivery.objects.filter(webhook=OuterRef("pk")).order_by("-pk")
    columns = {
        f"last_{name}": Subquery(last.values(name)[:1]) for name in ("finished_at", "status", "problem")
    }
    return Webhook.objects.filter(corpus=corpus, ended_at=None).annotate(**columns)


def active_webhooks() -> QuerySet[Webhook]:
    """Those that are told of events: not those that are switched off, and not of archived corpora."""
    active = Webhook.objects.filter(ended_at=None, paused_at=None)
    return active.filter(corpus__archived_at=None, corpus__deleted_at=None).select_related("corpus")


def with_last_deliveries(corpus: Corpus, *, most: int) -> list[Webhook]:
    """The corpus's webhooks, each with its last deliveries in `last_deliveries`, the newest first."""
    number = Window(RowNumber(), partition_by="webhook", order_by="-pk")
    last = Delivery.objects.annotate(number=number).filter(number__lte=most).order_by("-pk")
    return list(webhooks_of(corpus).prefetch_related(Prefetch("deliveries", last, "last_deliveries")))


def happened_since(corpus: Corpus, since: datetime, events: list[str]) -> Iterator[Happened]:
    """The events of these kinds in a corpus since a time."""
    for event in Event:
        if event in events:
            yield from FINDERS[event](corpus, since)


def _gold(corpus: Corpus, since: datetime) -> Iterator[Happened]:
    made = Gold.objects.filter(page__corpus=corpus, finalised_at__gte=since)
    made = made.exclude(source__in=NOT_BY_PEOPLE)
    rows = made.order_by("pk").values_list("page__sha256", "number", "verdict", "finalised_at")
    for sha256, number, verdict, at in rows:
        data = {"page": sha256, "number": number, "verdict": verdict}
        yield Happened(Event.GOLD_DECIDED, f"{sha256}:{number}", at, data)


def _releases(corpus: Corpus, since: datetime) -> Iterator[Happened]:
    for release in finished(corpus).filter(finished_at__gte=since):
        data = {"number": release.number, "sha256": release.sha256, "pages": release.pages}
        assert release.finished_at
        yield Happened(Event.RELEASE_MADE, str(release.number), release.finished_at, data)


def _runs(corpus: Corpus, since: datetime) -> Iterator[Happened]:
    ended = (
        Q(completed_at__gte=since) | Q(cancelled_at__gte=since) | (Q(finished_at__gte=since) & ~Q(error=""))
    )
    for run in runs_of(corpus).filter(ended):
        extractor = {"name": run.extractor.name, "version": run.extractor.version}
        data = {"run": run.pk, "stage": run.stage, "extractor": extractor, "failed": run.failed}
        at = run.ended_at or run.finished_at
        assert at
        yield Happened(Event.RUN_ENDED, f"{run.pk}:{run.stage}:{at.isoformat()}", at, data)


FINDERS: dict[Event, Callable[[Corpus, datetime], Iterator[Happened]]] = {
    Event.GOLD_DECIDED: _gold,
    Event.RELEASE_MADE: _releases,
    Event.RUN_ENDED: _runs,
}
