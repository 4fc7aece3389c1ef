"""The Celery app. Messages are JSON hints: the rows in the database decide who works (law 8)."""

import os
from contextlib import suppress
from pathlib import Path

from celery import Celery
from celery.signals import celeryd_init, heartbeat_sent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")

# The niceness of workers: where all processors are busy with requests they get a thirtieth of them.
BEHIND = 15

app = Celery("annotator")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    lambda: [
        f"annotator.{folder}"
        for folder in (
            "common",
            "pages",
            "runs",
            "annotations",
            "agreement",
            "gold",
            "renewal",
            "control",
            "bias",
            "releases",
            "scoring",
            "reparsing",
            "exports",
        )
    ]
)


@celeryd_init.connect
def _after_people(**_: object) -> None:
    """Whoever waits for a page comes before what is worked out behind it: its processes inherit this."""
    os.nice(BEHIND)
    # Where Linux shares the processor among sessions first, a session has a niceness of its own.
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(BEHIND), encoding="ascii")


@heartbeat_sent.connect
def _note_worker(sender: object, **_: object) -> None:
    """Let the health page say when each worker was last seen."""
    from annotator.common.health import note_worker

    note_worker(str(getattr(getattr(sender, "eventer", sender), "hostname", "worker")))
