"""Workers whose processes begin late, as they do on a busy machine: `celery -A tests.slow_start worker`."""

import time

from celery.signals import worker_process_init

from annotator.celery import app

__all__ = ["app"]

# Seconds; Celery itself waits for 4.
LATE = 6


@worker_process_init.connect
def _begin_late(**_: object) -> None:
    time.sleep(LATE)
