"""The errors of an extractor by cause and site, and one page of them in the error view."""

import csv
import io
import json
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from annotator.runs.models import Extractor
from annotator.scoring.leaderboard import analyses
from annotator.scoring.leaderboard.error_causes import ErrorsByCause
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.page_scores import worst_first
from annotator.scoring.models import Analysis, AnalysisKind
from annotator.scoring.tasks import analyse
from extraction.evaluation.causes import ErrorCause, ErrorKind
from tests.annotator.scored import give_gold, in_language, tuned_and_other
from tests.annotator.scoring.leaderboard.cited import assert_digest_is_of
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

PROSE = "<p>The ferry left the harbour late because of the fog that morning, said its captain on Monday.</p>"
ITEM = "<ul><li>Bring something dry to sleep in</li></ul>"
PAGE = f"<main>{PROSE * 6}{ITEM}</main><p>{'The end is near. ' * 9}</p>"


def causes_url(corpus: Corpus, extractor: Extractor, query: str = "") -> str:
    return reverse("error-causes", args=[corpus.slug, extractor.pk]) + query


@pytest.fixture
def everything(corpus: Corpus) -> Extractor:
    return Extractor.objects.get(name="everything")


@pytest.fixture
def spanish(make_page: MakePage) -> Page:
    """A page in Spanish with gold, beside one in English."""
    _english, spanish = (
        give_gold(in_language(make_page(url=f"https://{language}.example/a"), language)).page
        for language in ("en", "es")
    )
    return spanish


def analysed() -> Analysis:
    analysis = Analysis.objects.get()
    analyse(analysis.pk)
    analysis.refresh_from_db()
    return analysis


def test_errors_are_counted_by_a_worker_and_lead_to_their_pages(
    corpus: Corpus, make_page: MakePage, everything: Extractor, rhea: Client
) -> None:
    page = make_page(html=PAGE.encode())
    give_gold(page)  # its last block but one, the list item
    assert "data-moving" in rhea.get(causes_url(corpus, everything)).content.decode()
    analysis = analysed()
    errors = ErrorsByCause.from_json(analysis.result)
    assert analysis.is_current
    assert errors.amount(ErrorKind.MISSED, None) == (0, 0)
    assert [each.cause for each in errors.causes] == [ErrorCause.TEXT]
    assert errors.pages(ErrorKind.WRONG, ErrorCause.TEXT, page.site) == [
        (page.pk, errors.rows[0].amount(None, None))
    ]
    assert (
        errors.pages(ErrorKind.MISSED, ErrorCause.TEXT, None)
        == errors.pages(None, None, "other.example")
        == []
    )
    shown = rhea.get(causes_url(corpus, everything, "?kind=wrong&cause=text")).content.decode()
    assert "data-moving" not in shown
    assert reverse("error-view", args=[corpus.slug, everything.pk, page.pk]) in shown
    assert "?kind=wrong&amp;cause=text" in shown or "cause=text&amp;kind=wrong" in shown


@pytest.mark.parametrize(("name", "pages"), [("tree-filter", 1), ("everything", 2)])
def test_errors_on_blind_gold_are_counted_apart(
    corpus: Corpus, make_page: MakePage, rhea: Client, name: str, pages: int
) -> None:
    give_gold(make_page(), exposed_families=["boilerpipe"])
    give_gold(make_page())
    rhea.get(causes_url(corpus, Extractor.objects.get(name=name), "?gold=blind"))
    assert analysed().result["of"] == pages


def test_pages_that_the_extractor_was_tuned_on_have_no_errors(
    corpus: Corpus, make_page: MakePage, everything: Extractor, rhea: Client
) -> None:
    _tuned, other = tuned_and_other(everything, make_page)
    rhea.get(causes_url(corpus, everything))
    result = analysed().result
    assert [page for page, _site, _errors in result["pages"]] == [other.pk]
    assert result["of"] == 1
    listed = rhea.get(reverse("leaderboard-pages", args=[corpus.slug, everything.pk])).content.decode()
    assert listed.count("training data, excluded") == 1


def test_slices_that_share_no_page_are_not_called_free_of_errors(
    corpus: Corpus, spanish: Page, everything: Extractor, rhea: Client
) -> None:
    of = f"?of=language:en&of=site:{spanish.site}"
    rhea.get(causes_url(corpus, everything, of))
    analysed()
    board = reverse("leaderboard", args=[corpus.slug])
    pages = reverse("leaderboard-pages", args=[corpus.slug, everything.pk])
    for address in (causes_url(corpus, everything), board, pages):
        assert "No page counts with these filters." in rhea.get(address + of).content.decode(), address


