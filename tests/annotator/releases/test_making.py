"""Building large releases: few queries, progress, stopping and resuming."""

import json
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.annotations.models import Round
from annotator.common import work
from annotator.common.errors import Conflict
from annotator.corpora.models import Corpus
from annotator.pages.actions import store_imported_gold
from annotator.pages.models import Page
from annotator.releases import actions, builder, differences
from annotator.releases.models import GoldCount, Release
from annotator.releases.takedown import take_down
from tests.annotator.releases.made import gold_on, release, story
from tests.factories import MakePage, annotate, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


@pytest.fixture
def annotated(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> list[Page]:
    """Gold pages on which two annotators disagree."""
    pages = [make_page() for _ in range(3)]
    for page in pages:
        mark = span_of(page, "Bridge opens", "headline")
        annotate(page, cast.ada, [mark])
        annotate(page, cast.ben)
        gold_on(page)
    Round.objects.update(finalised_at=pages[-1].gold.get().finalised_at)
    return pages


def claimed_release(corpus: Corpus) -> Release:
    claimed = work.claim(Release, actions.request_release(corpus=corpus).pk)
    assert claimed
    return claimed


def queries_of_next(corpus: Corpus) -> int:
    asked = claimed_release(corpus)
    with CaptureQueriesContext(
        connection,
    ) as found:
        assert actions.build_release(asked)
    return len(found)


def test_the_number_of_queries_does_not_depend_on_the_pages(corpus: Corpus, make_page: MakePage) -> None:
    few = [make_page(story(number), url=f"https://news{number}.example.com/") for number in range(2)]
    for page in few:
        gold_on(page)
    first = queries_of_next(corpus)
    for number in range(2, 8):
        gold_on(make_page(story(number), url=f"https://news{number}.example.com/"))
    assert queries_of_next(corpus) <= first + 1


def test_stored_counts_give_the_same_figures(corpus: Corpus, annotated: list[Page]) -> None:
    actions.count_missing(at_once=10)
    assert GoldCount.objects.exclude(agreement=None).count() == len(annotated)
    stored = json.loads(release(corpus).manifest)
    GoldCount.objects.all().delete()
    fresh = json.loads(release(corpus).manifest)
    assert stored["agreement"] == fresh["agreement"]
    assert stored["report"] == fresh["report"]
    assert stored["agreement"]["all"]["character"]["observed"]["value"] < 1


def test_counts_of_open_rounds_are_not_stored(corpus: Corpus, annotated: list[Page]) -> None:
    Round.objects.update(finalised_at=None)
    release(corpus)
    assert GoldCount.objects.exclude(agreement=None).count() == 0


def test_a_stopped_release_leaves_its_counts_and_its_number(
    corpus: Corpus, annotated: list[Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "BATCH_SIZE", 1)
    asked = claimed_release(corpus)

    def step(done: int) -> None:
        if done == 2:
            actions.stop_release(release=asked)

    assert not Release.objects.get(pk=asked.pk).finished_at
    actions.build_release(asked, step)
    asked.refresh_from_db()
    assert (asked.error, asked.sha256, asked.pages, asked.done) == ("stopped", "", 3, 2)
    assert GoldCount.objects.count() == 2
    made = release(corpus)
    assert (made.number, made.pages, GoldCount.objects.count()) == (1, 3, 3)
    with pytest.raises(Conflict):
        actions.stop_release(release=made)


def test_admins_can_stop_a_queued_release_at_once(
    corpus: Corpus, annotated: list[Page], client: Client, cast: SimpleNamespace
) -> None:
    asked = actions.request_release(corpus=corpus)
    client.force_login(cast.hanne)
    listed = client.get(reverse("releases", args=[corpus.slug])).content.decode()
    address = reverse("release-stop", args=[corpus.slug, asked.number])
    assert f'action="{address}"' in listed
    client.post(address)
    asked.refresh_from_db()
    assert asked.error == "stopped"
    assert work.claim(Release, asked.pk) is None


def test_a_running_release_is_stopped_once(
    corpus: Corpus, annotated: list[Page], client: Client, cast: SimpleNamespace
) -> None:
    """Until the worker has noticed, its line is watched and has no button any more."""
    running = claimed_release(corpus)
    client.force_login(cast.hanne)
    address = reverse("release-stop", args=[corpus.slug, running.number])
    client.post(address)
    line = client.get(reverse("release-state", args=[corpus.slug, running.number])).content.decode()
    assert "stopped" in line
    assert "data-watch" in line
    assert address not in line


def test_a_page_taken_down_meanwhile_is_left_out(
    corpus: Corpus, annotated: list[Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "BATCH_SIZE", 1)
    last = max(annotated, key=lambda page: page.sha256)

    def step(done: int) -> None:
        if done == 1:
            take_down(page=last, reason="Asked to.")

    asked = claimed_release(corpus)
    assert actions.build_release(asked, step)
    assert not asked.rows.filter(sha256=last.sha256).exists()
    assert asked.rows.count() == len(annotated) - 1


def test_two_releases_are_compared_without_reading_their_gold(
    corpus: Corpus, make_page: MakePage, annotated: list[Page]
) -> None:
    older = release(corpus)
    gold_on(make_page(story(1)))
    newer = release(corpus)
    with CaptureQueriesContext(connection) as found:
        between = differences.between(older, newer)
    assert len(found) == 2
    assert not [query for query in found if '"annotator_gold"' in query["sql"]]
    assert (len(between.added), between.same) == (1, len(annotated))


@pytest.mark.parametrize("how", ["annotated", "imported"])
def test_a_release_says_whose_gold_is_still_being_made(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, hanne: Client, how: str
) -> None:
    gold_on(make_page(story(1)))
    late = make_page(story(2))
    if how == "annotated":
        annotate(late, cast.ada)
        annotate(late, cast.ben)
    else:
        store_imported_gold(page=late, content={"verdict": "article", "labels": [], "text": ""}, source="x")
    listed = hanne.get(reverse("releases", args=[corpus.slug])).content.decode()
    assert "The gold of 1 page is being made now." in listed
    made = release(corpus)
    assert (made.pages, made.left_out) == (1, 1)
    shown = hanne.get(reverse("release", args=[corpus.slug, made.number])).content.decode()
    assert "1 page is not in it: its gold was being made" in " ".join(shown.split())
    gold_on(late)
    assert release(corpus).left_out == 0, "its earlier gold is in it"
