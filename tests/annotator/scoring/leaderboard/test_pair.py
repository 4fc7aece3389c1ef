"""Two extractors compared on the pages that count for both."""

import csv
import io
from types import SimpleNamespace
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from annotator.runs.models import Extractor, TunedOnPage
from annotator.scoring.leaderboard.analyses import request_analysis
from annotator.scoring.leaderboard.pair import PairedPage, compare
from annotator.scoring.leaderboard.pair_analysis import paired_pages
from annotator.scoring.models import Analysis, AnalysisKind
from annotator.scoring.tasks import analyse
from extraction.metrics.averages import PageAverages
from extraction.metrics.pages import PageScore, score
from tests.annotator.scored import give_gold
from tests.annotator.scoring.leaderboard.cited import assert_digest_is_of
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def scored(true: float, predicted: float = 100, gold: float = 100) -> PageScore:
    return score(true, predicted, gold)


def paired(number: int, first: PageScore, second: PageScore, **more: Any) -> PairedPage:
    known = {"site": "a.example", "language": "en"} | more
    return PairedPage(page=number, first=first, second=second, **known)


def forty(gain: float) -> list[PairedPage]:
    """Forty pages on which the first is better by about `gain` characters of a hundred."""
    return [paired(n, scored(60 + n % 7 + gain), scored(60 + n * 3 % 7)) for n in range(40)]


def test_the_difference_is_that_of_the_figures() -> None:
    pages = forty(5)
    found = compare(pages, pooled=False, by_page=False)
    means = [PageAverages([getattr(page, side) for page in pages]) for side in ("first", "second")]
    first, second = (each.f1(each.everywhere) for each in means)
    assert (found.first.value, found.second.value) == (first, second)
    assert found.difference.value == pytest.approx(first - second)
    assert found.difference.low > 0
    assert (found.more_pages, found.whole.is_clear) == (0, True)
    assert found.wilcoxon.p < 0.01


def test_swapped_it_is_its_opposite() -> None:
    pages = forty(5)
    swapped = [paired(page.page, page.second, page.first) for page in pages]
    one, other = (compare(some, pooled=False, by_page=True) for some in (pages, swapped))
    assert other.difference.value == pytest.approx(-one.difference.value)
    assert other.difference.low == pytest.approx(-one.difference.high)
    assert (len(other.better), len(other.worse)) == (len(one.worse), len(one.better))


def test_what_is_not_clear_says_how_many_pages_would_decide() -> None:
    found = compare(forty(0.4), pooled=False, by_page=False)
    assert not found.whole.is_clear
    assert found.more_pages > 0


def test_few_pages_have_no_interval() -> None:
    found = compare(forty(5)[:29], pooled=False, by_page=False)
    assert found.difference[1:] == (None, None)
    assert found.more_pages is None


def test_weights_count() -> None:
    pages = [paired(1, scored(90), scored(50), weight=3.0), paired(2, scored(50), scored(90))]
    assert compare(pages, pooled=False, by_page=True).difference.value == pytest.approx((3 * 0.4 - 0.4) / 4)


def test_slices_are_those_with_the_most_pages_and_the_rest() -> None:
    pages = [
        paired(n, scored(60), scored(50), site=f"{n % 10}.example" if n < 30 else "big.example")
        for n in range(60)
    ]
    found = compare(pages, pooled=False, by_page=False)
    assert found.sites[0].name == "big.example"
    assert found.sites[0].n == 30
    assert sum(each.n for each in found.sites) + found.other_sites.n == 60


def test_pages_that_do_not_count_for_both_are_left_out(corpus: Corpus, make_page: MakePage) -> None:
    seen, tuned, counted = (make_page(), make_page(), make_page())
    Page.objects.update(site="", cluster=None)
    first, second = (Extractor.objects.get(name=name).pk for name in ("tree-filter", "everything"))
    TunedOnPage.objects.create(extractor_id=second, sha256=tuned.sha256)
    give_gold(seen, exposed_families=[Extractor.objects.get(pk=first).family])
    give_gold(tuned)
    give_gold(counted)

    def pages(gold: str) -> set[int]:
        return {page.page for page in paired_pages(corpus, first, second, labels="body", gold=gold)}

    assert pages("all") == {seen.pk, counted.pk}
    assert pages("blind") == {counted.pk}


