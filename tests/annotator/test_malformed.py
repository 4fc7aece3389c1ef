"""What cannot be understood is refused as such, on every route, and is never an error of ours."""

import io
import json
import socket
from types import SimpleNamespace
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.test import Client
from django.test.client import encode_multipart
from django.urls import reverse

from annotator.annotations.models import Annotation
from annotator.corpora.models import Corpus
from annotator.web_worker import LARGEST_BODY, PromptWorker
from annotator.wsgi import application
from tests.annotator.api.client import token_for
from tests.factories import MakePage, SignedIn

pytestmark = pytest.mark.django_db

DEEP = "[" * 100_000
BODIES = {
    "deep": f'{{"verdict": {DEEP}',
    "deep and closed": f'{{"verdict": {DEEP}{"]" * 100_000}}}',
    "no object": "[]",
    "not JSON": "{",
    "no UTF-8": b"\xff\xfe\x00",
}


@pytest.fixture
def address(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, signed_in: SignedIn) -> str:
    """The page that ada annotates."""
    make_page()
    client = signed_in(cast.ada)
    address = client.post(f"/c/{corpus.slug}/next/")["Location"]
    assert client.get(address).status_code == 200
    return str(address)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("route", ["save/", "submit/"])
def test_json_that_cannot_be_understood(
    address: str, cast: SimpleNamespace, signed_in: SignedIn, route: str, body: str | bytes
) -> None:
    answer = signed_in(cast.ada).post(f"{address}{route}", body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert not Annotation.objects.get().revisions.exists()


def test_who_was_removed_meanwhile_is_told_so_in_words(
    address: str, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    """The screen shows it beside what could not be saved."""
    ada = signed_in(cast.ada)
    signed_in(cast.hanne).post(f"/c/dailies/settings/people/{cast.ada.pk}/leave/")
    headers = {"accept": "application/json"}
    refused = ada.post(f"{address}save/", "{}", content_type="application/json", headers=headers)
    assert refused.status_code == 404
    assert refused.json()["error"] == "There is no such corpus, or you have no role in it."
    elsewhere = ada.post("/c/dailies/nowhere/", "{}", content_type="application/json", headers=headers)
    assert elsewhere.json()["error"] == "There is nothing here, or you may not see it."


@pytest.mark.parametrize(
    "body",
    [
        '{"based_on": 0, "verdict": "\\ud800", "spans": []}',
        '{"based_on": 0, "\\udfff": 1}',
        '{"based_on": 0, "reason": "\\u0000", "spans": []}',
        '{"based_on": 0, "spans": [{"start": 0, "end": 1, "label": "\\ud912", "text": "\\u0000"}]}',
    ],
)
def test_characters_that_are_in_no_text(
    address: str, cast: SimpleNamespace, signed_in: SignedIn, body: str
) -> None:
    for route in ("save/", "submit/"):
        answer = signed_in(cast.ada).post(f"{address}{route}", body, content_type="application/json")
        assert answer.status_code in (409, 422)
        assert answer.json()["error"]


def test_a_body_of_another_kind(address: str, cast: SimpleNamespace, signed_in: SignedIn) -> None:
    answer = signed_in(cast.ada).post(f"{address}save/", {"verdict": "article"})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        *(
            (f"application/json; charset={name}", 400)
            for name in ("klingon", "hex", "utf-16", "undefined", "\0")
        ),
        ("application/x-www-form-urlencoded; charset=utf-7", 400),
        ("multipart/form-data; boundary=x; charset*=klingon''%e4", 400),
        ('application/x-www-form-urlencoded; charset="UTF-8"', 403),
        ("", 403),
    ],
)
def test_only_utf_8_reaches_django(kind: str, status: int) -> None:
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/sign-in/",
        "HTTP_HOST": "testserver",
        "CONTENT_TYPE": kind,
    }
    setup_testing_defaults(environ)
    answered: list[str] = []
    application(environ, lambda line, headers, exc_info=None: answered.append(line))
    assert answered[0].startswith(str(status))


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("/api/v1/corpora/dailies/predictions", "application/problem+json"),
        ("/c/dailies/runs/upload/", "text/html; charset=utf-8"),
    ],
)
def test_who_sends_too_much_is_told_what_to_do(address: str, kind: str) -> None:
    worker = object.__new__(PromptWorker)
    worker._waiting = {}
    answered: dict[str, str] = {}

    def start_response(line: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
        answered.update(headers, status=line)

    ours, theirs = socket.socketpair()
    with ours, theirs:
        environ: dict[str, Any] = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": address,
            "HTTP_HOST": "testserver",
            "CONTENT_TYPE": "multipart/form-data; boundary=x",
            "CONTENT_LENGTH": str(LARGEST_BODY + 1),
            "gunicorn.socket": ours,
            "wsgi.input": io.BytesIO(b"the rest is still under way"),
        }
        setup_testing_defaults(environ)
        body = b"".join(worker._when_complete(application)(environ, start_response))
    assert answered["status"].startswith("413")
    assert answered["Content-Type"] == kind
    assert b"larger than 16 MiB. Compress it with gzip, or split it." in body
    assert LARGEST_BODY == settings.DATA_UPLOAD_MAX_MEMORY_SIZE


@pytest.mark.parametrize(
    ("address", "kind", "body", "status", "detail"),
    [
        ("corpora/dailies/imports", "multipart/form-data", b"x", 400, "cannot be read: Invalid boundary"),
        (
            "corpora/dailies/imports",
            "multipart/form-data; boundary=x",
            encode_multipart("x", {"files": [ContentFile(b"x", "a.html")] * 101}),
            400,
            "100 files and 1000 fields. Send more files as one archive",
        ),
        ("corpora/", "application/json", b"{}", 404, "no such address in the API"),
    ],
    ids=["no form", "many files", "another address"],
)
def test_programs_are_refused_in_the_format_of_the_api(
    cast: SimpleNamespace, address: str, kind: str, body: bytes, status: int, detail: str
) -> None:
    headers = {"authorization": f"Bearer {token_for(cast.hanne)}"}
    client = Client(enforce_csrf_checks=True, headers=headers)
    refused = client.post(f"/api/v1/{address}", body, content_type=kind)
    assert (refused.status_code, refused["Content-Type"]) == (status, "application/problem+json")
    assert detail in refused.json()["detail"]


@pytest.mark.parametrize("number", [2**63, 10**40])
def test_numbers_that_no_row_can_have(
    address: str, cast: SimpleNamespace, signed_in: SignedIn, number: int
) -> None:
    ada, hanne = signed_in(cast.ada), signed_in(cast.hanne)
    head, _, _ = address.rstrip("/").rpartition("/")
    assert ada.get(f"{head}/{number}/").status_code == 404
    retried = hanne.post(reverse("attention-retry", args=["dailies"]), {"kind": "page", "row": number})
    assert retried.status_code in (302, 404)
    body = json.dumps({"based_on": number})
    assert ada.post(f"{address}submit/", body, content_type="application/json").status_code < 500


def test_forms_and_queries_with_nul(corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn) -> None:
    hanne = signed_in(cast.hanne)
    assert hanne.post("/c/dailies/releases/make/", {"note": "one\0two"}).status_code == 400
    assert hanne.get("/c/dailies/", {"q": "\0"}).status_code == 400


def test_progress_before_any_re_parse(corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn) -> None:
    assert signed_in(cast.hanne).get("/c/dailies/reparsing/state/").status_code == 404


def test_a_username_that_nobody_can_have(client: Client) -> None:
    answer = client.post(reverse("sign-in"), {"username": "a" * 256, "password": "long enough, and wrong"})
    assert answer.status_code == 422
