"""Real workers: the pipeline runs by itself, and survives `kill -9` (invariant 8)."""

import os
import signal
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from annotator import pipeline
from annotator.common.work import UNCLAIMED
from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page
from annotator.pages.models import Page
from annotator.runs.actions import enable
from annotator.runs.models import Extraction
from tests.factories import ARTICLE
from tests.processes import periodic, purge_queues, wait_for, worker
from tests.workers.slow import SLOW, Gate

APP = "tests.workers.slow_app"
OTHERS = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
IDLE_CONNECTIONS = f"select count(*) {OTHERS} and state = 'idle' and state_change < now() - interval '2 s'"
# As a restart of the database would.
END_CONNECTIONS = f"select count(pg_terminate_backend(pid)) {OTHERS}"

pytestmark = pytest.mark.django_db(transaction=True)


def add_pages(corpus: Corpus, count: int) -> list[Page]:
    pages = [
        add_page(
            corpus=corpus, raw=ARTICLE.format(number=number).encode(), url=f"https://site{number}.example/"
        )
        for number in range(count)
    ]
    for added in pages:
        pipeline.enqueue(added.page)
    return [added.page for added in pages]


def test_pages_are_worked_out_over_a_connection_that_is_kept_until_it_is_lost(
    corpus: Corpus, tmp_path: Path
) -> None:
    """They become documents, rounds and extractions."""
    with worker(tmp_path):
        add_pages(corpus, 2)
        wait_for(lambda: _extracted(corpus, 2), "all extractions")
        wait_for(lambda: ask(IDLE_CONNECTIONS) > 0, "a worker that does nothing and is connected")
        ask(END_CONNECTIONS)
        pages = add_pages(corpus, 4)
        wait_for(lambda: _extracted(corpus, 4), "all extractions, over new connections")
        wait_for(lambda: all(page.rounds.count() == 1 for page in pages), "all rounds")
    assert not Extraction.objects.failed().exists()
    assert not Page.objects.exclude(faults=0, attempts=1).exists()


def _extracted(corpus: Corpus, pages: int) -> bool:
    return Extraction.objects.exclude(finished_at=None).count() == pages * corpus.enabled.count()


def ask(question: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(question)
        return int(cursor.fetchone()[0])


def test_a_lost_message_is_found_again_by_the_sweeper(corpus: Corpus, tmp_path: Path) -> None:
    """The broker forgets everything; the rows do not."""
    add_pages(corpus, 3)
    purge_queues()
    Page.objects.update(enqueued_at=timezone.now() - 2 * UNCLAIMED)
    with worker(tmp_path), periodic(tmp_path):
        wait_for(lambda: not Page.objects.open().exists(), "all documents")
        wait_for(lambda: Extraction.objects.count() == 3 * corpus.enabled.count(), "all extractions")


def test_killing_a_worker_loses_and_doubles_nothing(corpus: Corpus, tmp_path: Path, gate: Gate) -> None:
    """`kill -9` of a worker and its children in the middle of 200 jobs: each ends with exactly one result."""
    enable(corpus=corpus, name=SLOW.name)
    count = 200 // (1 + corpus.enabled.count())
    gate.close(after=count // 2)
    with (
        periodic(tmp_path),
        worker(tmp_path, name="one", app=APP),
        worker(tmp_path, name="two", app=APP) as victim,
    ):
        pages = add_pages(corpus, count)
        jobs = len(pages) * (1 + corpus.enabled.count())
        wait_for(lambda: _finished() > jobs // 4, "a quarter of the jobs")
        wait_for(lambda: _under_way() == 4, "both processes of both workers in the middle of a job")
        os.killpg(victim.pid, signal.SIGKILL)
        gate.open()
        wait_for(lambda: _finished() == jobs, "every job")
    results = Counter(Extraction.objects.values_list("document__page", "extractor"))
    assert len(results) == len(pages) * corpus.enabled.count()
    assert set(results.values()) == {1}
    assert {page.documents.count() for page in pages} == {1}
    assert not Extraction.objects.failed().exists()


def _under_way() -> int:
    return Extraction.objects.filter(finished_at=None, heartbeat_at__isnull=False).count()


def _finished() -> int:
    return sum(kind.objects.exclude(finished_at=None).count() for kind in (Page, Extraction))
