"""The leaderboard under every metric: figures, screens and downloads."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.runs.models import Extraction, Extractor
from annotator.scoring import measuring
from annotator.scoring.leaderboard import boards
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.metric_titles import METRICS as TITLES
from annotator.scoring.measuring import MeasuredText
from extraction.evaluation.page_metrics import METRICS, Prediction, Reference
from extraction.metrics import PageScore
from extraction.spans import LABEL_SETS, Span, text_of
from tests.annotator.scored import give_gold
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def page_scores_by(metric: str, extractor: str, labels: str) -> list[PageScore]:
    """Compute the metric for each page, from gold and extraction."""
    found = []
    for extraction in Extraction.objects.filter(extractor__name=extractor).order_by("document__page"):
        gold = Gold.objects.get(document=extraction.document, current=True)
        stored, wanted = extraction.document, LABEL_SETS[labels]
        document = MeasuredText.of(stored)
        marks, predicted = [Span(*row[:3]) for row in gold.spans], [Span(*row) for row in extraction.spans]
        truth = Reference(marks, text_of(document, marks, wanted), 0)
        found.append(
            METRICS[metric].score(
                truth, Prediction(predicted, text_of(document, predicted, wanted), document, False), wanted
            )
        )
    return found


@pytest.mark.parametrize("metric", ["character", "rouge"])
@pytest.mark.parametrize("pages", [1, 3])
def test_screens_use_a_fixed_number_of_queries(
    corpus: Corpus,
    rhea: Client,
    make_page: MakePage,
    metric: str,
    pages: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(pages):
        page = give_gold(make_page()).page
    extractor = Extractor.objects.get(name="everything").pk
    asked = f"?metric={metric}"
    # Only by characters labels are shown apart, by their titles; only by other metrics missing scores are
    # looked for. At first the leaderboard is computed, and human agreement asked for.
    titles = 1 if metric == "character" else 0
    for expected in 37, 15 + titles:
        with django_assert_num_queries(expected):
            assert rhea.get(reverse("leaderboard", args=[corpus.slug]) + asked).status_code == 200
    with django_assert_num_queries(13 + titles):
        assert (
            rhea.get(reverse("leaderboard-pages", args=[corpus.slug, extractor]) + asked).status_code == 200
        )
    with django_assert_num_queries(10):
        assert (
            rhea.get(reverse("error-view", args=[corpus.slug, extractor, page.pk]) + asked).status_code == 200
        )


def test_links_keep_the_chosen_metric(corpus: Corpus, rhea: Client, make_page: MakePage) -> None:
    metric = "char-lcs"
    page = give_gold(make_page()).page
    wanted = LeaderboardFilters(metric=metric, labels="body")
    answer = rhea.get(reverse("leaderboard", args=[corpus.slug]) + wanted.query)
    html = answer.content.decode()
    assert f'<option value="{metric}" selected>' in html
    assert str(TITLES[metric].about).replace("'", "&#x27;") in html
    extractor = Extractor.objects.get(name="everything")
    behind = reverse("leaderboard-pages", args=[corpus.slug, extractor.pk]) + wanted.query
    assert behind.replace("&", "&amp;") in html
    listed = rhea.get(behind)
    (row,) = listed.context["rows"]
    (expected,) = page_scores_by(metric, "everything", "body")
    assert row.score.f1 == pytest.approx(expected.f1)
    error_view = reverse("error-view", args=[corpus.slug, extractor.pk, page.pk]) + wanted.query
    assert error_view.replace("&", "&amp;") in listed.content.decode()
    payload = rhea.get(error_view).context["payload"]
    assert payload["scores"]["f1"] == pytest.approx(expected.f1)
    assert payload["others"][0]["url"].endswith(wanted.query)


def test_every_metric_has_a_title_in_both_languages() -> None:
    assert list(TITLES) == list(METRICS)
    for title in TITLES.values():
        with translation.override("en"):
            english = str(title.about)
        with translation.override("es"):
            assert str(title.about) != english


def test_an_unknown_metric_in_the_url_falls_back_to_the_default(corpus: Corpus, rhea: Client) -> None:
    answer = rhea.get(reverse("leaderboard", args=[corpus.slug]) + "?metric=guess&figure=guess")
    assert answer.context["filters"] == LeaderboardFilters()


def test_scores_without_a_value_are_excluded_and_counted(
    corpus: Corpus, rhea: Client, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as planted:
        planted.setattr(measuring, "MAX_CHARACTERS", 10)
        give_gold(make_page())
    alone = boards.board(corpus, metric="rouge")
    assert (alone.rows, alone.unmeasured) == ([], len(boards.board(corpus).rows))
    empty = rhea.get(reverse("leaderboard", args=[corpus.slug]) + "?metric=rouge").content.decode()
    assert f"{alone.unmeasured} scores are missing" in empty
    give_gold(make_page())
    board = boards.board(corpus, metric="rouge")
    assert board.unmeasured == len(board.rows) > 0
    assert {row.shown.n for row in board.rows} == {1}
    assert boards.board(corpus, metric="words").unmeasured == 0
    html = rhea.get(reverse("leaderboard", args=[corpus.slug]) + "?metric=rouge").content.decode()
    assert f"{board.unmeasured} scores are missing" in html
    extractor = board.rows[0].extractor_id
    listed = rhea.get(reverse("leaderboard-pages", args=[corpus.slug, extractor]) + "?metric=rouge")
    assert [row.score is None for row in listed.context["rows"]] == [False, True]
    assert "not available" in listed.content.decode()
    without = listed.context["rows"][1].page_id
    error_view = rhea.get(reverse("error-view", args=[corpus.slug, extractor, without]) + "?metric=rouge")
    assert error_view.context["payload"]["scores"] is None
    assert "not available for this page" in error_view.content.decode()
