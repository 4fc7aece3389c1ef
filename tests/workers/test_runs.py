"""Real workers: a run waits behind live work, and ends whole whatever is killed (invariant 8)."""

import os
import signal
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection

from annotator import pipeline
from annotator.common.queues import BULK, IMPORT, LIVE, SCORE, SWEEP
from annotator.corpora.models import Corpus
from annotator.gold.versions import add_gold
from annotator.pages.models import Page
from annotator.runs.actions import register
from annotator.runs.models import CorpusExtractor, Extraction, Run
from annotator.runs.running import start_run
from annotator.scoring.models import Score
from tests.factories import MakePage, span_of
from tests.processes import periodic, purge_queues, wait_for, worker
from tests.workers.slow import SLOW, Gate

pytestmark = pytest.mark.django_db(transaction=True)

APP = "tests.workers.slow_app"
PAGES = 24
BACKGROUND = (IMPORT, SCORE, BULK)


def finalise(page: Page, *, is_live: bool) -> None:
    """Gold, as an adjudicator's last key or an import makes it."""
    gold = add_gold(
        document=page.document,
        verdict="article",
        spans=[(*span_of(page, "Bridge opens", "headline"), "adjudicated")],
        source="adjudicated",
    )
    pipeline.gold_finalised(gold.pk, is_live=is_live)


def done(run: Run) -> int:
    return Extraction.objects.filter(extractor=run.extractor, finished_at__isnull=False).count()


def under_way(run: Run) -> int:
    open_ones = Extraction.objects.filter(extractor=run.extractor, finished_at=None)
    return open_ones.filter(heartbeat_at__isnull=False).count()


def scored() -> Counter[tuple[int, int]]:
    """How many results there are for each gold and extraction."""
    results = Score.objects.filter(error="", finished_at__isnull=False)
    return Counter(results.values_list("gold", "extraction"))


def test_a_run_delays_no_decision_and_ends_whole_whatever_is_killed(
    corpus: Corpus, make_page: MakePage, tmp_path: Path, gate: Gate
) -> None:
    gate.close(after=2)
    CorpusExtractor.objects.exclude(extractor__name="everything").delete()
    pages = [make_page(opened=False, extracted=True) for _ in range(PAGES)]
    with (
        periodic(tmp_path),
        worker(tmp_path, name="live", queues=(LIVE, SWEEP), concurrency=1, app=APP),
        worker(tmp_path, name="one", queues=BACKGROUND, concurrency=1, app=APP),
        worker(tmp_path, name="two", queues=BACKGROUND, concurrency=1, app=APP) as victim,
    ):
        run = start_run(corpus=corpus, extractor=register(SLOW.name))
        pipeline.run_requested(run)
        held = 2 * pipeline.ROWS_A_MESSAGE - 2
        wait_for(lambda: (done(run), under_way(run)) == (2, held), "both workers at the run")
        finalise(pages[-1], is_live=True)
        wait_for(lambda: len(scored()) > 0, "the score, before the run goes on")
        for page in pages[:5]:
            finalise(page, is_live=False)
        os.killpg(victim.pid, signal.SIGKILL)
        purge_queues()
        disconnect_all()
        gate.open()
        wait_for(lambda: Run.objects.get(pk=run.pk).completed_at is not None, "the end of the run")
        wait_for(lambda: len(scored()) == 2 * 6, "the scores, those of the other extractor too")
    run.refresh_from_db()
    assert (run.pages, run.done, run.failed) == (PAGES, PAGES, 0)
    results = Counter(Extraction.objects.values_list("document__page", "extractor"))
    assert (len(results), set(results.values())) == (2 * PAGES, {1})
    assert (len(scored()), set(scored().values())) == (2 * 6, {1})
    assert CorpusExtractor.objects.filter(extractor=run.extractor, ended_at=None).exists()


def disconnect_all() -> None:
    """End every other connection to the database, as its restart does."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )
