"""Corpora and pages by the API: added, listed by key, read."""

import os
from errno import ENOSPC
from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.administration.danger.actions import archive
from annotator.common import storage, work
from annotator.common.roles import Scope
from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus
from annotator.home.actions import create_corpus
from annotator.home.queries import pages_of
from annotator.pages.actions import build_document
from annotator.pages.models import Page
from annotator.releases.actions import take_down
from annotator.releases.exports.models import Export
from annotator.releases.models import Release
from extraction.sandbox import Parser
from tests.annotator.api.client import Api
from tests.factories import ARTICLE, MakePage, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

HTML = ARTICLE.format(number=7).encode()


def upload(data: bytes = HTML) -> SimpleUploadedFile:
    return SimpleUploadedFile("page.html", data, "text/html")


def test_a_corpus_is_created_and_its_creator_is_admin(cast: SimpleNamespace) -> None:
    api = Api(cast.hanne)
    made = api.post("/corpora", {"slug": "weeklies", "languages": ["es"], "labels": ["headline", "body"]})
    assert made.status_code == 201, made.content
    assert made.json()["roles"] == ["admin"]
    assert [label["name"] for label in made.json()["labels"]] == ["headline", "body"]
    assert {each["slug"] for each in api.get("/corpora").json()} == {"dailies", "weeklies"}
    again = api.post("/corpora", {"slug": "weeklies"})
    assert (again.status_code, again.json()["title"]) == (409, "Conflict")
    assert Api(cast.rhea).post("/corpora", {"slug": "monthlies"}).status_code == 403


def test_a_page_is_added_parsed_and_read(cast: SimpleNamespace, parser: Parser) -> None:
    api = Api(cast.hanne)
    captured = "2026-03-01T08:00:00+01:00"
    made = api.send(
        "/corpora/dailies/pages", file=upload(), url="https://gazette.example/a", captured_at=captured
    )
    assert made.status_code == 201, made.content
    page = made.json()["page"]
    assert (page["url"], page["capture"], page["state"]) == ("https://gazette.example/a", "sent", "building")
    address = f"/corpora/dailies/pages/{page['sha256']}"
    waiting = api.get(f"{address}/text")
    assert waiting.status_code == 404
    assert "try again" in waiting.json()["detail"]
    build_document(work.claim(Page, Page.objects.get().pk), parser)
    text = api.get(f"{address}/text").json()
    assert text["text"].startswith("Bridge opens") or "Bridge opens" in text["text"]
    document = api.get(f"{address}/document").json()
    assert document["sha256"] == text["sha256"] == api.get(address).json()["document_sha256"]
    assert document["length"] == len(text["text"])
    source = api.get(f"{address}/source")
    assert source.content == HTML
    assert source["Content-Type"] == "application/octet-stream"
    assert source["X-Content-Type-Options"] == "nosniff"
    again = api.send("/corpora/dailies/pages", file=upload())
    assert (again.status_code, again.json()["is_new"]) == (200, False)


def test_a_refusal_names_the_fields_as_the_request_does_and_says_what_they_should_be(
    cast: SimpleNamespace,
) -> None:
    api = Api(cast.hanne)
    refused = [
        api.post("/corpora", {"slug": "weeklies", "languages": ["english"], "name": "a\0b"}),
        api.post("/corpora", ""),
        api.post("/corpora/dailies/imports/addresses", {"addresses": ["https://a.example/", "a.example"]}),
        api.send("/corpora/dailies/pages", file=upload(), url="gazette.example/a", language="english"),
        api.get("/corpora/dailies/pages/ABC"),
    ]
    address = "Write an address that begins with http:// or https:// and has no spaces."
    language = "Write a language as two small letters, such as en."
    assert [{each["field"]: each["message"] for each in answer.json()["errors"]} for answer in refused] == [
        {"name": "it has the character NUL, which is in no text", "languages.0": language},
        {"body": "Field required"},
        {"addresses.1": address},
        {"url": address, "language": language},
        {"sha256": "Write a SHA-256 as 64 hexadecimal digits, in small letters."},
    ]


def test_a_field_that_nobody_knows_is_refused_wherever_it_stands(
    corpus: Corpus, cast: SimpleNamespace
) -> None:
    """In JSON, in a form and in the query: what is misspelt would be as if it were not there."""
    api = Api(cast.hanne)
    refused = [
        api.post("/corpora/dailies/exports", {"format": "jsonl", "relase": 1}),
        api.post("/corpora/dailies/releases", {"notes": "what is new"}),
        api.send("/corpora/dailies/pages", file=upload(), ulr="https://gazette.example/a"),
        api.get("/corpora/dailies/board", label="main"),
        api.get("/corpora/dailies/pages", limt=500),
    ]
    assert [answer.status_code for answer in refused] == [422] * 5
    unknown = "There is no such field here. Is it misspelt?"
    assert [answer.json()["errors"] for answer in refused] == [
        [{"field": name, "message": unknown}] for name in ("relase", "notes", "ulr", "label", "limt")
    ]
    assert not Page.objects.exists()
    assert not Export.objects.exists()
    assert not Release.objects.exists()


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 an archive", b"%PDF-1.7"])
def test_what_is_no_page_is_refused_with_the_reason(cast: SimpleNamespace, data: bytes) -> None:
    answer = Api(cast.hanne).send("/corpora/dailies/pages", file=upload(data))
    assert answer.status_code == 422
    assert answer.json()["detail"]
    assert not Page.objects.exists()


