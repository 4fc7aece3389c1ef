"""Reads captured assets, in a child process of the worker that can be killed."""

import atexit
from collections.abc import Iterable
from functools import lru_cache

from celery import shared_task

from annotator import pipeline
from annotator.common import work
from annotator.fetching.client import Fetcher
from annotator.pages.assets import actions, fetching, queries
from annotator.pages.assets.models import AssetFetch, Look
from annotator.pages.models import StoredDocument
from extraction.asset_sandbox import AssetSandbox


@lru_cache(maxsize=1)
def sandbox() -> AssetSandbox:
    """The child process of this worker process, started for its first asset."""
    started = AssetSandbox()
    atexit.register(started.close)
    return started


@shared_task(**work.LIMITS)
def request_look(page_id: int) -> None:
    """A page's document was built: what waits for it, to be fetched or to be shown, is due."""
    pipeline.enqueue_first(AssetFetch.objects.open().filter(page=page_id))
    _request_looks(queries.without_look().filter(page=page_id))


@shared_task(**work.LIMITS)
def request_missing() -> None:
    """After a page was parsed again, or a message was lost."""
    _request_looks(queries.without_look()[: pipeline.MESSAGES_PER_SWEEP])


def _request_looks(documents: Iterable[StoredDocument]) -> None:
    for document in documents:
        if look := actions.request_look(document=document):
            pipeline.enqueue(look)


@shared_task(**work.LIMITS)
def build_look(look_id: int) -> None:
    work.run(Look, look_id, lambda look: actions.build_look(look, sandbox()))


@shared_task(**work.LIMITS)
def fetch_assets(fetch_id: int) -> None:
    row = work.claim(AssetFetch, fetch_id)
    if row is None:
        return
    # What has come so far is shown, even if more is asked for later.
    if work.attempt(row, _fetch) is not None and (look := fetching.look_to_make(row)):
        pipeline.enqueue(look)


def _fetch(row: AssetFetch) -> bool:
    # What an admin asked for as a part of a page that is here.
    return fetching.fetch_missing(row, sandbox(), Fetcher(obey_robots=False))
