"""Looks for events, and tells webhooks of them."""

from celery import shared_task

from annotator import pipeline
from annotator.api.webhooks import actions
from annotator.api.webhooks.models import Delivery
from annotator.common import work


@shared_task(**work.LIMITS)
def request_missing() -> None:
    pipeline.enqueue_first(actions.request_missing())


@shared_task(**work.LIMITS)
def deliver(delivery_id: int) -> None:
    work.run(Delivery, delivery_id, actions.deliver)
