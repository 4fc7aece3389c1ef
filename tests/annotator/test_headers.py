"""What an answer says besides its content: policies, cookies, downloads. And no captured markup is in it."""

import json
from collections.abc import Callable
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client
from django.urls import reverse
from lxml import html

from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page
from tests import scene
from tests.factories import MakePage, make_user
from tests.responses import Response

pytestmark = pytest.mark.django_db

# In every text that somebody else gives us.
MARKUP = "<script>ink()</script>"
CAPTURED = """<!doctype html><html lang=en><title>Bridge &lt;script>ink()&lt;/script></title>
<body onload="ink()"><script>ink()</script><h1 onclick="ink()">Bridge opens</h1>
<p>The council said on Monday that the bridge, closed for most of the year, would open again, said {n}.</p>
<p>People who live near it have been asked to use the other road until then, and buses go round.</p>"""

STRICT = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "frame-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
TRUSTED = {"require-trusted-types-for": "'script'", "trusted-types": "'none'"}
WITH_CAPTURED_PAGES = {"annotate", "adjudicate", "error-view", "feedback", "gold of a page"}

ClientOf = Callable[[str], Client]
Answers = dict[scene.Screen, Response]


@pytest.fixture(scope="module")
def site(shared_corpus: Corpus, shared_cast: SimpleNamespace, make_shared_page: MakePage) -> scene.Scene:
    """Everything there is, with markup wherever somebody could have written it."""
    Corpus.objects.filter(pk=shared_corpus.pk).update(name=MARKUP)
    shared_corpus.refresh_from_db()
    shared_cast.root = make_user("root", is_superuser=True)
    User.objects.update(first_name=MARKUP)
    numbers = count()

    def hostile(html: str = "", **options: Any) -> Page:
        return make_shared_page(CAPTURED.format(n=next(numbers)) + html, **options)

    return scene.furnish(shared_corpus, shared_cast, hostile, note=MARKUP)


@pytest.fixture(scope="module")
def client_of(shared_cast: SimpleNamespace) -> ClientOf:
    """client_of(name) -> a browser in which they are signed in; a stranger's for ""."""

    def made(name: str) -> Client:
        client = Client()
        if name:
            client.force_login(getattr(shared_cast, name))
        return client

    return made


@pytest.fixture(scope="module")
def answers(site: scene.Scene, client_of: ClientOf) -> Answers:
    """What each screen answers to the person who works on it."""
    return {screen: client_of(screen.who).get(screen.address) for screen in site.screens}


def policy_of(answer: Response) -> dict[str, str]:
    parts = answer.headers["Content-Security-Policy"].split(";")
    return {name: rest for name, _, rest in (part.strip().partition(" ") for part in parts) if name}


# ---- every screen ----


def test_no_screen_is_forgotten(site: scene.Scene) -> None:
    assert not scene.routes_without_a_screen(site.screens)
    without_boards = [screen for screen in site.screens if "leaderboard" not in screen.address]
    assert {"leaderboard", "leaderboard-pages", "error-view"} <= scene.routes_without_a_screen(without_boards)


def test_every_screen_has_the_strict_policy(answers: Answers) -> None:
    for screen, answer in answers.items():
        expected = STRICT | (TRUSTED if screen.name in WITH_CAPTURED_PAGES else {})
        assert policy_of(answer) == expected, screen.name


def test_every_screen_has_the_other_headers(answers: Answers) -> None:
    for screen, answer in answers.items():
        headers = answer.headers
        assert headers["Content-Type"] == "text/html; charset=utf-8", screen.name
        assert headers["X-Content-Type-Options"] == "nosniff", screen.name
        assert headers["Referrer-Policy"] == "same-origin", screen.name
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin", screen.name
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin", screen.name
        assert headers["X-Frame-Options"] == "DENY", screen.name
        assert "no-store" in headers["Cache-Control"], screen.name


def test_every_screen_answers_with_its_status(answers: Answers) -> None:
    unusual = {"used invitation": 410, "refusal": 403, "not found": 404}
    for screen, answer in answers.items():
        assert answer.status_code == unusual.get(screen.name, 200), screen.name


def test_no_screen_has_inline_code_or_foreign_markup(answers: Answers) -> None:
    """Names, notes and titles full of markup come out as text; our own markup keeps to the policy."""
    shown = 0
    for screen, answer in answers.items():
        body = answer.content.decode()
        shown += "&lt;script&gt;ink()" in body
        tree = html.document_fromstring(body)
        inline = [each for each in tree.iter("script") if not each.get("src") and not _is_data(each)]
        assert not inline, f"{screen.name}: {[each.text for each in inline]}"
        assert not list(tree.iter("style")), screen.name
        assert not tree.xpath("//@style | //@*[starts-with(name(), 'on')]"), screen.name
        assert "ink()</h1>" not in body, screen.name
    assert shown >= 10, "the hostile names are not where this test looks for them"


def _is_data(script: html.HtmlElement) -> bool:
    return script.get("type") == "application/json" and json.loads(script.text) is not None


def test_answers_to_modules_are_data_and_nothing_else(site: scene.Scene, client_of: ClientOf) -> None:
    answer = client_of("ada").get(site.document_address)
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert policy_of(answer)["frame-ancestors"] == "'none'"
    refused = Client().get(site.document_address, headers={"accept": "application/json"})
    assert (refused.status_code, refused.headers["Content-Type"]) == (401, "application/json")


def test_no_route_serves_captured_bytes(site: scene.Scene, answers: Answers, client_of: ClientOf) -> None:
    """Markup of a captured page is in no answer: nowhere as it was captured, in the view as data only."""
    bodies = {screen.address: answer.getvalue() for screen, answer in answers.items()}
    bodies[site.document_address] = client_of("ada").get(site.document_address).getvalue()
    superuser = client_of("root")
    for address, body in list(bodies.items()):
        for each in (body, superuser.get(address).getvalue()):
            assert b'onload="ink()"' not in each, address
            assert b'<h1 onclick="ink()">' not in each, address


def test_an_export_is_saved_never_shown(site: scene.Scene, client_of: ClientOf) -> None:
    answer = client_of("hanne").get(site.export_address)
    assert b"ink()" in answer.getvalue(), "the export holds the captured bytes"
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert policy_of(answer)["default-src"] == "'none'"


@pytest.mark.parametrize("name", ["frame", "frame-quirks"])
def test_the_frames_skeleton_may_do_nothing(client_of: ClientOf, name: str) -> None:
    answer = client_of("ada").get(reverse(name))
    assert policy_of(answer) == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'self'",
        "sandbox": "allow-same-origin",
    }
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    tree = html.document_fromstring(answer.content)
    assert not tree.xpath("//script | //link | //@src | //@href")


# ---- files ----


def test_static_files_say_what_they_are(client: Client) -> None:
    answer = client.get(staticfiles_storage.url("js/annotate.js"))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/static/../manage.py",
        "/static../manage.py",
        "/static/%2e%2e/manage.py",
        "/static/..%2fmanage.py",
        "/static/js/../../environment.json",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/..\\manage.py",
        "/files/",
        "/var/files/",
    ],
)
def test_nothing_outside_the_static_folder_is_served(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404
