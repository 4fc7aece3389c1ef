"""Leaderboards are computed once for each state of the scores; large ones by a worker."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.corpora.models import Corpus
from annotator.scoring.leaderboard import actions, boards, queries
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.ranking import BLIND, MICRO
from annotator.scoring.models import StoredLeaderboard
from annotator.scoring.tasks import compute_leaderboard
from extraction.spans import LABEL_SETS
from tests.annotator.scored import give_gold
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]

FILTERS = LeaderboardFilters(labels="body", gold=BLIND, mean=MICRO, metric="words")


@pytest.fixture
def by_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "AT_ONCE", -1)


def request(corpus: Corpus, filters: LeaderboardFilters = FILTERS) -> tuple[StoredLeaderboard, bool]:
    return actions.request_leaderboard(corpus=corpus, filters=filters)


def screen(client: Client, corpus: Corpus, name: str = "leaderboard") -> str:
    return client.get(reverse(name, args=[corpus.slug])).content.decode()


def test_stored_leaderboard_is_equal_to_the_computed_one(corpus: Corpus, make_page: MakePage) -> None:
    for _ in range(6):  # enough for a chart
        give_gold(make_page())
    stored, is_asked = request(corpus)
    board = boards.board(corpus, labels="body", gold=BLIND, mean=MICRO, metric="words")
    assert not is_asked
    assert board.by_size
    assert actions.leaderboard_of(StoredLeaderboard.objects.get(pk=stored.pk)) == board


def test_a_single_label_is_chosen_only_for_the_metric_that_has_it(
    corpus: Corpus, make_page: MakePage
) -> None:
    give_gold(make_page())
    single = next(name for name in queries.label_choices(corpus) if name not in LABEL_SETS)
    for metric, shown in (("character", single), ("words", None)):
        found = actions.known_filters(corpus, LeaderboardFilters(labels=single, metric=metric))
        assert found.labels == shown


def test_small_leaderboard_is_computed_once_for_each_state(corpus: Corpus, make_page: MakePage) -> None:
    give_gold(make_page())
    with CaptureQueriesContext(connection) as first:
        assert actions.leaderboard_of(request(corpus)[0]).pages == 1
    with CaptureQueriesContext(connection) as again:
        assert actions.leaderboard_of(request(corpus)[0]).pages == 1
    assert len(again) < len(first)
    give_gold(make_page())
    assert actions.leaderboard_of(request(corpus)[0]).pages == 2


@pytest.mark.usefixtures("by_worker")
def test_large_leaderboard_is_computed_by_a_worker(corpus: Corpus, rhea: Client, make_page: MakePage) -> None:
    give_gold(make_page())
    assert "is being computed" in screen(rhea, corpus)
    refused = rhea.get(reverse("leaderboard-csv", args=[corpus.slug]))
    assert refused.status_code == 404
    assert "is being computed" in refused.content.decode()
    stored = StoredLeaderboard.objects.get()
    compute_leaderboard(stored.pk)
    shown = screen(rhea, corpus)
    assert "is being computed" not in shown
    assert "boilerpipe-article" in shown


@pytest.mark.usefixtures("by_worker")
def test_earlier_leaderboard_is_shown_until_the_newer_one_is_computed(
    corpus: Corpus, rhea: Client, make_page: MakePage
) -> None:
    address = reverse("leaderboard-version", args=[corpus.slug])
    give_gold(make_page())
    compute_leaderboard(request(corpus, LeaderboardFilters())[0].pk)
    seen = rhea.get(address).json()["version"]
    give_gold(make_page())
    assert rhea.get(address).json()["version"] == seen
    assert "newer figures are being computed" in screen(rhea, corpus)
    assert ">1 gold page with" in " ".join(screen(rhea, corpus).split())
    compute_leaderboard(StoredLeaderboard.objects.get().pk)
    assert rhea.get(address).json()["version"] != seen
    assert "2 gold pages" in screen(rhea, corpus)


@pytest.mark.usefixtures("by_worker")
def test_worker_is_told_once_for_each_state(corpus: Corpus, make_page: MakePage) -> None:
    stored, is_asked = request(corpus)
    assert is_asked
    assert not request(corpus)[1]
    compute_leaderboard(stored.pk)
    assert not request(corpus)[1]
    give_gold(make_page())
    assert [request(corpus)[1] for _ in range(3)] == [True, False, False]


def test_leaderboard_that_failed_says_so_and_is_tried_again_when_scores_change(
    corpus: Corpus, rhea: Client, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("no figures today")

    with monkeypatch.context() as patched:
        patched.setattr(boards, "board", fail)
        assert "no figures today" in screen(rhea, corpus)
    assert "no figures today" in screen(rhea, corpus)
    give_gold(make_page())
    assert "no figures today" not in screen(rhea, corpus)


def test_every_choice_of_filters_is_stored_apart() -> None:
    assert LeaderboardFilters.from_key(FILTERS.key) == FILTERS
    assert LeaderboardFilters.from_key("") == LeaderboardFilters()
    assert LeaderboardFilters(figure="recall").key == LeaderboardFilters().key