def test_a_page_for_which_there_is_no_space_can_be_sent_again(
    cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object) -> None:
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    api = Api(cast.hanne)
    api.client.raise_request_exception = False
    with monkeypatch.context() as disk:
        disk.setattr(storage, "put", full)
        answer = api.send("/corpora/dailies/pages", file=upload())
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["detail"].startswith("The disk of the server is full.")
    assert api.send("/corpora/dailies/pages", file=upload()).status_code == 201


def test_pages_are_read_slice_by_slice(cast: SimpleNamespace, make_page: MakePage) -> None:
    pages = [make_page(opened=False) for _ in range(5)]
    api, found, cursor = Api(cast.rhea), [], 0
    while cursor is not None:
        answer = api.get("/corpora/dailies/pages", cursor=cursor, limit=2).json()
        found += [each["sha256"] for each in answer["items"]]
        cursor = answer["next"]
    assert found == [page.sha256 for page in pages]
    assert api.get("/corpora/dailies/pages", state="gold").json() == {"items": [], "next": None}
    assert api.get("/corpora/dailies/pages", limit=501).status_code == 422


def test_a_list_of_pages_takes_the_same_queries_whatever_its_length(
    cast: SimpleNamespace, make_page: MakePage
) -> None:
    api = Api(cast.rhea)
    api.get("/account")
    for _ in range(2):
        make_page()
        with CaptureQueriesContext(connection) as found:
            api.get("/corpora/dailies/pages")
        assert len(found) == 4, [each["sql"] for each in found]


def test_a_later_slice_reads_no_more_rows_than_the_first(corpus: Corpus, cast: SimpleNamespace) -> None:
    """As the millionth page is as near as the first: the index of (corpus, key) is entered at the cursor."""
    Page.objects.bulk_create(Page(corpus=corpus, sha256=f"{number:064x}", size=1) for number in range(3_000))
    last = Page.objects.latest("pk").pk
    with connection.cursor() as cursor:
        cursor.execute("analyze annotator_page")
    rows = pages_of(corpus).filter(pk__gt=last - 100).order_by("pk")[:101]
    plan = rows.explain(analyze=True)
    assert "Index Scan using page_list" in plan or "Index Scan using annotator_page_pkey" in plan, plan
    assert "Rows Removed by Filter: " not in plan.partition("SubPlan")[0], plan


def test_a_page_that_was_taken_down_is_gone(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page(opened=False)
    raw = storage.get(page.sha256)
    take_down(page=page, reason="asked for", user=cast.hanne)
    api = Api(cast.hanne)
    assert api.send("/corpora/dailies/pages", file=upload(raw)).status_code == 410
    address = f"/corpora/dailies/pages/{page.sha256}"
    assert api.get(address).json()["is_taken_down"]
    for part in ("text", "document", "source"):
        assert api.get(f"{address}/{part}").status_code == 410


def test_roles_hold_as_on_the_screens(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page(opened=False)
    paths = ["/corpora/dailies", "/corpora/dailies/pages", f"/corpora/dailies/pages/{page.sha256}/text"]
    for person, status in (("ada", 403), ("cleo", 403), ("rhea", 200), ("hanne", 200), ("dov", 404)):
        for path in paths:
            assert Api(getattr(cast, person)).get(path).status_code == status, f"{person} at {path}"
    assert Api(cast.rhea).get(f"/corpora/dailies/pages/{page.sha256}/source").status_code == 403
    assert Api(cast.rhea).send("/corpora/dailies/pages", file=upload()).status_code == 403
    # An annotator is not admin of their corpus, site admin or not.
    assert Api(cast.ada).get("/corpora").json() == [
        {"slug": "dailies", "name": "Dailies", "roles": ["annotator"], "is_archived": False}
    ]


def test_a_page_of_another_corpus_is_not_there(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page(opened=False)
    other = create_corpus(slug="weeklies", creator=make_user("otto"))
    grant_role(corpus=other, user=cast.rhea, role="researcher")
    assert Api(cast.rhea).get(f"/corpora/weeklies/pages/{page.sha256}").status_code == 404


def test_an_archived_corpus_is_read_and_not_changed(corpus: Corpus, cast: SimpleNamespace) -> None:
    archive(corpus=corpus)
    api = Api(cast.hanne, Scope.READ, Scope.IMPORT)
    assert api.get("/corpora/dailies").json()["is_archived"]
    assert api.send("/corpora/dailies/pages", file=upload()).status_code == 409
