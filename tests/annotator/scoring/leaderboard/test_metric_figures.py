"""The figures and downloads of a leaderboard under every metric, on one scene."""

import csv
import io
import json
import re
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotator.corpora.models import Corpus
from annotator.scoring.leaderboard import boards
from annotator.scoring.leaderboard.ranking import MICRO
from extraction.evaluation.page_metrics import METRICS
from extraction.metrics import summarise
from tests.annotator.scored import give_gold
from tests.annotator.scoring.leaderboard.test_metrics import page_scores_by
from tests.factories import MakePage, SignedIn, label_block

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def corpus(shared_corpus: Corpus, make_shared_page: MakePage) -> Corpus:
    """Gold of one, two and three blocks, so that no two pages have the same figures."""
    for number in range(3):
        page = make_shared_page()
        blocks = page.documents.get().blocks
        give_gold(page, [label_block(block) for block in blocks[2 : 3 + number]])
    return shared_corpus


@pytest.mark.parametrize("metric", METRICS)
def test_leaderboard_shows_the_values_of_the_metric(corpus: Corpus, metric: str) -> None:
    board = boards.board(corpus, labels="body", metric=metric)
    assert (board.metric, board.unmeasured) == (metric, 0)
    for row in board.rows:
        expected = summarise(page_scores_by(metric, row.name, "body"), by_page=METRICS[metric].by_page)
        assert (row.shown.n, row.shown.failures) == (3, 0)
        assert row.shown.precision == pytest.approx(expected.precision)
        assert row.shown.recall == pytest.approx(expected.recall)
        assert row.shown.value == pytest.approx(expected.f1)
        assert row.summary.f1_page_mean == pytest.approx(expected.f1_page_mean)
    pooled = boards.board(corpus, labels="body", metric=metric, mean=MICRO)
    for row in pooled.rows:
        expected = summarise(page_scores_by(metric, row.name, "body"))
        assert row.shown.value == pytest.approx(expected.micro.f1)


@pytest.mark.parametrize("metric", ["character", "shingle", "cleaneval"])
def test_downloads_are_of_the_chosen_metric(
    corpus: Corpus, shared_cast: SimpleNamespace, signed_in: SignedIn, metric: str
) -> None:
    rhea = signed_in(shared_cast.rhea)
    asked = f"?metric={metric}&labels=body"
    board = boards.board(corpus, labels="body", metric=metric)
    answer = rhea.get(reverse("leaderboard-csv", args=[corpus.slug]) + asked)
    assert "attachment" in answer["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [row["extractor"] for row in rows] == [row.name for row in board.rows]
    assert {(row["metric"], row["labels"], row["pages"]) for row in rows} == {(metric, "body", "3")}
    assert [float(row["f1"]) for row in rows] == pytest.approx(
        [row.shown.value for row in board.rows], abs=1e-6
    )
    assert {row["f1_low"] for row in rows} == {""}
    found = rhea.get(reverse("leaderboard-json", args=[corpus.slug]) + asked).json()
    printed = io.StringIO()
    call_command("leaderboard", corpus.slug, metric=metric, labels="body", json=True, stdout=printed)
    assert json.loads(printed.getvalue()).items() <= found.items(), "the file says besides how to cite it"
    assert found["metric"] == metric
    assert [row["f1"] for row in found["results"]] == pytest.approx([row.summary.f1 for row in board.rows])


def test_the_table_names_extractors_as_the_screen_and_fits_a_terminal(corpus: Corpus) -> None:
    printed = io.StringIO()
    call_command("leaderboard", corpus.slug, labels="body", stdout=printed)
    lines = printed.getvalue().splitlines()
    titles = {row.title for row in boards.board(corpus, labels="body").rows}
    assert {re.split(r"\s{2,}", line)[0] for line in lines[2:]} == titles
    assert max(map(len, lines)) <= 120
