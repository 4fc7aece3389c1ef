"""The screen of one page: its gold, the sources of its intervals, its versions; sent back with a reason."""

from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotator.corpora.models import Corpus
from annotator.gold.versions import add_gold
from annotator.home import page_screen, queries
from annotator.pages.models import Page
from annotator.releases.actions import take_down
from extraction.spans import Span
from tests.annotator.gold.test_adjudication import finalise
from tests.annotator.releases.made import release
from tests.annotator.scored import give_gold, make_gold
from tests.factories import MakePage, annotate, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def address(page: Page) -> str:
    return reverse("page-gold", args=[page.corpus.slug, page.pk])


def opened(client: Client, page: Page, query: str = "") -> page_screen.PageScreen:
    answer = client.get(address(page) + query)
    assert answer.status_code == 200
    screen: page_screen.PageScreen = answer.context["screen"]
    return screen


def test_every_row_of_the_list_opens_something(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, make_page: MakePage
) -> None:
    for person in (cast.ada, cast.ben):
        annotate(make_page(), person)
    make_gold(make_page())
    failed, building = make_page(opened=False), make_page(opened=False)
    Page.objects.filter(pk=failed.pk).update(error="deeper than 256", refusal="too-deep", document=None)
    Page.objects.filter(pk=building.pk).update(finished_at=None, document=None)
    take_down(page=make_page(), reason="asked for")
    pages = list(queries.pages_of(corpus))
    listed = hanne.get(reverse("corpus", args=[corpus.slug])).content.decode()
    assert all(f'href="{address(page)}"' in listed for page in pages)
    answers = {page.stage: hanne.get(address(page)) for page in pages}
    assert set(answers) == {"gold", "half", "failed", "building", "taken_down"}
    assert {answer.status_code for answer in answers.values()} == {200}
    assert "deeper than 256" in answers["failed"].content.decode()
    assert "is being processed" in answers["building"].content.decode()
    assert "was taken down" in answers["taken_down"].content.decode()


def test_page_without_gold_shows_nobodys_marks(
    cast: SimpleNamespace, hanne: Client, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, [span_of(page, "Bridge opens", "headline")])
    screen = opened(hanne, page)
    assert (screen.shown, screen.payload["gold"], screen.versions) == (None, [], [])
    assert hanne.get(screen.payload["urls"]["view"]).status_code == 200


def test_versions_tell_what_changed_and_where_they_were_released(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    page = make_page()
    headline, first = span_of(page, "Bridge opens", "headline"), span_of(page, "The council said", "body")
    give_gold(page, [headline, first])
    assert {each["name"] for each in opened(hanne, page).extractors} >= {"goldpan", "everything"}
    release(corpus)
    add_gold(
        document=page.document,
        verdict="article",
        spans=[(*headline, "unanimous"), (first.start, first.end, "supplemental", "adjudicated")],
        source="adjudicated",
    )
    screen = opened(hanne, page)
    assert [(each.gold.number, each.releases, each.changed) for each in screen.versions] == [
        (2, [], len("The council said")),
        (1, [1], None),
    ]
    assert [(each.source, each.intervals) for each in screen.sources] == [
        ("unanimous", 1),
        ("adjudicated", 1),
    ]
    assert screen.payload["gold"][1][2:] == ["supplemental", "adjudicated", ""]
    assert opened(hanne, page, "?version=1").payload["gold"][1][2:] == ["body", "unanimous", ""]
    assert hanne.get(address(page) + "?version=7").status_code == 404


@pytest.mark.parametrize("versions", [1, 3])
def test_query_count_of_a_page_is_fixed(
    hanne: Client, make_page: MakePage, versions: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    page = make_page()
    for _ in range(versions):
        give_gold(page)
    with django_assert_num_queries(14):
        hanne.get(address(page))


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ([], [], 0),
        ([(0, 5, "body")], [(0, 5, "body")], 0),
        ([(0, 5, "body")], [(0, 8, "body")], 3),
        ([(0, 5, "body")], [(0, 5, "headline")], 5),
        ([(0, 5, "body"), (9, 12, "body")], [(2, 5, "body"), (5, 7, "related")], 7),
    ],
)
def test_changed_characters_have_another_label_or_one_in_only_one(
    before: list[tuple[int, int, str]], after: list[tuple[int, int, str]], changed: int
) -> None:
    spans = [[Span(*each) for each in given] for given in (before, after)]
    assert page_screen.changed_characters(*spans) == changed


def test_sent_back_with_a_reason(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, make_page: MakePage
) -> None:
    page = make_page()
    for person in (cast.ada, cast.ben):
        annotate(page, person, [span_of(page, "Bridge opens", "headline")])
    finalise(page)
    asked = hanne.get(address(page) + "?why=Submitted+in+4+s").content.decode()
    assert "Submitted in 4 s</textarea>" in asked
    answer = hanne.post(
        reverse("gold-reopen", args=[corpus.slug, page.pk]), {"version": 1, "why": "Too fast"}, follow=True
    )
    html = answer.content.decode()
    assert "Sent back to adjudication." in html
    assert "Too fast" in html
    assert "Send back to adjudication" not in html, "it is before an adjudicator already"


@pytest.mark.parametrize(
    ("capture", "words"), [("sent", "as its server sent it"), ("rendered", "as a browser rendered it")]
)
def test_what_the_bytes_are_is_said(hanne: Client, make_page: MakePage, capture: str, words: str) -> None:
    page = make_page()
    Page.objects.filter(pk=page.pk).update(capture=capture)
    assert words in hanne.get(address(page)).content.decode()
