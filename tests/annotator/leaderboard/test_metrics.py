"""The board by every metric: figures, screens, downloads; and while older scores are filled in."""

import csv
import io
import json
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation

from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.home import pending
from annotator.leaderboard import queries
from annotator.leaderboard.board import MICRO
from annotator.leaderboard.forms import Slice
from annotator.leaderboard.wording import METRICS as WORDS
from annotator.runs.models import Extraction, Extractor
from annotator.scoring import measuring
from annotator.scoring.models import Measurement
from extraction.measures import METRICS, Said, Truth
from extraction.metrics import PageScore, summarise
from extraction.spans import LABEL_SETS, Span, text_of
from tests.annotator.scored import give_gold
from tests.annotator.scoring.test_measuring import scored_as_before
from tests.factories import MakePage

pytestmark = pytest.mark.django_db

OTHERS = [name for name in METRICS if name != "character"]


@pytest.fixture
def rhea(client: Client, cast: SimpleNamespace) -> Client:
    client.force_login(cast.rhea)
    return client


def fresh(corpus: Corpus) -> Corpus:
    return Corpus.objects.get(pk=corpus.pk)


def three_pages(make_page: MakePage) -> None:
    """Gold of one, two and three blocks, so that no two pages have the same figures."""
    for number in range(3):
        page = make_page()
        blocks = page.documents.get().blocks
        give_gold(page, [Span(*block, "body") for block in blocks[2 : 3 + number]])


def said_by(metric: str, extractor: str, labels: str) -> list[PageScore]:
    """What the metric itself says of each page, from gold and extraction."""
    found = []
    for extraction in Extraction.objects.filter(extractor__name=extractor).order_by("document__page"):
        gold = Gold.objects.get(document=extraction.document, current=True)
        document, wanted = extraction.document, LABEL_SETS[labels]
        marks, said = [Span(*row[:3]) for row in gold.spans], [Span(*row) for row in extraction.spans]
        truth = Truth(marks, text_of(document, marks, wanted), 0)
        found.append(
            METRICS[metric].score(truth, Said(said, text_of(document, said, wanted), document, False), wanted)
        )
    return found


@pytest.mark.parametrize("metric", METRICS)
def test_figures_of_the_board_are_those_of_the_metric(
    corpus: Corpus, make_page: MakePage, metric: str
) -> None:
    three_pages(make_page)
    board = queries.board(fresh(corpus), labels="body", metric=metric)
    assert (board.metric, board.waits, board.unmeasured) == (metric, None, 0)
    for row in board.rows:
        expected = summarise(said_by(metric, row.name, "body"), by_page=METRICS[metric].by_page)
        assert (row.shown.n, row.shown.failures) == (3, 0)
        assert row.shown.precision == pytest.approx(expected.precision)
        assert row.shown.recall == pytest.approx(expected.recall)
        assert row.shown.value == pytest.approx(expected.f1)
        assert row.summary.f1_page_mean == pytest.approx(expected.f1_page_mean)
    pooled = queries.board(fresh(corpus), labels="body", metric=metric, mean=MICRO)
    for row in pooled.rows:
        expected = summarise(said_by(metric, row.name, "body"))
        assert row.shown.value == pytest.approx(expected.micro.f1)


def test_no_metric_is_taken_for_another(corpus: Corpus, make_page: MakePage) -> None:
    """Neither from the store nor from what is kept of boards."""
    three_pages(make_page)
    boards = {metric: queries.board(fresh(corpus), labels="body", metric=metric) for metric in METRICS}
    found = {
        metric: next(row.shown.value for row in board.rows if row.name == "everything")
        for metric, board in boards.items()
    }
    expected = {
        metric: summarise(said_by(metric, "everything", "body"), by_page=METRICS[metric].by_page).f1
        for metric in METRICS
    }
    assert found == pytest.approx(expected)
    assert len({round(figure, 6) for figure in found.values()}) > 3


def test_people_are_compared_by_characters_alone(corpus: Corpus, make_page: MakePage) -> None:
    give_gold(make_page())
    assert all(queries.board(fresh(corpus), metric=metric).people is None for metric in OTHERS)


@pytest.mark.parametrize("metric", ["character", "rouge"])
@pytest.mark.parametrize("pages", [1, 3])
def test_screens_ask_the_database_a_fixed_number_of_times(
    corpus: Corpus,
    rhea: Client,
    make_page: MakePage,
    metric: str,
    pages: int,
    django_assert_num_queries: object,
) -> None:
    for _ in range(pages):
        page = give_gold(make_page()).page
    extractor = Extractor.objects.get(name="everything").pk
    asked = f"?metric={metric}"
    with django_assert_num_queries(12):
        assert rhea.get(reverse("leaderboard", args=[corpus.slug]) + asked).status_code == 200
    with django_assert_num_queries(4):
        assert (
            rhea.get(reverse("leaderboard-pages", args=[corpus.slug, extractor]) + asked).status_code == 200
        )
    with django_assert_num_queries(7):
        assert rhea.get(reverse("glass", args=[corpus.slug, extractor, page.pk]) + asked).status_code == 200


