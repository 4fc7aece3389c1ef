"""The guideline's screens: reading, comparing, writing, the example pages."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html
from pytest_django import DjangoAssertNumQueries

from annotator.corpora.actions import create_corpus
from annotator.corpora.guideline.actions import write_version
from annotator.corpora.guideline.examples import default_texts, examples
from annotator.corpora.models import Corpus
from tests.annotator.gold.test_adjudication import finalise
from tests.factories import MakePage, SignedIn, annotate, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

TEXT = "## 1 One\n\n1.1 Mark it & <b>it</b>. [Example](example:story#title) {body}\n"


@pytest.fixture
def ada(cast: SimpleNamespace, signed_in: SignedIn) -> Client:
    return signed_in(cast.ada)


def shown(client: Client, name: str, *args: object, **query: Any) -> html.HtmlElement:
    answer = client.get(reverse(name, args=["dailies", *args]), query, headers={"accept": "text/html"})
    assert answer.status_code == 200
    return html.document_fromstring(answer.content.decode())


def post(client: Client, **fields: object) -> tuple[int, html.HtmlElement]:
    given = {"based_on": 1, "en": TEXT, "es": "", "note": "shorter", **fields}
    answer = client.post(reverse("guideline-write", args=["dailies"]), given, headers={"accept": "text/html"})
    return answer.status_code, html.document_fromstring(answer.content.decode() or "<p>")


def second(corpus: Corpus, cast: SimpleNamespace) -> None:
    write_version(corpus=corpus, texts={"en": TEXT}, note="shorter", made_by=cast.hanne, based_on=1)


@pytest.mark.parametrize("name", ["ada", "ben", "cleo", "rhea", "hanne"])
def test_every_member_reads_it(cast: SimpleNamespace, signed_in: SignedIn, name: str) -> None:
    page = shown(signed_in(getattr(cast, name)), "guideline")
    assert page.get_element_by_id("2.1").text_content().split()[:3] == ["2.1", "The", "headline"]


def test_it_is_read_in_the_language_of_the_screen(ada: Client, corpus: Corpus, cast: SimpleNamespace) -> None:
    ada.cookies["django_language"] = "es"
    page = shown(ada, "guideline")
    assert page.find(".//article").get("lang") == "es"
    assert "El titular es el título" in page.get_element_by_id("2.1").text_content()
    second(corpus, cast)
    assert shown(ada, "guideline").find(".//article").get("lang") == "en", "there is no Spanish of version 2"


def test_first_version_is_not_called_the_default_guideline(cast: SimpleNamespace, hanne: Client) -> None:
    create_corpus(slug="own", name="Own", guideline={}, creator=cast.hanne)
    versions = hanne.get(reverse("guideline", args=["own"])).content.decode()
    assert "First version" in versions
    assert "Default guideline" not in versions


def test_versions_that_differ_in_another_language_say_which_was_compared(
    ada: Client, corpus: Corpus, cast: SimpleNamespace
) -> None:
    second(corpus, cast)
    texts = {"en": TEXT, "es": TEXT}
    write_version(corpus=corpus, texts=texts, note="in Spanish", made_by=cast.hanne, based_on=2)
    page = shown(ada, "guideline-compare").text_content()
    assert "No changes in this language (English)." in " ".join(page.split())


def test_an_older_version_says_so(ada: Client, corpus: Corpus, cast: SimpleNamespace) -> None:
    second(corpus, cast)
    assert "older version; version 2 is current" in shown(ada, "guideline-version", 1).text_content()
    assert "current version" in shown(ada, "guideline").text_content()
    assert ada.get(reverse("guideline-version", args=["dailies", 3])).status_code == 404


def test_two_versions_are_compared(ada: Client, corpus: Corpus, cast: SimpleNamespace) -> None:
    second(corpus, cast)
    page = shown(ada, "guideline-compare")
    assert "Guideline 1 to 2" in page.text_content()
    assert page.findall(".//ins")
    assert page.findall(".//del")
    changes = " ".join(part.text_content() for part in page.find_class("changes"))
    assert "Example" in changes
    assert "](" not in changes
    assert "{" not in changes
    assert "No changes" in shown(ada, "guideline-compare", **{"from": 2, "to": 2}).text_content()
    assert ada.get(reverse("guideline-compare", args=["dailies"]), {"to": "9"}).status_code == 404
    assert "Guideline 1 to 2" in shown(ada, "guideline-compare", **{"from": "x", "to": "²"}).text_content()


def test_admin_previews_and_then_publishes(hanne: Client, corpus: Corpus) -> None:
    status, page = post(hanne, preview="1")
    assert status == 200
    assert corpus.guidelines.count() == 1
    assert page.get_element_by_id("1.1").find(".//a[@target='_blank']").get("href").endswith("/story/#title")
    assert page.xpath("//div[@class='prose']/b") == [], "raw HTML is text"
    assert page.xpath("//textarea[@name='en']")[0].text_content().strip() == TEXT.strip()
    assert post(hanne)[0] == 302
    assert corpus.guidelines.get(number=2).note == "shorter"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"en": "no clause"}, "en: The guideline has no clause"),
        ({"en": TEXT + "\n1.1 Again."}, "en: Clause number 1.1 is used twice"),
        ({"en": ""}, "in at least one language"),
        ({"es": "## 1 Uno\n\n1.2 Otra."}, "Clause 1.1 exists in one language only"),
        ({"note": ""}, "This field is required"),
        (default_texts(), "Nothing has changed since version 1"),
    ],
)
def test_the_form_says_what_is_wrong_and_keeps_the_text(
    hanne: Client, corpus: Corpus, fields: dict[str, str], said: str
) -> None:
    status, page = post(hanne, **fields)
    assert status == 422
    assert said in page.text_content()
    assert corpus.guidelines.count() == 1
    kept = fields.get("en", TEXT)
    assert page.xpath("//textarea[@name='en']")[0].text_content().strip() == kept.strip()


def test_version_published_meanwhile_is_reported_and_then_followed(
    hanne: Client, corpus: Corpus, cast: SimpleNamespace
) -> None:
    second(corpus, cast)
    status, page = post(hanne, en=TEXT.replace("Mark", "Take"))
    assert status == 409
    assert "Version 2 was published meanwhile" in page.text_content()
    based_on = page.xpath("//input[@name='based_on']")[0].get("value")
    assert post(hanne, en=TEXT.replace("Mark", "Take"), based_on=based_on)[0] == 302
    corpus.refresh_from_db()
    assert corpus.guideline_version == 3


@pytest.mark.parametrize("name", sorted(examples("en")))
def test_an_example_shows_its_marks(ada: Client, name: str) -> None:
    page = shown(ada, "guideline-example", name)
    marked = [mark.text_content() for mark in page.findall(".//mark")]
    pieces = [piece for block in examples("en")[name].blocks for piece in block.pieces]
    assert marked == [piece.text for piece in pieces if piece.label]


def test_an_example_that_is_not_there_is_not_found(ada: Client) -> None:
    for name in ("nowhere", "pages", "en"):
        assert ada.get(reverse("guideline-example", args=["dailies", name])).status_code == 404


def test_an_adjudicator_has_the_clauses_of_the_newest_version_used(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, signed_in: SignedIn
) -> None:
    page = make_page()
    annotate(page, cast.ada, [span_of(page, "Bridge opens", "headline")])
    second(corpus, cast)
    annotate(page, cast.ben, [span_of(page, "Bridge opens", "body")])
    finalise(page)
    write_version(corpus=corpus, texts=default_texts(), note="", made_by=cast.hanne, based_on=2)
    answer = signed_in(cast.cleo).post(
        "/c/dailies/adjudicate/next/", headers={"accept": "text/html"}, follow=True
    )
    screen = html.document_fromstring(answer.content.decode())
    shown_rules = "".join(map(str, screen.find(".//section[@aria-labelledby='rules']").itertext()))
    assert "Guideline 2" in shown_rules
    assert "Mark it & <b>it</b>." in shown_rules


@pytest.mark.parametrize("versions", [1, 3])
def test_reading_asks_the_database_a_fixed_number_of_times(
    ada: Client,
    corpus: Corpus,
    cast: SimpleNamespace,
    versions: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(1, versions):
        text = TEXT.replace("Mark", f"Mark {number}")
        write_version(corpus=corpus, texts={"en": text}, note="", made_by=cast.hanne, based_on=number)
    with django_assert_num_queries(8):
        shown(ada, "guideline")
