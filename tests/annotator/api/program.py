"""Runs programs against the API in this process; while one sleeps, workers do what waits."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import httpx
from celery import current_app
from django.test import Client as TestClient
from django.utils import timezone

from annotator.celery import import_tasks
from annotator.common.work import work_models
from annotator.corpora.models import Corpus
from annotator.home.pending import run_pending

_sleep = time.sleep


class Client(httpx.Client):
    """A client of this process."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, transport=httpx.MockTransport(_answer))


@contextmanager
def connected(*, asleep: Callable[[], object] = lambda: None) -> Iterator[None]:
    """httpx sends to this Goldpan; when the program sleeps, what waits is done, and `asleep` called after."""
    is_working = False

    def sleep(seconds: float) -> None:
        nonlocal is_working
        if is_working:
            return _sleep(seconds)
        is_working = True
        run_pending_work()
        asleep()
        is_working = False
        return None

    with mock.patch("httpx.Client", Client), mock.patch("time.sleep", sleep):
        yield


def _answer(request: httpx.Request) -> httpx.Response:
    headers = {name: value for name, value in request.headers.items() if name in ("authorization", "accept")}
    found = TestClient().generic(
        request.method,
        request.url.raw_path.decode(),
        request.read(),
        content_type=request.headers.get("content-type", ""),
        headers=headers,
    )
    content = b"".join(found) if found.streaming else found.content
    return httpx.Response(found.status_code, headers=dict(found.headers), content=content)


def run_pending_work() -> None:
    """Do all that waits, what people have asked for too."""
    import_tasks()
    for model in work_models():
        if model.kind.is_requested:
            for pk in model.objects.claimable(timezone.now()).values_list("pk", flat=True):
                current_app.tasks[model.kind.task](pk)
    for corpus in Corpus.objects.filter(deleted_at=None):
        run_pending(corpus)
