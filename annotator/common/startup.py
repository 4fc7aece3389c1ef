"""Checks before anything starts."""

from django.core.exceptions import ImproperlyConfigured

from annotator.common.work import HEARTBEAT, STALE


def check_limits() -> None:
    """Raises ImproperlyConfigured unless a worker may miss three heartbeats: two could hold one row."""
    if STALE.total_seconds() < 4 * HEARTBEAT:
        raise ImproperlyConfigured(
            "A row is stale after four heartbeats at the earliest; see annotator/common/work.py."
        )