@pytest.mark.parametrize("metric", ["character", "char-lcs", "words"])
def test_the_metric_is_chosen_on_the_screen_and_goes_along(
    corpus: Corpus, rhea: Client, make_page: MakePage, metric: str
) -> None:
    page = give_gold(make_page()).page
    wanted = Slice(metric=metric, labels="body")
    answer = rhea.get(reverse("leaderboard", args=[corpus.slug]) + wanted.query)
    html = answer.content.decode()
    assert f'<option value="{metric}" selected>' in html
    assert str(WORDS[metric].about).replace("'", "&#x27;") in html
    extractor = Extractor.objects.get(name="everything")
    behind = reverse("leaderboard-pages", args=[corpus.slug, extractor.pk]) + wanted.query
    assert behind.replace("&", "&amp;") in html
    listed = rhea.get(behind)
    (row,) = listed.context["rows"]
    (expected,) = said_by(metric, "everything", "body")
    assert row.score.f1 == pytest.approx(expected.f1)
    glass = reverse("glass", args=[corpus.slug, extractor.pk, page.pk]) + wanted.query
    assert glass.replace("&", "&amp;") in listed.content.decode()
    bench = rhea.get(glass).context["bench"]
    assert bench["scores"]["f1"] == pytest.approx(expected.f1)
    assert bench["others"][0]["url"].endswith(wanted.query)


def test_every_metric_has_its_words_in_both_languages() -> None:
    assert list(WORDS) == list(METRICS)
    for words in WORDS.values():
        with translation.override("en"):
            english = str(words.about)
        with translation.override("es"):
            assert str(words.about) != english


def test_an_unknown_metric_in_the_address_is_the_usual_one(corpus: Corpus, rhea: Client) -> None:
    answer = rhea.get(reverse("leaderboard", args=[corpus.slug]) + "?metric=guess&grew=guess")
    assert answer.context["slice"] == Slice()


def test_scores_that_have_no_figure_are_left_out_and_counted(
    corpus: Corpus, rhea: Client, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as planted:
        planted.setattr(measuring, "MOST_CHARACTERS", 10)
        give_gold(make_page())
    give_gold(make_page())
    board = queries.board(fresh(corpus), metric="rouge")
    assert board.unmeasured == len(board.rows) > 0
    assert {row.shown.n for row in board.rows} == {1}
    assert queries.board(fresh(corpus), metric="words").unmeasured == 0
    html = rhea.get(reverse("leaderboard", args=[corpus.slug]) + "?metric=rouge").content.decode()
    assert f"{board.unmeasured} scores are left out" in html
    extractor = board.rows[0].extractor_id
    listed = rhea.get(reverse("leaderboard-pages", args=[corpus.slug, extractor]) + "?metric=rouge")
    assert [row.score is None for row in listed.context["rows"]] == [False, True]
    assert "not worked out" in listed.content.decode()
    without = listed.context["rows"][1].page_id
    glass = rhea.get(reverse("glass", args=[corpus.slug, extractor, without]) + "?metric=rouge")
    assert glass.context["bench"]["scores"] is None
    assert "not worked out for this page" in glass.content.decode()


# ---- while older scores are filled in ----


def test_no_half_board_is_shown_while_older_scores_are_filled_in(
    corpus: Corpus, rhea: Client, make_page: MakePage
) -> None:
    give_gold(make_page())
    older = scored_as_before(make_page())
    address = reverse("leaderboard", args=[corpus.slug])
    board = queries.board(fresh(corpus), labels="body", metric="words")
    assert (board.rows, board.waits) == ([], (len(older), 2 * len(older)))
    html = rhea.get(address + "?metric=words&labels=body").content.decode()
    assert f"{len(older)} of {2 * len(older)} scores have it so far" in html
    # By characters nothing has changed.
    assert {row.shown.n for row in queries.board(fresh(corpus), labels="body").rows} == {2}
    for kind in ("csv", "json"):
        refused = rhea.get(reverse(f"leaderboard-{kind}", args=[corpus.slug]) + "?metric=words&labels=body")
        assert refused.status_code == 409
    pending.work_off(corpus)
    whole = queries.board(fresh(corpus), labels="body", metric="words")
    assert whole.waits is None
    assert {row.shown.n for row in whole.rows} == {2}
    assert Measurement.objects.count() == 2 * len(older)


# ---- taken away ----


@pytest.mark.parametrize("metric", ["character", "shingle", "cleaneval"])
def test_downloads_are_of_the_chosen_metric(
    corpus: Corpus, rhea: Client, make_page: MakePage, metric: str
) -> None:
    three_pages(make_page)
    asked = f"?metric={metric}&labels=body"
    board = queries.board(fresh(corpus), labels="body", metric=metric)
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
    assert found == json.loads(printed.getvalue())
    assert found["metric"] == metric
    assert [row["f1"] for row in found["results"]] == pytest.approx([row.summary.f1 for row in board.rows])


def test_the_command_says_when_a_metric_is_being_worked_out(corpus: Corpus, make_page: MakePage) -> None:
    scored_as_before(make_page())
    with pytest.raises(CommandError, match="0 of"):
        call_command("leaderboard", corpus.slug, metric="rouge", labels="body", stdout=io.StringIO())
