"""The queues of messages, by who waits (invariant 8)."""

from typing import Any

from celery import current_app
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

# What a person has just set off; a worker of its own takes it.
LIVE = "live"
# From a page's arrival until it can be annotated.
IMPORT = "import"
# Scores that nobody is waiting for, and the reports beside them.
SCORE = "score"
# Extractions, exports, releases, and whatever takes long.
BULK = "bulk"
# The sweeper's own.
SWEEP = "sweep"

QUEUES = (LIVE, IMPORT, SCORE, BULK, SWEEP)
# What they are called on screen.
TITLES: dict[str, Promise] = {
    LIVE: _("Live"),
    IMPORT: pgettext_lazy("a queue", "Import"),
    SCORE: _("Scores"),
    BULK: _("Bulk"),
    SWEEP: _("Sweep"),
}

# Where the broker, or the cache in the same server, cannot be reached.
BROKER_ERRORS = (OSError, OperationalError, RedisError)


def waiting_in() -> dict[str, int]:
    """The number of messages that wait in each queue. Raises one of BROKER_ERRORS."""
    with current_app.connection_for_write() as broker:
        # Who asks is told at once, and asks again; Kombu would try for six seconds.
        broker.ensure_connection(max_retries=0)
        channel: Any = broker.default_channel
        return {name: channel.queue_declare(queue=name).message_count for name in QUEUES}
