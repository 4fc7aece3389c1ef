"""Invariant 10: pages on which an extractor was tuned count apart, whatever came first."""

import pytest
from django.utils import timezone

from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.pages.imports import undoing
from annotator.pages.imports.models import Import, Outcome, SourceKind
from annotator.pages.models import Page
from annotator.runs.actions import register
from annotator.runs.models import Extractor, TunedOnPage
from annotator.scoring.models import PageToCount
from annotator.scoring.totals.checking import compare_sample
from annotator.scoring.totals.counting import forget
from extraction.extractors import registry
from tests.annotator.scored import counted_apart, give_gold
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]

TEXT = " ".join(f"word{number}" for number in range(300))
OTHER_TEXT = " ".join(f"other{number}" for number in range(300))


@pytest.fixture
def extractor(corpus: Corpus) -> Extractor:
    return corpus.enabled.get(extractor__name="everything").extractor


@pytest.fixture
def page(make_page: MakePage) -> Page:
    page = make_page(f"<h1>Bridge opens</h1><p>{TEXT}</p>", url="https://a.gazette.example/1")
    give_gold(page)
    return page


def like(kin: str, make_page: MakePage) -> Page:
    """Another page, of no site but where it is a neighbour."""
    html = f"<h1>Bridge opens</h1><p>{TEXT} again" if kin == "near duplicate" else f"<p>{OTHER_TEXT}"
    return make_page(html, url="https://b.gazette.example/2" if kin == "neighbour" else "", opened=False)


@pytest.mark.parametrize("kin", ["itself", "near duplicate", "neighbour", "stranger"])
def test_pages_that_an_extractor_was_tuned_on_count_apart(
    corpus: Corpus, make_page: MakePage, extractor: Extractor, page: Page, kin: str
) -> None:
    known = page if kin == "itself" else like(kin, make_page)
    extractor.tuned_on_pages.create(sha256=known.sha256)
    give_gold(page)
    apart = counted_apart(corpus)
    assert apart.pop("everything") == (set() if kin == "stranger" else {page.pk})
    assert set().union(*apart.values()) == set()


def test_pages_without_an_address_are_of_no_site(
    corpus: Corpus, make_page: MakePage, extractor: Extractor, page: Page
) -> None:
    extractor.tuned_on_pages.create(sha256=like("stranger", make_page).sha256)
    Page.objects.update(site="")
    give_gold(page)
    assert counted_apart(corpus)["everything"] == set()


@pytest.mark.parametrize("kin", ["near duplicate", "neighbour", "stranger"])
def test_a_page_that_comes_later_than_the_score_is_seen_and_so_is_its_going(
    corpus: Corpus, make_page: MakePage, extractor: Extractor, page: Page, kin: str
) -> None:
    sample = like(kin, make_page)
    digest = sample.sha256
    go(sample)
    extractor.tuned_on_pages.create(sha256=digest)
    assert counted_apart(corpus)["everything"] == set()
    known = like(kin, make_page)
    assert known.sha256 == digest
    assert counted_apart(corpus)["everything"] == (set() if kin == "stranger" else {page.pk})
    assert compare_sample(corpus).differences == []
    go(known)
    assert counted_apart(corpus)["everything"] == set()
    assert compare_sample(corpus).differences == []


@pytest.mark.parametrize("kin", ["near duplicate", "neighbour", "stranger"])
def test_pages_are_noted_that_do_not_count_yet(
    corpus: Corpus, make_page: MakePage, extractor: Extractor, page: Page, kin: str
) -> None:
    """As one that is counted while the other page is not committed yet."""
    sample = like(kin, make_page)
    extractor.tuned_on_pages.create(sha256=sample.sha256)
    go(sample)
    forget(corpus)
    PageToCount.objects.all().delete()
    like(kin, make_page)
    noted = set(PageToCount.objects.values_list("page", flat=True))
    assert (page.pk in noted) is (kin != "stranger")


def test_of_many_pages_of_a_site_the_first_is_enough(
    corpus: Corpus, make_page: MakePage, extractor: Extractor, page: Page
) -> None:
    url, digests = "https://b.gazette.example/", []
    for number in range(3):
        sample = make_page(f"<p>{number} {OTHER_TEXT * number}", url=url, opened=False)
        digests.append(sample.sha256)
        go(sample)
    TunedOnPage.objects.bulk_create(TunedOnPage(extractor=extractor, sha256=digest) for digest in digests)
    assert counted_apart(corpus)["everything"] == set()
    pages = []
    for number in range(3):
        pages.append(make_page(f"<p>{number} {OTHER_TEXT * number}", url=url, opened=False))
        assert PageToCount.objects.filter(page=page.pk).exists() is (number == 0)
        assert counted_apart(corpus)["everything"] == {page.pk}
    assert [each.sha256 for each in pages] == digests
    for each in pages:
        assert counted_apart(corpus)["everything"] == {page.pk}
        go(each)
    assert counted_apart(corpus)["everything"] == set()


def test_pages_whose_clusters_are_merged_count_apart_together(
    corpus: Corpus, make_page: MakePage, extractor: Extractor, page: Page
) -> None:
    known = like("stranger", make_page)
    extractor.tuned_on_pages.create(sha256=known.sha256)
    Page.objects.filter(pk=known.pk).update(site="")
    give_gold(page)
    assert counted_apart(corpus)["everything"] == set()
    for moved, to in ((page, known), (known, page)):
        Page.objects.filter(pk=moved.pk).update(cluster=to)
        assert counted_apart(corpus)["everything"] == {page.pk}
        Page.objects.filter(pk=moved.pk).update(cluster=moved)
        assert counted_apart(corpus)["everything"] == set()


def test_an_extractor_says_what_it_was_tuned_on(corpus: Corpus, page: Page) -> None:
    row = corpus.enabled.get(extractor__name="goldpan").extractor
    stored = set(row.tuned_on_pages.values_list("sha256", flat=True))
    assert stored == registry.get("goldpan").tuned_on
    Page.objects.filter(pk=page.pk).update(sha256=min(stored))
    apart = counted_apart(corpus)
    assert apart.pop("goldpan") == {page.pk}
    assert set().union(*apart.values()) == set()
    assert register("goldpan") == row


def go(page: Page) -> None:
    """The import that brought the page is undone."""
    now = timezone.now()
    run = Import.objects.create(
        corpus=page.corpus, source_kind=SourceKind.PATH, completed_at=now, finished_at=now
    )
    run.records.create(position=1, outcome=Outcome.ADDED, page=page)
    undoing.request_undo(run=run)
    claimed = work.claim(Import, run.pk)
    assert claimed
    assert undoing.undo(claimed)
    assert not Page.objects.filter(pk=page.pk).exists()
