"""Operations about webhooks."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from annotator.api.fields import Address, Key, Listed, RequestFields, Window, listed
from annotator.api.routing import operation
from annotator.api.webhooks import actions, queries
from annotator.api.webhooks.models import Event, Webhook
from annotator.corpora.access import CorpusRequest

router = Router(tags=["webhooks"])
WEBHOOK = "/corpora/{slug:slug}/webhooks/{id:webhook}"


class WebhookOut(Schema):
    id: int
    url: str
    events: list[Event]
    made_at: datetime
    paused_at: datetime | None = Field(description="Since when it is switched off; null while it is on")
    last_at: datetime | None = Field(
        validation_alias="last_finished_at", description="When the last delivery ended"
    )
    last_status: int | None = Field(description="Of the answer to the last delivery")
    last_problem: str | None


class AddedWebhook(WebhookOut):
    secret: str = Field(description="With which bodies are signed; shown only now")


class NewWebhook(RequestFields):
    url: Address
    events: list[Event] = Field(min_length=1, max_length=len(Event))


class DeliveryOut(Schema):
    id: int
    event: Event
    state: str
    body: dict[str, Any]
    tries: int
    status: int | None
    problem: str
    requested_at: datetime
    finished_at: datetime | None


@operation(router, "GET", "/corpora/{slug:slug}/webhooks", "list-webhooks", response=list[WebhookOut])
def list_webhooks(request: CorpusRequest, slug: str) -> QuerySet[Webhook]:
    """The webhooks of the corpus, each with how its last delivery ended."""
    return queries.webhooks_of(request.access.corpus)


@operation(router, "POST", "/corpora/{slug:slug}/webhooks", "add-webhook", response=AddedWebhook, status=201)
def add(request: CorpusRequest, slug: str, new: NewWebhook) -> Status[Any]:
    """Tell an address of events from now on; never one in a private network."""
    corpus = request.access.corpus
    webhook = actions.add_webhook(corpus=corpus, url=new.url, events=new.events, user=request.user)
    return Status(201, _webhook_or_404(request, webhook.pk))


@operation(router, "POST", f"{WEBHOOK}/pause", "pause-webhook", response=WebhookOut)
def pause(request: CorpusRequest, slug: str, webhook: Key) -> Webhook:
    """Tell the address nothing for now; what happens meanwhile is not told later."""
    actions.pause_webhook(webhook=_webhook_or_404(request, webhook), user=request.user)
    return _webhook_or_404(request, webhook)


@operation(router, "POST", f"{WEBHOOK}/resume", "resume-webhook", response=WebhookOut)
def resume(request: CorpusRequest, slug: str, webhook: Key) -> Webhook:
    """Tell the address of what happens from now on."""
    actions.resume_webhook(webhook=_webhook_or_404(request, webhook), user=request.user)
    return _webhook_or_404(request, webhook)


@operation(router, "DELETE", WEBHOOK, "remove-webhook", response=None, status=204)
def remove(request: CorpusRequest, slug: str, webhook: Key) -> Status[Any]:
    """Tell the address nothing more."""
    actions.remove_webhook(webhook=_webhook_or_404(request, webhook), user=request.user)
    return Status(204, None)


@operation(router, "GET", f"{WEBHOOK}/deliveries", "list-deliveries", response=Listed[DeliveryOut])
def list_deliveries(request: CorpusRequest, slug: str, webhook: Key, window: Query[Window]) -> dict[str, Any]:
    """What was sent, and how it ended."""
    return listed(_webhook_or_404(request, webhook).deliveries.all(), window)


def _webhook_or_404(request: CorpusRequest, pk: int) -> Webhook:
    return get_object_or_404(queries.webhooks_of(request.access.corpus).select_related("corpus"), pk=pk)
