"""The Celery app. Messages are JSON and only say that a row waits (invariant 8)."""

import gc
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from celery import Celery, Task
from celery.signals import (
    celeryd_init,
    heartbeat_sent,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_process_init,
)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")

# The niceness of workers but the one for `live`, named live@HOST: where requests and what a person has just
# set off keep all processors busy, the others get a tenth of them.
NICENESS = 10

ROOT = Path(__file__).resolve().parent


def packages_with_tasks() -> list[str]:
    """The packages of the app that have a module `tasks`."""
    folders = sorted(path.parent.relative_to(ROOT) for path in ROOT.glob("**/tasks.py"))
    return [".".join(("annotator", *folder.parts)) for folder in folders]


app = Celery("annotator")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(packages_with_tasks)


def import_tasks() -> None:
    """Let a process that is no worker know all tasks.

    As a worker does it (`import_default_modules`), Django is set up again, which replaces the log's handlers.
    """
    app.autodiscover_tasks(packages_with_tasks(), force=True)


@celeryd_init.connect
def _lower_priority(sender: str, **_: object) -> None:
    """Requests come before background work. The worker's processes inherit its niceness."""
    if sender.startswith("live@"):
        return
    os.nice(NICENESS)
    # Where Linux shares the processors among sessions first, a session has a niceness of its own.
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS), encoding="ascii")


@worker_process_init.connect
def _leave_out_what_stays(**_: object) -> None:
    """Modules and models are never garbage: let no collection look through them again."""
    gc.freeze()


@heartbeat_sent.connect
def _note_worker(sender: object, **_: object) -> None:
    """Let the health page say when each worker was last seen."""
    from annotator.common.health import note_worker

    name = str(getattr(getattr(sender, "eventer", sender), "hostname", "worker"))
    note_worker(name, app.amqp.queues.consume_from)


@task_prerun.connect
@task_postrun.connect
def _keep_sound_connections(task: "Task[Any, Any]", **_: object) -> None:
    """Keep the connection to the database from task to task, by the rules of `settings.DATABASES`.

    As between requests: one that is old or lost is replaced. Celery would make one for each task.
    """
    from django.db import close_old_connections, connections

    if task.request.is_eager:
        return
    for connection in connections.all(initialized_only=True):
        if connection.in_atomic_block:
            # A limit that ends a task just as a transaction ends would leave the next tasks inside it.
            connection.close()
            del connections[connection.alias]
    close_old_connections()


@setup_logging.connect
def _leave_logging_to_django(**_: object) -> None:
    """Where this signal has a receiver, Celery configures no logging of its own."""


@task_prerun.connect
def _follow_request(task: "Task[Any, Any]", **_: object) -> None:
    """Log under the id of the request that led to this task; what the sweeper sends has an id of its own."""
    from annotator.common import logs

    logs.begin_task((task.request.headers or {}).get("request_id"))


@task_postrun.connect
def _note_task(task: "Task[Any, Any]", args: list[object], state: str, **_: object) -> None:
    from annotator.common import logs

    logs.end_task(task.name, args, state)
