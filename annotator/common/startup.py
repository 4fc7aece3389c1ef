"""What must hold before anything starts."""

from django.core.exceptions import ImproperlyConfigured

from annotator.common.work import LIMITS, STALE


def check_limits() -> None:
    """Soft limit < hard limit < the time after which a silent worker's row is given to another.

    Raises ImproperlyConfigured otherwise: two workers could then hold one row.
    """
    if not LIMITS["soft_time_limit"] < LIMITS["time_limit"] < STALE.total_seconds():
        raise ImproperlyConfigured(
            "Work limits must satisfy soft < hard < stale; see annotator/common/work.py."
        )
