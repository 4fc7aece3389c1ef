"""Operations about webhooks."""

from datetime import datetime
from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from annotator.api.fields import Address, Key, Listed, Window, listed
from annotator.api.routing import operation
from annotator.api.webhooks import actions, queries
from annotator.api.webhooks.models import Delivery, Event
from annotator.corpora.access import CorpusRequest

router = Router(tags=["webhooks"])
WEBHOOK = "/corpora/{slug:slug}/webhooks/{id:webhook}"


class WebhookOut(Schema):
    id: int
    url: str
    events: list[Event]
    made_at: datetime
    paused_at: datetime | None = Field(description="Since when it is switched off; null while it is on")
    last_at: datetime | None = Field(description="When the last delivery ended")
    last_status: int | None = Field(description="Of the answer to the last delivery")
    last_problem: str | None


class AddedWebhook(WebhookOut):
    secret: str = Field(description="With which bodies are signed; shown only now")


class NewWebhook(Schema):
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
def list_webhooks(request: CorpusRequest, slug: str) -> list[dict[str, Any]]:
    """The webhooks of the corpus, each with how its last delivery ended."""
    return [_described(webhook) for webhook in queries.webhooks_of(request.access.corpus)]


@operation(router, "POST", "/corpora/{slug:slug}/webhooks", "add-webhook", response=AddedWebhook, status=201)
def add(request: CorpusRequest, slug: str, new: NewWebhook) -> Status[Any]:
    """Tell an address of events from now on; never one in a private network."""
    corpus = request.access.corpus
    webhook = actions.add_webhook(corpus=corpus, url=new.url, events=new.events, user=request.user)
    return Status(201, _described(_webhook_or_404(request, webhook.pk)) | {"secret": webhook.secret})


@operation(router, "POST", f"{WEBHOOK}/pause", "pause-webhook", response=WebhookOut)
def pause(request: CorpusRequest, slug: str, webhook: Key) -> dict[str, Any]:
    """Tell the address nothing for now; what happens meanwhile is not told later."""
    actions.pause_webhook(webhook=_webhook_or_404(request, webhook), user=request.user)
    return _described(_webhook_or_404(request, webhook))


@operation(router, "POST", f"{WEBHOOK}/resume", "resume-webhook", response=WebhookOut)
def resume(request: CorpusRequest, slug: str, webhook: Key) -> dict[str, Any]:
    """Tell the address of what happens from now on."""
    actions.resume_webhook(webhook=_webhook_or_404(request, webhook), user=request.user)
    return _described(_webhook_or_404(request, webhook))


@operation(router, "DELETE", WEBHOOK, "remove-webhook", response=None, status=204)
def remove(request: CorpusRequest, slug: str, webhook: Key) -> Status[Any]:
    """Tell the address nothing more."""
    actions.remove_webhook(webhook=_webhook_or_404(request, webhook), user=request.user)
    return Status(204, None)


@operation(router, "GET", f"{WEBHOOK}/deliveries", "list-deliveries", response=Listed[DeliveryOut])
def list_deliveries(request: CorpusRequest, slug: str, webhook: Key, window: Query[Window]) -> dict[str, Any]:
    """What was sent, and how it ended."""
    return listed(queries.deliveries_of(_webhook_or_404(request, webhook)), window, _delivery)


def _webhook_or_404(request: CorpusRequest, pk: int) -> Any:
    return get_object_or_404(queries.webhooks_of(request.access.corpus).select_related("corpus"), pk=pk)


def _described(webhook: Any) -> dict[str, Any]:
    """A webhook of `queries.webhooks_of`, as `WebhookOut` has it."""
    return {
        "id": webhook.pk,
        **{
            name: getattr(webhook, name)
            for name in ("url", "events", "made_at", "paused_at", "last_status", "last_problem")
        },
        "last_at": webhook.last_finished_at,
    }


def _delivery(delivery: Delivery) -> dict[str, Any]:
    fields = ("event", "state", "body", "tries", "status", "problem", "requested_at", "finished_at")
    return {"id": delivery.pk, **{name: getattr(delivery, name) for name in fields}}
