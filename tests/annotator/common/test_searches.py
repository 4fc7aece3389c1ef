"""What a search for missing work looks at, and that no such work locks a corpus."""

import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotator.annotations import actions, tasks
from annotator.annotations.queries import pages_without_round
from annotator.common import work
from annotator.common.searches import OVERLAP, SEARCH_ALL_AFTER, Search, each_by_itself, search
from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page, build_document
from annotator.pages.models import Page
from annotator.runs.actions import enable
from annotator.runs.queries import documents_without_extraction
from extraction.sandbox import Parser
from tests.annotator.scored import give_gold
from tests.factories import MakePage

LONG_AGO = timezone.now() - timedelta(days=3)


def searched(find: Callable[[datetime | None], "QuerySet[Any]"], at_once: int = 10) -> list[object]:
    return list(search(find, at_once=at_once))


@pytest.mark.django_db
def test_a_search_looks_at_what_is_new_and_every_hour_at_all(make_page: MakePage) -> None:
    old, new = make_page(opened=False), make_page(opened=False)
    Page.objects.filter(pk=old.pk).update(finished_at=LONG_AGO)
    assert searched(pages_without_round) == [old, new]
    assert searched(pages_without_round) == [new]
    Page.objects.filter(pk=new.pk).update(finished_at=timezone.now() - OVERLAP / 2)
    assert searched(pages_without_round) == [new], "it may have been committed late"
    Search.objects.update(searched_all_at=timezone.now() - SEARCH_ALL_AFTER)
    assert searched(pages_without_round) == [old, new]


@pytest.mark.django_db
def test_an_unfinished_search_goes_on(make_page: MakePage) -> None:
    page = make_page(opened=False)
    Page.objects.update(finished_at=LONG_AGO)
    assert searched(pages_without_round, at_once=1) == [page]
    assert searched(pages_without_round) == [page], "there may be more than one"
    assert searched(pages_without_round) == []


@pytest.mark.django_db
def test_a_row_that_raises_keeps_none_of_the_others_back(
    corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, whole = make_page(opened=False), make_page(opened=False)

    open_round = actions.open_round

    def open_some(*, page: Page) -> None:
        if page == broken:
            raise ValueError("no design")
        open_round(page=page)

    monkeypatch.setattr(actions, "open_round", open_some)
    tasks.open_missing_rounds()
    assert (broken.rounds.count(), whole.rounds.count()) == (0, 1)
    assert f"failed for {broken}" in caplog.text
    monkeypatch.undo()
    tasks.open_missing_rounds()
    assert broken.rounds.count() == 1


@pytest.mark.parametrize("error", [SoftTimeLimitExceeded(), OperationalError("lost")])
def test_the_time_limit_and_a_lost_database_end_a_search(error: Exception) -> None:
    seen = []

    def act(value: int) -> None:
        seen.append(value)
        raise error

    with pytest.raises(type(error)):
        each_by_itself(act, [1, 2])
    assert seen == [1]


@pytest.mark.django_db
def test_old_pages_get_an_extractor_that_is_enabled_now(corpus: Corpus, make_page: MakePage) -> None:
    document = make_page(extracted=True).document
    type(document).objects.update(made_at=LONG_AGO)
    corpus.enabled.update(since=LONG_AGO)
    assert searched(documents_without_extraction) == []
    enable(corpus=corpus, name="bte")
    assert searched(documents_without_extraction) == [document]


@pytest.fixture
def corpus_is_locked(corpus: Corpus) -> Iterator[Callable[[], None]]:
    """Call it to have another transaction lock the corpus, as opening a round does."""
    locked, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
                locked.set()
                may_end.wait()
        finally:
            connection.close()

    thread = threading.Thread(target=hold)

    def lock() -> None:
        thread.start()
        locked.wait()
        with connection.cursor() as cursor:
            cursor.execute("set lock_timeout = '2s'")

    yield lock
    may_end.set()
    thread.join()
    with connection.cursor() as cursor:
        cursor.execute("set lock_timeout = 0")


@pytest.mark.django_db(transaction=True)
def test_no_background_work_waits_for_the_corpus(
    corpus: Corpus, make_page: MakePage, parser: Parser, corpus_is_locked: Callable[[], None]
) -> None:
    """Waiting for it while holding a page is how importing gold and opening rounds deadlocked."""
    page = make_page(extracted=True)
    added = add_page(corpus=corpus, raw=b"<p>A page that is to be kept, of some words.</p>").page
    claimed = work.claim(Page, added.pk)
    corpus_is_locked()
    assert build_document(claimed, parser)
    gold = give_gold(page)
    assert gold.scores.exclude(matrix={}).exists()
