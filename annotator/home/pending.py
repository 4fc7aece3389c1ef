"""Do the outstanding work of a corpus here and now, without a broker.

A row that a worker holds is left to it, and waited for. One that was put off is waited for, too, until it is
overloaded: that may last.
"""

import time
from collections.abc import Callable

from celery import current_app
from django.utils import timezone

from annotator.celery import import_tasks
from annotator.common.work import Work, sweep_tasks, work_models
from annotator.common.work_kinds import OVERLOADED
from annotator.corpora.models import Corpus
from annotator.runs.models import Run
from annotator.runs.tasks import take_step

# Seconds until a row that a worker holds is looked at again.
POLL_SECONDS = 0.2


def run_pending(corpus: Corpus, *, progress: Callable[[], object] = lambda: None) -> int:
    """Do everything that is missing in the corpus; return how many pieces of work have failed in it, ever.

    Runs of extractors are completed. What else a person asks for, such as an export, is left to the workers,
    and so is what is `overloaded`. `progress` is called after each piece.
    """
    import_tasks()
    models = [model for model in work_models() if not model.kind.is_requested]
    while True:
        for name in sweep_tasks():
            current_app.tasks[name]()
        runs = _step_runs(corpus)
        done = sum(_run(model, corpus, progress) for model in models)
        left = [model.objects.of_corpus(corpus).open() for model in models]
        waits = any(rows.filter(faults__lt=OVERLOADED).exists() for rows in left)
        if not (done or waits or (runs and not overloaded(corpus))):
            return sum(model.objects.of_corpus(corpus).failed().count() for model in models)
        if not done:
            time.sleep(POLL_SECONDS)


def overloaded(corpus: Corpus) -> list[Work]:
    """What was put off so often that it is left to the workers, which try it once in a while."""
    models = (model for model in work_models() if not model.kind.is_requested)
    return [row for model in models for row in model.objects.of_corpus(corpus).overloaded()]


def _step_runs(corpus: Corpus) -> int:
    """Let each run that is under way ask for its next extractions, or complete it; return how many go on."""
    under_way = Run.objects.of_corpus(corpus).open()
    for pk in under_way.values_list("pk", flat=True):
        take_step(pk)
    return under_way.all().count()


def _run(model: type[Work], corpus: Corpus, progress: Callable[[], object]) -> int:
    task = current_app.tasks[model.kind.task]
    ready = model.objects.of_corpus(corpus).ready(timezone.now())
    keys = list(ready.values_list("pk", flat=True))
    for pk in keys:
        task(pk)
        progress()
    return len(keys)
