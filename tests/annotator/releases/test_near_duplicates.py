"""Clusters of near duplicates, as admins look at them; and how many rows a new page's neighbours take."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.pages import neighbours
from annotator.pages.models import Likeness, Page, ShingleBand
from annotator.releases import clusters
from annotator.releases.actions import take_down
from annotator.releases.neighbours import CLUSTERS_AT_ONCE
from extraction.sandbox import Parser
from tests.annotator.practice.made import ask, newcomer, practise, settled_corpus
from tests.annotator.releases.made import gold_on, release, story
from tests.factories import MakePage, page_maker

pytestmark = pytest.mark.django_db


@pytest.fixture
def hanne(client: Client, cast: SimpleNamespace) -> Client:
    client.force_login(cast.hanne)
    return client


def text(name: str, end: str = "") -> str:
    words = " ".join(f"{name}{place}" for place in range(200))
    return f"<title>{name}{end}</title><h1>Of {name}</h1><p>{words} {end}</p>"


def alike(make_page: MakePage, name: str, copies: int) -> list[Page]:
    return [
        make_page(text(name, f"copy{number}"), url=f"https://{name}{number}.org/") for number in range(copies)
    ]


def described(corpus: Corpus) -> list[clusters.Cluster]:
    return clusters.described(corpus, clusters.clusters_of(corpus))


def test_what_joined_two_pages_is_kept(corpus: Corpus, make_page: MakePage) -> None:
    first, second = alike(make_page, "ferry", 2)
    (kept,) = Likeness.objects.all()
    shingles = [neighbours.shingles_of(page.documents.get().text) for page in (first, second)]
    assert (kept.page, kept.other, kept.jaccard) == (second, first, neighbours.jaccard(*shingles))
    assert kept.jaccard >= neighbours.ALIKE


def test_a_page_between_two_clusters_says_both(corpus: Corpus, make_page: MakePage) -> None:
    words = [f"word{number}" for number in range(460)]
    parts = [words[:400], words[60:], words[30:430]]
    first, last, between = (make_page(f"<p>{' '.join(part)}</p>") for part in parts)
    (found,) = described(corpus)
    assert [page.pk for page in found.pages] == [first.pk, last.pk, between.pk]
    assert {each.other for each in found.pages[2].likeness} == {first, last}
    assert found.least == min(each.jaccard for each in found.pages[2].likeness)


def test_the_largest_come_first_and_pages_alone_not_at_all(
    corpus: Corpus, make_page: MakePage, parser: Parser
) -> None:
    make_page(story(1))
    alike(make_page, "few", 2)
    many = alike(make_page, "many", 3)
    page_maker(create_corpus(slug="elsewhere"), parser)(text("many"))
    assert [(each.key, each.size, each.sites) for each in described(corpus)] == [
        (many[0].pk, 3, 3), (described(corpus)[1].key, 2, 2),
    ]  # fmt: skip
    assert clusters.held(corpus) == (2, 5, 6)


def test_a_cluster_says_its_split_and_when_it_is_torn(corpus: Corpus, make_page: MakePage) -> None:
    pages = alike(make_page, "ferry", 2)
    others = [make_page(story(number), url=f"https://s{number}.org/") for number in range(30)]
    for page in [*pages, *others]:
        gold_on(page)
    assert described(corpus)[0].splits == []
    made = release(corpus)
    split = made.rows.get(gold__page=pages[0]).split
    (found,) = described(corpus)
    assert (found.splits, found.is_torn, found.gold) == ([(split, 2)], False, 2)
    elsewhere = made.rows.exclude(split=split).first()
    Page.objects.filter(pk=elsewhere.gold.page_id).update(cluster=pages[0])
    (found,) = described(corpus)
    assert found.is_torn
    assert dict(found.splits) == {split: 2, elsewhere.split: 1}


def test_a_page_on_which_somebody_practised_says_so(
    cast: SimpleNamespace, corpus: Corpus, parser: Parser
) -> None:
    source = settled_corpus(parser, cast.hanne, pages=4)  # of more than five not all are listed
    ask(corpus, cast.hanne, source)
    practise(corpus, newcomer(corpus, "nell"))
    (found,) = described(source)
    assert sum(page.practised for page in found.pages) == 1


def test_a_page_that_was_taken_down_is_no_longer_there(corpus: Corpus, make_page: MakePage) -> None:
    first, *_others = alike(make_page, "ferry", 3)
    take_down(page=first, reason="Asked to.")
    (found,) = described(corpus)
    assert (found.size, [page.pk for page in found.pages]) == (2, [page.pk for page in _others])


def test_the_screen_lists_clusters_and_leads_to_their_pages(
    hanne: Client, corpus: Corpus, make_page: MakePage
) -> None:
    pages = alike(make_page, "ferry", clusters.SHOWN + 2)
    gold_on(pages[1])
    listed = hanne.get(reverse("near-duplicates", args=[corpus.slug])).content.decode()
    address = reverse("cluster", args=[corpus.slug, pages[0].pk])
    assert f'href="{address}"' in listed
    assert listed.count("page-title") == clusters.SHOWN
    alone = hanne.get(address).content.decode()
    for page in pages:
        assert f'href="{reverse("page-gold", args=[corpus.slug, page.pk])}"' in alone
    jaccard = Likeness.objects.get(page=pages[1]).jaccard
    assert f"<b>{round(100 * jaccard)} %</b>" in alone
    assert "1 gold" in alone
    assert hanne.get(reverse("cluster", args=[corpus.slug, pages[1].pk])).status_code == 404


@pytest.mark.parametrize("more", [0, CLUSTERS_AT_ONCE])
def test_the_list_takes_as_many_queries_for_one_as_for_all(
    hanne: Client, corpus: Corpus, make_page: MakePage, more: int, django_assert_num_queries: Any
) -> None:
    for page in alike(make_page, "ferry", 2):
        gold_on(page)
    release(corpus)
    for number in range(more):
        alike(make_page, f"n{number}x", 2)
    address = reverse("near-duplicates", args=[corpus.slug])
    hanne.get(address)
    with django_assert_num_queries(7):
        listed = hanne.get(address).content.decode()
    assert listed.count('scope="rowgroup"') == min(more + 1, CLUSTERS_AT_ONCE)
    with django_assert_num_queries(10):
        hanne.get(reverse("cluster", args=[corpus.slug, Page.objects.order_by("pk").first().pk]))


def test_a_band_of_many_pages_is_not_read_to_its_end(corpus: Corpus) -> None:
    """Else a corpus of pages with one menu is compared each with each."""
    pages = Page.objects.bulk_create(
        Page(corpus=corpus, sha256=f"{number:064}", size=1, finished_at=timezone.now())
        for number in range(2 * neighbours.LOOKED_AT)
    )
    digests = [7, 8]
    ShingleBand.objects.bulk_create(
        ShingleBand(page=page, corpus=corpus, band=band, digest=digest)
        for page in pages
        for band, digest in enumerate(digests)
    )
    found = neighbours._meeting(pages[-1], digests)
    newest = [page.pk for page in pages[:-1]][-neighbours.LOOKED_AT :]
    assert found == dict.fromkeys(newest, 2)
