"""Invariant 8: a claim on a row decides who works; every row gets one result."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotator.celery import import_tasks
from annotator.common import queues, work
from annotator.common.errors import OtherVersion
from annotator.common.machine import CpuLimitExceeded, cpu_limit, machine_lock
from annotator.common.progress import work_counts
from annotator.common.work_kinds import OVERLOADED
from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page
from annotator.pages.models import Page
from tests.annotator.annotations.waiting import at_once
from tests.processes import A_WHILE, wait_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def row(corpus: Corpus) -> Page:
    return add_page(corpus=corpus, raw=b"<p>text").page


def silence(row: Page) -> None:
    """Let the row's last heartbeat be too old."""
    long_ago = timezone.now() - work.STALE - timedelta(seconds=1)
    Page.objects.filter(pk=row.pk).update(heartbeat_at=long_ago)


def test_a_claimed_row_cannot_be_claimed(row: Page) -> None:
    assert work.claim(Page, row.pk)
    assert work.claim(Page, row.pk) is None


def test_a_command_waits_for_the_heartbeat_of_a_process_that_was_killed(
    row: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert work.claim(Page, row.pk)
    monkeypatch.setattr(time, "sleep", lambda _seconds: silence(row))
    assert work.claim_once_free(Page, row.pk)


def test_a_command_leaves_a_row_to_a_process_that_is_alive(
    row: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = work.claim(Page, row.pk)
    assert held
    monkeypatch.setattr(time, "sleep", lambda _seconds: work.send_heartbeat(held))
    assert work.claim_once_free(Page, row.pk) is None


def test_rows_are_claimed_together_and_done_one_after_the_other(
    corpus: Corpus, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(4):
        add_page(corpus=corpus, raw=b"<p>text %d" % number)
    pages = Page.objects.select_related("corpus").order_by("-pk")
    last, held, failing, first = pages
    assert work.claim(Page, held.pk)

    def act(row: Page) -> Corpus:
        if row == failing:
            raise ValueError("half a file")
        assert work.finish(row, title="done")
        return row.corpus

    # One claims them, one reads them, and one ends each.
    with django_assert_num_queries(2 + 3):
        done = work.attempt_each(pages.all(), act)
    assert done == [(last, corpus), (failing, None), (first, corpus)]
    assert [row.error for row in pages.all()] == ["", "", "ValueError: half a file", ""]
    assert [row.state for row in pages.all()] == ["done", "running", "failed", "done"]
    assert work.attempt_each(pages.all(), act) == []


def test_a_row_of_some_that_kills_its_workers_fails_alone(corpus: Corpus, row: Page) -> None:
    for _attempt in range(work.MAX_ATTEMPTS):
        assert work.claim(Page, row.pk)
        silence(row)
    other = add_page(corpus=corpus, raw=b"<p>other").page
    assert work.attempt_each(Page.objects.order_by("pk"), work.finish) == [(other, True)]
    assert "died 3 times" in Page.objects.get(pk=row.pk).error


def test_rows_of_a_worker_that_died_have_lost_one_attempt_each(corpus: Corpus, row: Page) -> None:
    other = add_page(corpus=corpus, raw=b"<p>other").page

    def die(_row: Page) -> None:
        raise SystemExit

    with pytest.raises(SystemExit):
        work.attempt_each(Page.objects.order_by("pk"), die)
    for each in (row, other):
        silence(each)
        assert work.claim(Page, each.pk).attempts == 2


def test_a_batch_that_takes_long_leaves_the_rest_to_the_sweeper(
    corpus: Corpus, row: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = add_page(corpus=corpus, raw=b"<p>other").page

    def take_long(row: Page) -> bool:
        monkeypatch.setattr(work, "BATCH_SECONDS", 0.0)
        return work.finish(row)

    assert work.attempt_each(Page.objects.order_by("pk"), take_long) == [(row, True)]
    other.refresh_from_db()
    assert (other.state, other.attempts) == ("waiting", 0)
    assert Page.objects.due(timezone.now() + work.UNCLAIMED).get() == other


def test_counted_is_what_is_open_or_failed_in_a_corpus_and_since_when_it_waits(corpus: Corpus) -> None:
    pages = [add_page(corpus=corpus, raw=b"<p>%d" % number).page for number in range(6)]
    done, failed, held, put_off, overloaded, waiting = pages
    work.finish(work.claim(Page, done.pk))
    work.fail(work.claim(Page, failed.pk), error="broken")
    work.claim(Page, held.pk)
    work.put_off(work.claim(Page, put_off.pk), OSError("no disk"))
    Page.objects.filter(pk=overloaded.pk).update(faults=OVERLOADED)
    add_page(corpus=create_corpus(slug="weeklies"), raw=b"<p>elsewhere")
    found = {each.state: (each.rows, each.oldest) for each in work_counts(corpus) if each.model is Page}
    none = (1, None)
    since = (2, waiting.requested_at)
    assert found == {"failed": none, "running": none, "overloaded": none, "waiting": since}
    assert sum(each.rows for each in work_counts() if each.model is Page) == 6


def test_nothing_is_counted_where_all_is_done(corpus: Corpus) -> None:
    page = add_page(corpus=corpus, raw=b"<p>done").page
    work.finish(work.claim(Page, page.pk))
    assert work_counts(corpus) == work_counts() == []
    elsewhere = create_corpus(slug="weeklies")
    add_page(corpus=elsewhere, raw=b"<p>elsewhere")
    assert work_counts(corpus) == []
    assert [(each.model, each.rows) for each in work_counts(elsewhere)] == [(Page, 1)]


def test_worker_that_lost_the_row_cannot_write(row: Page) -> None:
    slow = work.claim(Page, row.pk)
    silence(row)
    quick = work.claim(Page, row.pk)
    assert not work.finish(slow, title="slow")
    assert not work.send_heartbeat(slow)
    assert work.finish(quick, title="quick")
    assert Page.objects.get().title == "quick"


def test_a_finished_row_gets_no_second_result(row: Page) -> None:
    claimed = work.claim(Page, row.pk)
    work.finish(claimed, title="first")
    assert not work.finish(claimed, title="second")
    assert not work.fail(claimed, error="late")
    assert work.claim(Page, row.pk) is None
    assert Page.objects.get().title == "first"


def test_a_row_that_kills_its_workers_is_failed(row: Page) -> None:
    for _attempt in range(work.MAX_ATTEMPTS):
        assert work.claim(Page, row.pk)
        silence(row)
    assert work.claim(Page, row.pk) is None
    assert "died 3 times" in Page.objects.get().error
    assert Page.objects.failed().count() == 1


def test_only_what_waits_too_long_is_due(row: Page) -> None:
    row.refresh_from_db()
    now = row.enqueued_at
    assert not Page.objects.due(now).exists()
    assert Page.objects.due(now + work.UNCLAIMED + timedelta(seconds=1)).get() == row
    now = work.claim(Page, row.pk).heartbeat_at
    assert not Page.objects.due(now + work.STALE - timedelta(seconds=1)).exists()
    assert Page.objects.due(now + work.STALE + timedelta(seconds=1)).get() == row


@pytest.mark.django_db(transaction=True)
def test_of_twenty_claims_at_once_one_wins(row: Page) -> None:
    claims = at_once([lambda: work.claim(Page, row.pk)] * 20)
    assert sum(claimed is not None for claimed in claims) == 1


def test_a_worker_may_miss_three_heartbeats() -> None:
    """Otherwise two could hold one row."""
    assert work.STALE.total_seconds() >= 4 * work.HEARTBEAT


@pytest.mark.parametrize(
    ("message", "recorded"),
    [("half a file", "half a file"), ("no number: \0 4", "no number:  4"), ("half \ud800", "half \ufffd")],
)
def test_exception_is_recorded_as_the_failure(row: Page, message: str, recorded: str) -> None:
    def break_down(_row: Page) -> None:
        raise LookupError(message)

    assert work.attempt(work.claim(Page, row.pk), break_down) is None
    row.refresh_from_db()
    assert (row.state, row.error) == ("failed", f"LookupError: {recorded}")


def test_what_somebody_interrupts_can_be_claimed_at_once(row: Page) -> None:
    def interrupted(_row: Page) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work.attempt(work.claim(Page, row.pk), interrupted)
    again = work.claim(Page, row.pk)
    assert again
    assert again.attempts == 1


FAULTS = [
    OperationalError("server closed the connection"),
    FileNotFoundError("no file store"),
    TimeoutError("no answer after 300 s"),
    SoftTimeLimitExceeded(),
    OtherVersion("parser 4 was requested; this worker has 3"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
def test_fault_of_the_machine_is_never_a_failure(row: Page, fault: Exception) -> None:
    def stumble(_row: Page) -> None:
        raise fault

    for seconds in (5, 10, 20, 40, 80):
        before = timezone.now()
        assert work.attempt(work.claim(Page, row.pk), stumble) is None
        row.refresh_from_db()
        put_off_at = row.enqueued_at + work.UNCLAIMED - timedelta(seconds=seconds)
        assert before <= put_off_at <= timezone.now()
    assert (row.state, row.error, row.finished_at, row.attempts) == ("overloaded", "", None, 0)
    assert row.last_fault.startswith(type(fault).__name__)
    assert Page.objects.overloaded().get() == row
    assert work.attempt(work.claim(Page, row.pk), lambda claimed: work.finish(claimed, title="at last"))
    assert Page.objects.get().title == "at last"


def test_overloaded_row_can_be_retried_at_once(row: Page) -> None:
    Page.objects.update(faults=OVERLOADED, enqueued_at=timezone.now() + timedelta(hours=1))
    assert work.retry(row)
    row.refresh_from_db()
    assert (row.state, row.faults) == ("waiting", 0)
    assert not work.retry(row)


@pytest.fixture
def short_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Page, "kind", replace(Page.kind, cpu_seconds=1))


def test_cpu_time_is_limited(row: Page, short_limit: None) -> None:
    def spin(_row: Page) -> None:
        while True:
            pass

    assert work.attempt(work.claim(Page, row.pk), spin) is None
    row.refresh_from_db()
    assert (row.state, row.error) == ("failed", "took too long: more than 1 s of CPU time")


def test_waiting_is_not_limited(row: Page, short_limit: None) -> None:
    def wait(claimed: Page) -> bool:
        time.sleep(1.5)
        return work.finish(claimed, title="slow, not costly")

    assert work.attempt(work.claim(Page, row.pk), wait)


def test_limit_within_a_limit_pauses_it() -> None:
    def spin(seconds: float) -> None:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    with cpu_limit(2):
        with cpu_limit(4):
            spin(2.5)
        with pytest.raises(CpuLimitExceeded, match="2 s"):
            spin(2.5)


@pytest.mark.django_db(transaction=True)
def test_row_that_is_worked_on_for_long_has_heartbeats(row: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "HEARTBEAT", 0.05)

    def wait(claimed: Page) -> bool:
        wait_for(lambda: Page.objects.get().heartbeat_at > claimed.heartbeat_at, "a heartbeat")
        return work.finish(claimed)

    assert work.attempt(work.claim(Page, row.pk), wait)


@pytest.mark.django_db(transaction=True)
def test_rows_that_wait_for_their_turn_have_heartbeats(
    corpus: Corpus, row: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "HEARTBEAT", 0.05)
    others = Page.objects.exclude(pk=row.pk)
    add_page(corpus=corpus, raw=b"<p>other")

    def wait(claimed: Page) -> bool:
        first = others.get().heartbeat_at
        wait_for(lambda: others.get().heartbeat_at > first, "a heartbeat")
        return work.finish(claimed)

    def end(claimed: Page) -> bool:
        return wait(claimed) if claimed == row else work.finish(claimed)

    assert len(work.attempt_each(Page.objects.order_by("pk"), end)) == 2


def test_work_alone_waits_for_others_and_keeps_them_out() -> None:
    events: list[str] = []
    begun, may_end = threading.Event(), threading.Event()

    def first() -> None:
        with machine_lock(alone=False), machine_lock(alone=False):
            begun.set()
            may_end.wait(A_WHILE)
            events.append("beside others")

    def alone() -> None:
        with machine_lock(alone=True):
            events.append("alone")

    with ThreadPoolExecutor(2) as pool:
        before = pool.submit(first)
        assert begun.wait(A_WHILE)
        last = pool.submit(alone)
        time.sleep(0.2)
        assert events == []
        may_end.set()
        before.result(A_WHILE)
        last.result(A_WHILE)
    assert events == ["beside others", "alone"]


def test_every_kind_of_work_is_declared_in_full() -> None:
    """What a new kind needs: its model with its declaration, and its task."""
    import_tasks()
    models = list(work.work_models())
    assert len(models) > 10
    for model in models:
        kind = model.kind
        assert kind.task in current_app.tasks, kind.task
        assert kind.queue in queues.QUEUES
        lookups = [kind.corpus, kind.label or "pk", f"{kind.page}__title" if kind.page else "pk"]
        assert not model.objects.values_list(*lookups).exists()
        if kind.screen:
            assert reverse(kind.screen, args=["dailies"])