def compared(client: Client, address: str, query: Any = None) -> str:
    """The screen when a worker has made the comparison."""
    assert "data-moving" in client.get(address, query).content.decode()
    for analysis in Analysis.objects.filter(finished_at=None):
        analyse(analysis.pk)
    shown = client.get(address, query).content.decode()
    assert "data-moving" not in shown
    return shown


@pytest.mark.parametrize("pages", [1, 3])
def test_the_screen_uses_a_fixed_number_of_queries(
    rhea: Client,
    corpus: Corpus,
    make_page: MakePage,
    django_assert_num_queries: DjangoAssertNumQueries,
    pages: int,
) -> None:
    for _ in range(pages):
        give_gold(make_page())
    address = reverse("leaderboard-compare", args=[corpus.slug])
    assert "Too few pages to tell." in compared(rhea, address)
    with django_assert_num_queries(14):
        rhea.get(address)


def test_a_comparison_is_made_once_for_each_state(
    rhea: Client, corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a worker; the last one stays with its time while a newer one is made."""
    give_gold(make_page())
    address = reverse("leaderboard-compare", args=[corpus.slug])
    compared(rhea, address)
    with monkeypatch.context() as patched:
        patched.setattr("annotator.scoring.leaderboard.pair_analysis.compare", None)
        assert "data-moving" not in rhea.get(address).content.decode()
        give_gold(make_page())
        shown = " ".join(rhea.get(address).content.decode().split())
        assert "newer figures are being computed" in shown
        assert "1 page that counts for both" in shown
    asked = Analysis.objects.get(name=AnalysisKind.PAIR)
    filters = QueryDict(asked.filters).dict()
    assert not request_analysis(corpus=corpus, name=AnalysisKind.PAIR, filters=filters)[1]
    analyse(asked.pk)
    assert "2 pages that count for both" in " ".join(rhea.get(address).content.decode().split())


def test_the_extractors_of_the_address_are_compared(
    rhea: Client, corpus: Corpus, make_page: MakePage
) -> None:
    give_gold(make_page())
    first, second = (Extractor.objects.get(name=name) for name in ("justext", "everything"))
    query: dict[str, str | int] = {
        "first": first.pk,
        "second": second.pk,
        "metric": "words",
        "labels": "body",
    }
    address = reverse("leaderboard-compare", args=[corpus.slug])
    csv_address, json_address = (
        reverse(f"leaderboard-compare-{kind}", args=[corpus.slug]) for kind in ("csv", "json")
    )
    assert rhea.get(json_address, query).status_code == 302  # it is still to be computed
    shown = compared(rhea, address, query)
    assert "justext vs everything" in shown
    assert all(reverse("error-causes", args=[corpus.slug, each.pk]) in shown for each in (first, second))
    assert shown.count('<rect class="s-') == 1  # the only page's, in the bar of who is better
    (line,) = csv.DictReader(io.StringIO(rhea.get(csv_address, query).content.decode()))
    assert float(line["difference"]) == pytest.approx(float(line["first"]) - float(line["second"]), abs=2e-6)
    figures = rhea.get(json_address, query).json()
    assert_digest_is_of(figures)
    assert line["sha256"] == figures["sha256"]
    assert figures["difference"]["value"] == pytest.approx(figures["first"]["f1"] - figures["second"]["f1"])
    assert (figures["first"]["extractor"], figures["metric"], figures["pages"]) == ("justext", "words", 1)
    assert "justext" in figures["cite"]


def test_a_corpus_without_scores_says_so(rhea: Client, cast: SimpleNamespace, corpus: Corpus) -> None:
    assert (
        "Nothing to compare yet"
        in rhea.get(reverse("leaderboard-compare", args=[corpus.slug])).content.decode()
    )
    for name in ("compare-csv", "compare-json", "all-pairs-csv", "all-pairs-json"):
        assert rhea.get(reverse(f"leaderboard-{name}", args=[corpus.slug])).status_code == 302
