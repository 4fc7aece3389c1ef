"""Law 8: a claim on a row decides who works; every row gets one result."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection
from django.utils import timezone

from annotator.common import startup, work
from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page
from annotator.pages.models import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def row(corpus: Corpus) -> Page:
    return add_page(corpus=corpus, raw=b"<p>text").page


def silence(row: Page) -> None:
    """Its worker has not been heard of for too long."""
    long_ago = timezone.now() - work.STALE - timedelta(seconds=1)
    Page.objects.filter(pk=row.pk).update(heartbeat_at=long_ago)


def test_a_claimed_row_cannot_be_claimed(row: Page) -> None:
    assert work.claim(Page, row.pk)
    assert work.claim(Page, row.pk) is None


def test_a_silent_workers_row_is_claimed_again(row: Page) -> None:
    work.claim(Page, row.pk)
    silence(row)
    assert work.claim(Page, row.pk).attempts == 2


def test_a_worker_that_was_given_up_cannot_write(row: Page) -> None:
    slow = work.claim(Page, row.pk)
    silence(row)
    quick = work.claim(Page, row.pk)
    assert not work.finish(slow, title="slow")
    assert not work.beat(slow)
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
    now = timezone.now()
    assert not Page.objects.due(now).exists()
    assert Page.objects.due(now + work.UNCLAIMED + timedelta(seconds=1)).get() == row
    work.claim(Page, row.pk)
    assert not Page.objects.due(now + work.UNCLAIMED + timedelta(seconds=1)).exists()
    assert Page.objects.due(now + work.STALE + timedelta(seconds=1)).get() == row


@pytest.mark.django_db(transaction=True)
def test_of_twenty_claims_at_once_one_wins(row: Page) -> None:
    def claim(_number: int) -> bool:
        try:
            return work.claim(Page, row.pk) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(claim, range(20))) == 1


def test_limits_that_would_let_two_hold_one_row_stop_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    startup.check_limits()
    monkeypatch.setitem(work.LIMITS, "time_limit", work.STALE.total_seconds())
    with pytest.raises(ImproperlyConfigured, match="soft < hard < stale"):
        startup.check_limits()


def test_what_the_work_raises_is_its_recorded_failure(row: Page) -> None:
    def break_down(_row: Page) -> None:
        raise ValueError("half a file")

    assert work.attempt(work.claim(Page, row.pk), break_down) is None
    row.refresh_from_db()
    assert (row.state, row.error) == ("failed", "ValueError: half a file")


def test_a_database_that_is_away_is_not_the_works_failure(row: Page) -> None:
    def lose_connection(_row: Page) -> None:
        raise OperationalError("server closed the connection")

    with pytest.raises(OperationalError):
        work.attempt(work.claim(Page, row.pk), lose_connection)
    row.refresh_from_db()
    assert row.state == "running"
