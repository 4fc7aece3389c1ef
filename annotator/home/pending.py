"""Do the outstanding work of a corpus here and now, without a broker.

A row that a worker holds is left to it, and waited for.
"""

import time
from collections.abc import Callable, Iterable

from celery import current_app
from django.utils import timezone

from annotator.common.work import Work, sweep_tasks, work_models
from annotator.corpora.models import Corpus

# Seconds until a row that a worker holds is looked at again.
POLL_SECONDS = 0.2


def run_pending(corpus: Corpus, *, progress: Callable[[], object] = lambda: None) -> int:
    """Do everything that is missing in the corpus; return how many pieces of work have failed in it, ever.

    What a person asks for, such as an export, is left to the workers. `progress` is called after each piece.
    """
    current_app.loader.import_default_modules()
    models = [model for model in work_models() if not model.kind.is_requested]
    while True:
        for name in sweep_tasks():
            current_app.tasks[name]()
        done = sum(_run(model, corpus, progress) for model in models)
        if not done and not any(model.objects.of_corpus(corpus).open().exists() for model in models):
            return _failures(models, corpus)
        if not done:
            time.sleep(POLL_SECONDS)


def _run(model: type[Work], corpus: Corpus, progress: Callable[[], object]) -> int:
    task = current_app.tasks[model.kind.task]
    claimable = model.objects.of_corpus(corpus).claimable(timezone.now())
    keys = list(claimable.values_list("pk", flat=True))
    for pk in keys:
        task(pk)
        progress()
    return len(keys)


def _failures(models: Iterable[type[Work]], corpus: Corpus) -> int:
    return sum(model.objects.of_corpus(corpus).failed().count() for model in models)