def test_newer_scores_have_the_errors_counted_again(
    corpus: Corpus, make_page: MakePage, everything: Extractor, rhea: Client
) -> None:
    give_gold(make_page())
    address = causes_url(corpus, everything)
    rhea.get(address)
    analysed()
    give_gold(make_page())
    assert "data-moving" in rhea.get(address).content.decode()
    assert len(analysed().result["pages"]) == 2


def test_a_large_corpus_is_sampled(
    corpus: Corpus, make_page: MakePage, everything: Extractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        give_gold(make_page())
    monkeypatch.setattr("annotator.scoring.leaderboard.error_causes.MOST_PAGES", 2)
    filters = {"extractor": str(everything.pk), "labels": "main"}
    analyses.request_analysis(corpus=corpus, name=AnalysisKind.ERRORS, filters=filters)
    result = analysed().result
    assert (len(result["pages"]), result["of"]) == (2, 3)


def test_errors_are_those_of_the_slices_and_can_be_cited(
    corpus: Corpus, spanish: Page, everything: Extractor, rhea: Client
) -> None:
    of = f"?of=language:es&of=site:{spanish.site}"
    address, files = (
        causes_url(corpus, everything),
        reverse("error-causes-csv", args=[corpus.slug, everything.pk]),
    )
    assert rhea.get(files + of).status_code == 302  # still to be counted
    analysis = analysed()
    assert [page for page, _site, _amounts in analysis.result["pages"]] == [spanish.pk]
    shown = rhea.get(address + of).content.decode()
    lines = list(csv.DictReader(io.StringIO(rhea.get(files + of).content.decode())))
    assert {line["sha256_of_page"] for line in lines} == {spanish.sha256}
    exported = rhea.get(reverse("error-causes-json", args=[corpus.slug, everything.pk]) + of).json()
    assert_digest_is_of(exported)
    assert f"language es, site {spanish.site}" in exported["cite"]
    assert shown.count(exported["cite"]) == 2  # in the drawing, and to be copied
    assert sum(int(line["characters"]) for line in lines) == sum(
        each["missed"]["characters"] + each["wrong"]["characters"] for each in exported["causes"]
    )
    # What the corpus does not have is no slice.
    rhea.get(address + "?of=language:xx")
    assert QueryDict(Analysis.objects.latest("pk").filters)["of"] == ""


def payload_of(client: Client, address: str) -> dict[str, Any]:
    page = client.get(address).content.decode()
    text = page.split('<script id="payload" type="application/json">')[1].split("</script>")[0]
    return json.loads(text)


def test_two_extractors_stand_side_by_side(corpus: Corpus, make_page: MakePage, rhea: Client) -> None:
    page = make_page(html=PAGE.encode())
    give_gold(page)
    first, second = (Extractor.objects.get(name=name) for name in ("everything", "tree-filter"))
    address = reverse("error-view", args=[corpus.slug, first.pk, page.pk])
    alone = payload_of(rhea, address)
    assert {error["by"] for error in alone["errors"]} == {"a"}
    two = payload_of(rhea, f"{address}?vs={second.pk}")
    assert two["second"]["name"] == "tree-filter"
    assert (
        two["urls"]["swap"]
        == reverse("error-view", args=[corpus.slug, second.pk, page.pk]) + f"?vs={first.pk}"
    )
    by = {error["by"] for error in two["errors"]}
    assert "ab" in by
    # What everything takes holds all that the other takes: only it can miss something alone.
    assert {error["kind"] for error in two["errors"] if error["by"] == "b"} <= {"missed"}
    assert {error["cause"] for error in two["errors"]} <= {"Running text", "Lists", "Whole page"}


def test_the_pages_before_and_after_are_one_key_away(
    corpus: Corpus, make_page: MakePage, everything: Extractor, rhea: Client
) -> None:
    pages = [make_page() for _ in range(3)]
    for page in pages:
        give_gold(page)
    order = list(worst_first(corpus, everything, LeaderboardFilters(), "main"))
    urls = [
        payload_of(rhea, reverse("error-view", args=[corpus.slug, everything.pk, page]))["urls"]
        for page in order
    ]
    assert [url["previous"] and int(url["previous"].split("/")[-2]) for url in urls] == [None, *order[:-1]]
    assert [url["next"] and int(url["next"].split("/")[-2]) for url in urls] == [*order[1:], None]
