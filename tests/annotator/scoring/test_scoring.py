"""Invariants 5 and 10: which scores count where, and that only missing scores are computed."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotator import pipeline
from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.pages.models import Page
from annotator.runs import actions as actions_of_runs
from annotator.runs.actions import DEFAULT_EXTRACTORS, enable
from annotator.runs.models import Extraction
from annotator.scoring import actions, queries
from annotator.scoring.models import Counting, Measurement, PageToCount, Score
from annotator.scoring.tasks import count_pages, score_extractions
from annotator.scoring.totals.counting import count_some
from tests.factories import MakePage, extract_all, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]


def gold_for(page: Page, exposed_families: tuple[str, ...] = ()) -> Gold:
    mark = span_of(page, "Bridge opens", "headline")
    return add_gold(
        document=page.documents.get(),
        verdict="article",
        spans=[(*mark, "single")],
        source="single",
        exposed_families=exposed_families,
    )


def score_all(corpus: Corpus) -> None:
    cells = list(queries.unscored())
    for row in actions.request_scores(cells):
        actions.score(work.claim(Score, row.pk))


def test_the_scores_of_a_message_read_once_what_they_have_in_common(
    corpus: Corpus, make_page: MakePage, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    gold = gold_for(make_page(extracted=True))
    keys = [row.pk for row in actions.request_scores(actions.pairs_of_gold(gold))]
    assert len(keys) == 6
    # One to claim the scores, five for them and what they belong to, two for the labels of the corpus before
    # and after, four to ask for totals. Of each score: a transaction of two.
    with django_assert_num_queries(1 + 5 + 2 + 4 + 6 * 4):
        score_extractions(*keys)
    assert Score.objects.filter(finished_at__isnull=False).count() == 6
    score_extractions(*keys)
    assert Measurement.objects.count() == 6


def test_totals_wait_for_more_pages_of_an_import_and_never_when_people_wait(
    corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[bool] = []
    monkeypatch.setattr(pipeline, "counting_requested", lambda row, is_live: sent.append(is_live))

    def score_gold(source: str) -> None:
        page = make_page(extracted=True)
        mark = span_of(page, "Bridge opens", "headline")
        gold = add_gold(document=page.document, verdict="article", spans=[(*mark, source)], source=source)
        keys = [row.pk for row in actions.request_scores(actions.pairs_of_gold(gold))]
        score_extractions(*keys[:2])
        score_extractions(*keys[2:])

    score_gold("imported")
    # From the second time on totals are asked for already.
    assert sent == [False]
    score_gold("projected")
    assert sent == [False]
    score_gold("unanimous")
    assert sent == [False, True, True]
    # As when another extractor is run over gold of last week.
    monkeypatch.setattr(queries, "JUST_NOW", timedelta())
    score_gold("unanimous")
    assert sent == [False, True, True]
    count_pages(Counting.objects.get().pk)
    assert not PageToCount.objects.exists()


@pytest.mark.parametrize("source", ["unanimous", "imported", "projected"])
def test_what_is_made_while_totals_are_counted_waits_only_for_people(
    corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    sent: list[bool] = []
    monkeypatch.setattr(pipeline, "counting_requested", lambda row, is_live: sent.append(is_live))
    page = make_page(extracted=True)

    def count_too_early(row: Counting) -> bool:
        add_gold(document=page.document, verdict="not_article", spans=[], source=source)
        return work.finish(row)

    monkeypatch.setattr("annotator.scoring.actions.count_pages", count_too_early)
    row, _is_new = actions.request_counting(corpus.pk)
    count_pages(row.pk)
    assert sent == [source == "unanimous"]


def test_new_gold_is_scored_and_the_old_scores_stay(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page(extracted=True)
    first = gold_for(page)
    score_all(corpus)
    assert not queries.unscored().exists()
    second = gold_for(page)
    assert queries.unscored().count() == len(DEFAULT_EXTRACTORS)
    score_all(corpus)
    assert first.scores.count() == second.scores.count() == len(DEFAULT_EXTRACTORS)


def test_gold_made_with_a_suggestion_is_not_blind_to_its_family(corpus: Corpus, make_page: MakePage) -> None:
    """Tree-filter and Boilerpipe are one family."""
    gold_for(make_page(extracted=True), exposed_families=("boilerpipe",))
    score_all(corpus)
    blind = dict(Score.objects.values_list("extraction__extractor__name", "blind"))
    kin = {"boilerpipe-default", "boilerpipe-article", "tree-filter"}
    assert blind == {name: name not in kin for name in DEFAULT_EXTRACTORS}


def test_scores_increment_the_leaderboard_version_when_they_are_counted(
    corpus: Corpus, make_page: MakePage
) -> None:
    gold_for(make_page(extracted=True))
    count_some(corpus)
    before = queries.leaderboard_version(corpus)
    score_all(corpus)
    assert queries.leaderboard_version(corpus) == before
    count_some(corpus)
    assert queries.leaderboard_version(corpus) == before + 1
    count_some(corpus)
    assert queries.leaderboard_version(corpus) == before + 1


def test_a_score_counts_every_character_of_the_text(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page(extracted=True)
    gold_for(page)
    score_all(corpus)
    visible = sum(not char.isspace() for char in page.documents.get().text)
    for extraction in Extraction.objects.all():
        matrix = extraction.scores.get().matrix
        assert sum(sum(cells.values()) for cells in matrix.values()) == visible


def test_a_failed_extraction_is_scored_as_an_empty_one(corpus: Corpus, make_page: MakePage) -> None:
    """Invariants 9 and 10: a crash is counted however the score is requested."""
    page = make_page(extracted=True)
    row = Extraction.objects.create(
        document=page.documents.get(),
        extractor=actions_of_runs.register("tree-filter", depth=5),
        spans=[[0, 4, "content"]],
        finished_at=timezone.now(),
        error="crash",
    )
    gold = gold_for(page)
    assert (gold.pk, row.pk) in actions.pairs_of_gold(gold)
    assert (gold.pk, row.pk) in set(queries.unscored())
    score_all(corpus)
    assert {column for cells in row.scores.get().matrix.values() for column in cells} == {""}


def test_a_search_finds_what_is_unscored_since_either_was_made(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page(extracted=True)
    between = timezone.now()
    gold_for(page)
    pairs = set(queries.unscored())
    assert len(pairs) == len(DEFAULT_EXTRACTORS)
    assert set(queries.unscored(between)) == pairs, "the gold is new"
    assert set(queries.unscored(timezone.now())) == set()
    between = timezone.now()
    enable(corpus=corpus, name="bte")
    extract_all(page)
    assert len(set(queries.unscored(between))) == 1, "the extraction is new"
