"""Counts over all pages: exact where there are few, the last ones and a worker where there are many."""

import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.utils import timezone

from annotator import pipeline
from annotator.common.queues import IMPORT, TITLES
from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.home import counts, home_counts, tasks
from annotator.home.roles import admin
from annotator.pages.actions import add_page
from annotator.releases import queries as releasing
from tests.annotator.releases.made import release
from tests.annotator.scored import compare_annotations, make_gold
from tests.factories import MakePage, annotate, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The corpora that a worker was asked to count."""
    found: list[int] = []
    monkeypatch.setattr(pipeline, "pages_to_be_counted", found.append)
    cache.clear()
    return found


def test_few_pages_are_counted_each_time(corpus: Corpus, make_page: MakePage, asked: list[int]) -> None:
    make_page(url="https://one.example/")
    make_gold(make_page(url="https://two.example/"))
    found = counts.counts_of(corpus)
    assert (found.pages, found.gold, found.sites) == (2, 1, 2)
    make_page()
    assert counts.counts_of(corpus).pages == 3
    assert asked == []


def test_many_pages_are_counted_again_by_a_worker_that_is_asked_once(
    corpus: Corpus, make_page: MakePage, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "LARGE", 0)
    began = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: began)
    make_page()
    assert counts.counts_of(corpus).pages == 1
    make_page()
    assert counts.counts_of(corpus).pages == 1
    assert asked == []
    later = began + timedelta(minutes=1)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert [counts.counts_of(corpus).pages for _ in range(3)] == [1, 1, 1]
    assert asked == [corpus.pk]
    slow = counts.counts_of(corpus)._replace(seconds=60.0)
    assert not slow.is_old, "what takes a minute to count is not counted every ten seconds"
    tasks.count_pages(corpus.pk)
    assert counts.counts_of(corpus).pages == 2
    assert asked == [corpus.pk]


def test_what_home_counts_beside_is_kept_with_the_pages_of_a_large_corpus(
    corpus: Corpus,
    cast: SimpleNamespace,
    make_page: MakePage,
    asked: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_page()
    few = counts.counts_of(corpus)
    assert (few.admin, few.hot_spots, few.gold_since) == (None, None, None), "counted when somebody asks"
    monkeypatch.setattr(counts, "LARGE", 0)
    monkeypatch.setattr(counts, "FRESH", 3600)
    counts.recount(corpus)
    for _ in range(2):
        kept = counts.counts_of(corpus)
        assert kept.admin == home_counts.for_admin(corpus)
        assert kept.hot_spots == home_counts.hot_spots(corpus)
        disputed = make_page(url="https://one.example/")
        annotate(disputed, cast.ada, [span_of(disputed, "Bridge opens", "headline")])
        annotate(disputed, cast.ben)
        compare_annotations(disputed)
        make_gold(make_page())
        assert counts.counts_of(corpus).admin != home_counts.for_admin(corpus), "the last ones are shown"
        made = release(corpus)
        make_gold(make_page())
        tasks.count_pages(corpus.pk)
        assert counts.gold_since(made, counts.counts_of(corpus)) == releasing.gold_since(made) == 1
    assert counts.counts_of(corpus).hot_spots == home_counts.hot_spots(corpus) != []
    assert counts.kept_counts([corpus]) == {corpus.pk: counts.counts_of(corpus)}
    assert asked == []


def imports_waiting(corpus: Corpus) -> int:
    """As home says it."""
    queues = admin.summary_of(corpus, counts.counts_of(corpus)).queues
    return next(queue.waiting for queue in queues if queue.title == TITLES[IMPORT])


def test_the_work_of_a_large_corpus_is_shown_as_it_was_at_most_five_seconds_ago(
    corpus: Corpus, make_page: MakePage, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_page()
    for number in (1, 2):
        add_page(corpus=corpus, raw=b"<p>%d" % number)
        assert imports_waiting(corpus) == number, "of a small one as it is"
    monkeypatch.setattr(counts, "LARGE", 0)
    counts.recount(corpus)
    began = time.time()
    monkeypatch.setattr(time, "time", lambda: began)
    assert imports_waiting(corpus) == 2
    add_page(corpus=corpus, raw=b"<p>3")
    monkeypatch.setattr(time, "time", lambda: began + 4.9)
    assert imports_waiting(corpus) == 2, "the last ones are shown"
    monkeypatch.setattr(time, "time", lambda: began + 5)
    assert imports_waiting(corpus) == 3


def test_each_large_corpus_has_work_of_its_own(
    corpus: Corpus, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "LARGE", 0)
    other = create_corpus(slug="weeklies")
    for each, number in ((corpus, 1), (other, 2)):
        for raw in range(number):
            add_page(corpus=each, raw=b"<p>%d" % raw)
    assert (imports_waiting(corpus), imports_waiting(other)) == (1, 2)
