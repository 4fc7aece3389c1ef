"""Two extractors compared on the pages that count for both."""

import csv
import io
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotator.corpora.models import Corpus
from annotator.runs.models import Extractor
from annotator.scoring import actions as scoring
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.pair import PairedPage, compare
from extraction.metrics.averages import Averages
from extraction.metrics.pages import PageScore, score
from tests.annotator.scored import give_gold
from tests.factories import MakePage

pytestmark = pytest.mark.django_db


@pytest.fixture
def rhea(client: Client, cast: SimpleNamespace) -> Client:
    client.force_login(cast.rhea)
    return client


def scored(true: float, predicted: float = 100, gold: float = 100) -> PageScore:
    return score(true, predicted, gold)


def paired(number: int, first: PageScore, second: PageScore, **more: Any) -> PairedPage:
    known = {"title": f"Page {number}", "url": "", "site": "a.example", "language": "en"} | more
    return PairedPage(page_id=number, first=first, second=second, **known)


def forty(gain: float) -> list[PairedPage]:
    """Forty pages on which the first is better by about `gain` characters of a hundred."""
    return [paired(n, scored(60 + n % 7 + gain), scored(60 + n * 3 % 7)) for n in range(40)]


def test_the_difference_is_that_of_the_figures() -> None:
    pages = forty(5)
    found = compare(pages, pooled=False, by_page=False)
    means = [Averages([getattr(page, side) for page in pages]) for side in ("first", "second")]
    first, second = (each.f1(each.everywhere) for each in means)
    assert (found.first.value, found.second.value) == (first, second)
    assert found.difference.value == pytest.approx(first - second)
    assert found.difference.low > 0
    assert (found.more_pages, found.whole.is_clear) == (0, True)
    assert found.wilcoxon.p < 0.01


def test_swapped_it_is_its_opposite() -> None:
    pages = forty(5)
    swapped = [paired(page.page_id, page.second, page.first) for page in pages]
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


def test_pages_that_do_not_count_for_both_are_left_out(
    corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, tuned, counted = (make_page(), make_page(), make_page())
    first, second = (Extractor.objects.get(name=name).pk for name in ("tree-filter", "everything"))
    monkeypatch.setattr(
        scoring, "was_tuned_on", lambda extraction, page: (extraction.extractor_id, page) == (second, tuned)
    )
    give_gold(seen, exposed_families=[Extractor.objects.get(pk=first).family])
    give_gold(tuned)
    give_gold(counted)

    def pages(gold: str) -> set[int]:
        return {
            page.page_id for page in queries.paired_pages(corpus, first, second, labels="body", gold=gold)
        }

    assert pages("all") == {seen.pk, counted.pk}
    assert pages("blind") == {counted.pk}


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
    with django_assert_num_queries(19):
        shown = rhea.get(address).content.decode()
    assert "Too few pages to tell." in shown


def test_the_extractors_of_the_address_are_compared(
    rhea: Client, corpus: Corpus, make_page: MakePage
) -> None:
    page = make_page()
    give_gold(page)
    first, second = (Extractor.objects.get(name=name) for name in ("justext", "everything"))
    query: dict[str, str | int] = {
        "first": first.pk,
        "second": second.pk,
        "metric": "words",
        "labels": "body",
    }
    shown = rhea.get(reverse("leaderboard-compare", args=[corpus.slug]), query).content.decode()
    assert "justext vs everything" in shown
    answer = rhea.get(reverse("leaderboard-compare-csv", args=[corpus.slug]), query)
    (line,) = csv.DictReader(io.StringIO(answer.content.decode()))
    assert float(line["difference"]) == pytest.approx(float(line["first"]) - float(line["second"]), abs=2e-6)


def test_a_corpus_without_scores_says_so(rhea: Client, cast: SimpleNamespace, corpus: Corpus) -> None:
    assert (
        "Nothing to compare yet"
        in rhea.get(reverse("leaderboard-compare", args=[corpus.slug])).content.decode()
    )
    assert rhea.get(reverse("leaderboard-compare-csv", args=[corpus.slug])).status_code == 302
