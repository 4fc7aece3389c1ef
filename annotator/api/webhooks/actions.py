"""Writes about webhooks: set and ended, deliveries requested, sent and tried again."""

import hashlib
import hmac
import json
import time
from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator import __version__
from annotator.api.webhooks.models import Delivery, Event, Webhook
from annotator.api.webhooks.queries import active_webhooks, happened_since
from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.searches import OVERLAP
from annotator.common.work_kinds import STOPPED
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.fetching.addresses import parse_address
from annotator.fetching.errors import FetchError, Refused
from annotator.fetching.posting import post

MAX_WEBHOOKS = 20
# A delivery is tried again after 1, 2, 4 ... minutes, for about a day.
FIRST_DELAY, LONGEST_DELAY, MAX_TRIES = timedelta(minutes=1), timedelta(hours=4), 12


@transaction.atomic
def add_webhook(*, corpus: Corpus, url: str, events: Iterable[str], user: User) -> Webhook:
    """Tell an address of events from now on.

    Raises FetchError for an address that is never asked, GoldpanError for unknown events, Conflict where the
    corpus tells this address already, or too many.
    """
    url, chosen = str(parse_address(url)), sorted(set(events))
    if not chosen or not {*chosen} <= {*Event.values}:
        raise GoldpanError(_("Choose among these events: %(known)s.") % {"known": ", ".join(Event.values)})
    Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    others = Webhook.objects.filter(corpus=corpus, ended_at=None)
    if others.filter(url=url).exists():
        raise Conflict(_("There is a webhook for this address already. Remove it first."))
    if others.count() >= MAX_WEBHOOKS:
        raise Conflict(_("A corpus has at most %(n)d webhooks.") % {"n": MAX_WEBHOOKS})
    webhook = Webhook.objects.create(corpus=corpus, url=url, events=chosen, made_by=user)
    record(AuditAction.WEBHOOK_ADDED, corpus=corpus, by=user, item=webhook.pk, changes={"events": chosen})
    return webhook


@transaction.atomic
def pause_webhook(*, webhook: Webhook, user: User) -> None:
    """Tell the address nothing for now; what waits is dropped. Raises Conflict if it is not on."""
    if not _not_removed(webhook).filter(paused_at=None).update(paused_at=timezone.now()):
        raise Conflict(_("This webhook is switched off already."))
    webhook.deliveries.end_unclaimed(error=STOPPED)
    record(AuditAction.WEBHOOK_PAUSED, corpus=webhook.corpus, by=user, item=webhook.pk)


@transaction.atomic
def resume_webhook(*, webhook: Webhook, user: User) -> None:
    """Tell the address of what happens from now on. Raises Conflict if it is not switched off."""
    if not _not_removed(webhook).exclude(paused_at=None).update(paused_at=None, tells_from=timezone.now()):
        raise Conflict(_("This webhook is switched on already."))
    record(AuditAction.WEBHOOK_RESUMED, corpus=webhook.corpus, by=user, item=webhook.pk)


@transaction.atomic
def remove_webhook(*, webhook: Webhook, user: User) -> None:
    """Tell the address nothing more; what was sent stays on record. Raises Conflict if it was removed."""
    if not _not_removed(webhook).update(ended_at=timezone.now()):
        raise Conflict(_("This webhook was removed already."))
    webhook.deliveries.end_unclaimed(error=STOPPED)
    # Nobody can see to those that have failed any more.
    webhook.deliveries.failed().update(error=STOPPED)
    record(AuditAction.WEBHOOK_REMOVED, corpus=webhook.corpus, by=user, item=webhook.pk)


def _not_removed(webhook: Webhook) -> QuerySet[Webhook]:
    return Webhook.objects.filter(pk=webhook.pk, ended_at=None)


def request_missing() -> list[Delivery]:
    """Create the deliveries of what has happened and was not told yet; return those that are new."""
    return [delivery for webhook in active_webhooks() for delivery in _request(webhook)]


@transaction.atomic
def _request(webhook: Webhook) -> list[Delivery]:
    # Of two sweeps at the same time, the second sees what the first has told.
    webhook = Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
    now = timezone.now()
    # A transaction may write a time and commit later.
    since = max(webhook.tells_from, webhook.searched_until - OVERLAP)
    happened = list(happened_since(webhook.corpus, since, webhook.events))
    known = set(
        Delivery.objects.filter(webhook=webhook, subject__in=[each.subject for each in happened]).values_list(
            "event", "subject"
        )
    )
    made = Delivery.objects.bulk_create(
        [
            Delivery(
                webhook=webhook,
                corpus=webhook.corpus,
                event=each.event,
                subject=each.subject,
                body={
                    "event": each.event,
                    "corpus": webhook.corpus.slug,
                    "at": each.at.isoformat(),
                    "data": each.data,
                },
            )
            for each in happened
            if (each.event, each.subject) not in known
        ]
    )
    Webhook.objects.filter(pk=webhook.pk).update(searched_until=now)
    return made


def deliver(delivery: Delivery) -> bool:
    """Send a claimed delivery. What was not taken is tried again later, and fails after about a day."""
    webhook = delivery.webhook
    if webhook.ended_at or webhook.paused_at:
        return work.fail(delivery, error=STOPPED)
    body = json.dumps(delivery.body, sort_keys=True).encode()
    try:
        status = post(webhook.url, body=body, headers=_headers(delivery, body))
    except FetchError as error:
        if isinstance(error, Refused):
            return work.fail(delivery, error=error.message, problem=error.message[:200], status=None)
        return _again(delivery, None, error.message)
    if 200 <= status < 300:
        return work.finish(delivery, status=status, problem="")
    return _again(delivery, status, f"it answered with status {status}")


def _again(delivery: Delivery, status: int | None, problem: str) -> bool:
    """Put it off, the longer the more often; False once it was tried often enough, and has failed."""
    facts = {"tries": delivery.tries + 1, "status": status, "problem": problem[:200]}
    if delivery.tries + 1 >= MAX_TRIES:
        return work.fail(delivery, error=problem, **facts)
    delay = min(FIRST_DELAY * 2**delivery.tries, LONGEST_DELAY)
    return work.requeue(delivery, until=timezone.now() + delay - work.UNCLAIMED, **facts)


def _headers(delivery: Delivery, body: bytes) -> dict[str, str]:
    at = int(time.time())
    return {
        "content-type": "application/json",
        "user-agent": f"Goldpan/{__version__}",
        "x-goldpan-event": delivery.event,
        "x-goldpan-delivery": str(delivery.pk),
        "x-goldpan-signature": f"t={at},v1={signature(delivery.webhook.secret, at, body)}",
    }


def signature(secret: str, at: int, body: bytes) -> str:
    """HMAC-SHA256 of the Unix time, a dot and the body, in hexadecimal."""
    return hmac.new(secret.encode(), b"%d." % at + body, hashlib.sha256).hexdigest()
