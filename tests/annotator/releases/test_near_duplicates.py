"""The screens of near-duplicate clusters, and the limit of rows read for a new page."""

from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.pages import near_duplicates
from annotator.pages.models import DuplicatePair, Page, ShingleBand
from annotator.releases import duplicate_clusters as clusters
from annotator.releases.actions import take_down
from annotator.releases.views import CLUSTERS_AT_ONCE
from extraction.sandbox import Parser
from tests.annotator.practice.made import ask, corpus_with_gold, newcomer, practise
from tests.annotator.releases.made import gold_on, release, story
from tests.factories import MakePage, page_maker

pytestmark = pytest.mark.django_db


def text(name: str, end: str = "") -> str:
    words = " ".join(f"{name}{index}" for index in range(200))
    return f"<title>{name}{end}</title><h1>Of {name}</h1><p>{words} {end}</p>"


def alike(make_page: MakePage, name: str, copies: int) -> list[Page]:
    return [
        make_page(text(name, f"copy{number}"), url=f"https://{name}{number}.org/") for number in range(copies)
    ]


def described(corpus: Corpus) -> list[clusters.DuplicateCluster]:
    return clusters.described(corpus, clusters.clusters_of(corpus))


def test_duplicate_pairs_are_stored(corpus: Corpus, make_page: MakePage) -> None:
    first, second = alike(make_page, "ferry", 2)
    (pair,) = DuplicatePair.objects.all()
    shingles = [near_duplicates.shingles_of(page.documents.get().text) for page in (first, second)]
    assert (pair.page, pair.other, pair.jaccard) == (second, first, near_duplicates.jaccard(*shingles))
    assert pair.jaccard >= near_duplicates.MIN_JACCARD


def test_a_page_that_merges_clusters_lists_both(corpus: Corpus, make_page: MakePage) -> None:
    words = [f"word{number}" for number in range(460)]
    parts = [words[:400], words[60:], words[30:430]]
    first, last, between = (make_page(f"<p>{' '.join(part)}</p>") for part in parts)
    assert (first.cluster, last.cluster) == (first, last), "they share too little"
    (found,) = described(corpus)
    assert [page.pk for page in found.pages] == [first.pk, last.pk, between.pk]
    assert {each.other for each in found.pages[2].duplicate_pairs_found} == {first, last}
    assert found.min_jaccard == min(each.jaccard for each in found.pages[2].duplicate_pairs_found)


def test_clusters_are_listed_largest_first_without_single_pages(
    corpus: Corpus, make_page: MakePage, parser: Parser
) -> None:
    make_page(story(1))
    alike(make_page, "few", 2)
    many = alike(make_page, "many", 3)
    page_maker(create_corpus(slug="elsewhere"), parser)(text("many"))
    assert [(each.key, each.size, each.sites) for each in described(corpus)] == [
        (many[0].pk, 3, 3), (described(corpus)[1].key, 2, 2),
    ]  # fmt: skip
    assert clusters.totals(corpus) == (2, 5, 6)


def test_a_cluster_shows_its_splits(corpus: Corpus, make_page: MakePage) -> None:
    pages = alike(make_page, "ferry", 2)
    others = [make_page(story(number), url=f"https://s{number}.org/") for number in range(8)]
    for page in [*pages, *others]:
        gold_on(page)
    assert described(corpus)[0].splits == []
    made = release(corpus)
    split = made.rows.get(gold__page=pages[0]).split
    (found,) = described(corpus)
    assert (found.splits, found.is_in_several_splits, found.gold) == ([(split, 2)], False, 2)
    elsewhere = made.rows.exclude(split=split).first()
    Page.objects.filter(pk=elsewhere.gold.page_id).update(cluster=pages[0])
    (found,) = described(corpus)
    assert found.is_in_several_splits
    assert dict(found.splits) == {split: 2, elsewhere.split: 1}


def test_pages_used_in_practice_are_marked(cast: SimpleNamespace, corpus: Corpus, parser: Parser) -> None:
    source = corpus_with_gold(parser, cast.hanne, pages=4)  # of more than five not all are listed
    ask(corpus, cast.hanne, source)
    practise(corpus, newcomer(corpus, "nell"))
    (found,) = described(source)
    assert sum(vars(page)["in_practice"] for page in found.pages) == 1


def test_pages_taken_down_are_not_listed(corpus: Corpus, make_page: MakePage) -> None:
    first, *_others = alike(make_page, "ferry", 3)
    take_down(page=first, reason="Asked to.")
    (found,) = described(corpus)
    assert (found.size, [page.pk for page in found.pages]) == (2, [page.pk for page in _others])


def test_the_screen_lists_clusters_with_links_to_their_pages(
    hanne: Client, corpus: Corpus, make_page: MakePage
) -> None:
    pages = alike(make_page, "ferry", clusters.PAGES_PER_CLUSTER + 2)
    gold_on(pages[1])
    listed = hanne.get(reverse("near-duplicates", args=[corpus.slug])).content.decode()
    address = reverse("cluster", args=[corpus.slug, pages[0].pk])
    assert f'href="{address}"' in listed
    assert listed.count("page-title") == clusters.PAGES_PER_CLUSTER
    alone = hanne.get(address).content.decode()
    for page in pages:
        assert f'href="{reverse("page-gold", args=[corpus.slug, page.pk])}"' in alone
    jaccard = DuplicatePair.objects.get(page=pages[1]).jaccard
    assert f"<b>{round(100 * jaccard)} %</b>" in alone
    assert "1 gold" in alone
    assert hanne.get(reverse("cluster", args=[corpus.slug, pages[1].pk])).status_code == 404


@pytest.mark.parametrize("more", [0, CLUSTERS_AT_ONCE])
def test_the_list_uses_a_fixed_number_of_queries(
    hanne: Client,
    corpus: Corpus,
    make_page: MakePage,
    more: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for page in alike(make_page, "ferry", 2):
        gold_on(page)
    release(corpus)
    for number in range(more):
        alike(make_page, f"n{number}x", 2)
    address = reverse("near-duplicates", args=[corpus.slug])
    hanne.get(address)
    with django_assert_num_queries(10):
        listed = hanne.get(address).content.decode()
    assert listed.count('scope="rowgroup"') == min(more + 1, CLUSTERS_AT_ONCE)
    with django_assert_num_queries(13):
        hanne.get(reverse("cluster", args=[corpus.slug, Page.objects.order_by("pk").first().pk]))


def test_a_band_of_many_pages_is_read_up_to_a_limit(corpus: Corpus) -> None:
    """Otherwise all pages with the same menu would be compared."""
    pages = Page.objects.bulk_create(
        Page(corpus=corpus, sha256=f"{number:064}", size=1, finished_at=timezone.now())
        for number in range(2 * near_duplicates.MAX_PAGES_PER_BAND)
    )
    digests = [7, 8]
    ShingleBand.objects.bulk_create(
        ShingleBand(page=page, corpus=corpus, band=band, digest=digest)
        for page in pages
        for band, digest in enumerate(digests)
    )
    found = near_duplicates._shared_bands(pages[-1], digests)
    newest = [page.pk for page in pages[:-1]][-near_duplicates.MAX_PAGES_PER_BAND :]
    assert found == dict.fromkeys(newest, 2)
