"""The Celery app. Messages are JSON and only say that a row waits (invariant 8)."""

import os
from contextlib import suppress
from pathlib import Path

from celery import Celery
from celery.signals import celeryd_init, heartbeat_sent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")

# The niceness of workers but the one for `live`, named live@HOST: where requests and what a person has just
# set off keep all processors busy, the others get a thirtieth of them.
NICENESS = 15

ROOT = Path(__file__).resolve().parent


def packages_with_tasks() -> list[str]:
    """The packages of the app that have a module `tasks`."""
    folders = sorted(path.parent.relative_to(ROOT) for path in ROOT.glob("**/tasks.py"))
    return [".".join(("annotator", *folder.parts)) for folder in folders]


app = Celery("annotator")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(packages_with_tasks)


@celeryd_init.connect
def _lower_priority(sender: str, **_: object) -> None:
    """Requests come before background work. The worker's processes inherit its niceness."""
    if sender.startswith("live@"):
        return
    os.nice(NICENESS)
    # Where Linux shares the processors among sessions first, a session has a niceness of its own.
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS), encoding="ascii")


@heartbeat_sent.connect
def _note_worker(sender: object, **_: object) -> None:
    """Let the health page say when each worker was last seen."""
    from annotator.common.health import note_worker

    note_worker(str(getattr(getattr(sender, "eventer", sender), "hostname", "worker")))
