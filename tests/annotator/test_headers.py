"""What an answer says besides its content: policies, cookies, downloads. And no captured markup is in it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client
from django.urls import reverse
from lxml import html

from annotator.corpora.actions import invite
from annotator.corpora.models import Corpus, User
from tests import scene
from tests.factories import PASSWORD, MakePage, make_user

pytestmark = pytest.mark.django_db

# In every text that somebody else gives us.
INK = "<script>ink()</script>"
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
WITH_CAPTURED_PAGES = {"annotate", "adjudicate", "glass", "feedback"}

ClientOf = Callable[[str], Client]


@pytest.fixture
def site(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> scene.Scene:
    """Everything there is, with markup wherever somebody could have written it."""
    Corpus.objects.filter(pk=corpus.pk).update(name=INK)
    corpus.refresh_from_db()
    cast.root = make_user("root", is_superuser=True)
    User.objects.update(first_name=INK)
    numbers = iter(range(100))

    def hostile(html: str = "", **options: object) -> object:
        return make_page(CAPTURED.format(n=next(numbers)) + html, **options)

    return scene.furnish(corpus, cast, hostile, note=INK)


@pytest.fixture
def client_of(cast: SimpleNamespace) -> ClientOf:
    """client_of(name) -> a browser in which she is signed in; a stranger's for ""."""

    def made(name: str) -> Client:
        client = Client()
        if name:
            client.force_login(getattr(cast, name))
        return client

    return made


def policy_of(answer: object) -> dict[str, str]:
    parts = answer.headers["Content-Security-Policy"].split(";")
    return {name: rest for name, _, rest in (part.strip().partition(" ") for part in parts) if name}


# ---- every screen ----


def test_every_screen_has_the_strict_policy(site: scene.Scene, client_of: ClientOf) -> None:
    for screen in site.screens:
        answer = client_of(screen.who).get(screen.address)
        expected = STRICT | (TRUSTED if screen.name in WITH_CAPTURED_PAGES else {})
        assert policy_of(answer) == expected, screen.name


def test_every_screen_has_the_other_headers(site: scene.Scene, client_of: ClientOf) -> None:
    for screen in site.screens:
        headers = client_of(screen.who).get(screen.address).headers
        assert headers["Content-Type"] == "text/html; charset=utf-8", screen.name
        assert headers["X-Content-Type-Options"] == "nosniff", screen.name
        assert headers["Referrer-Policy"] == "same-origin", screen.name
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin", screen.name
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin", screen.name
        assert headers["X-Frame-Options"] == "DENY", screen.name
        assert "no-store" in headers["Cache-Control"], screen.name


def test_screens_are_the_ones_meant(site: scene.Scene, client_of: ClientOf) -> None:
    unusual = {"used invitation": 410, "refusal": 403, "not found": 404}
    for screen in site.screens:
        answer = client_of(screen.who).get(screen.address)
        assert answer.status_code == unusual.get(screen.name, 200), screen.name


def test_no_screen_needs_inline_code_and_none_holds_foreign_markup(
    site: scene.Scene, client_of: ClientOf
) -> None:
    """Names, notes and titles full of markup come out as text; our own markup keeps to the policy."""
    shown = 0
    for screen in site.screens:
        body = client_of(screen.who).get(screen.address).content.decode()
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


def test_no_route_serves_captured_bytes(site: scene.Scene, client_of: ClientOf) -> None:
    """Markup of a captured page is in no answer: nowhere as it was captured, in the view as data only."""
    clients = [client_of(who) for who in ("ada", "cleo", "rhea", "hanne", "root")]
    addresses = [screen.address for screen in site.screens] + [site.document_address]
    for client in clients:
        for address in addresses:
            body = client.get(address).getvalue()
            assert b'onload="ink()"' not in body, address
            assert b'<h1 onclick="ink()">' not in body, address


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


# ---- the door ----


def test_another_host_is_refused(client: Client) -> None:
    for host in ("evil.example", "testserver.evil.example", "127.0.0.1@evil.example"):
        assert client.get("/sign-in/", headers={"host": host}).status_code == 400, host
    assert client.get("/sign-in/", headers={"host": "localhost"}).status_code == 200


def test_a_link_is_made_for_the_host_that_is_allowed(client_of: ClientOf, corpus: Corpus) -> None:
    """A forwarded host is no way to get an invitation that leads elsewhere."""
    answer = client_of("hanne").post(
        reverse("invite", args=[corpus.slug]),
        {"roles": ["annotator"]},
        headers={"x-forwarded-host": "evil.example"},
    )
    assert b"/invitation/" in answer.content
    assert b"evil.example" not in answer.content


def test_cookies_are_kept_from_scripts_and_other_sites(client: Client) -> None:
    make_user("ada", password=PASSWORD)
    client.post(reverse("sign-in"), {"username": "ada", "password": PASSWORD})
    session = client.cookies["sessionid"]
    assert session["httponly"]
    assert session["samesite"] == "Lax"
    assert client.cookies["csrftoken"]["samesite"] == "Lax"
    client.post(reverse("set_language"), {"language": "es"})
    language = client.cookies["django_language"]
    assert language["httponly"]
    assert language["samesite"] == "Lax"


def test_signing_in_changes_the_session(client: Client) -> None:
    """A session that somebody planted before is of no use afterwards."""
    make_user("ada", password=PASSWORD)
    client.session["planted"] = True
    before = client.session.session_key
    client.post(reverse("sign-in"), {"username": "ada", "password": PASSWORD})
    assert client.session.session_key != before


@pytest.mark.parametrize("route", ["sign-in", "sign-out", "set_language"])
def test_a_form_without_its_token_is_refused_with_a_page(route: str) -> None:
    answer = Client(enforce_csrf_checks=True).post(reverse(route), {"username": "ada", "language": "es"})
    assert answer.status_code == 403
    assert policy_of(answer) == STRICT


def test_the_locked_door_is_a_page_that_says_what_to_do(client: Client) -> None:
    make_user("ada", password=PASSWORD)
    for _ in range(5):
        answer = client.post(reverse("sign-in"), {"username": "ada", "password": "wrong"})
    assert answer.status_code == 429
    assert "Wait 15 minutes, or ask an admin for a new link." in answer.content.decode()
    assert policy_of(answer) == STRICT
    right = client.post(reverse("sign-in"), {"username": "ada", "password": PASSWORD})
    assert right.status_code == 429
    other = Client(REMOTE_ADDR="192.0.2.7").post(
        reverse("sign-in"), {"username": "ada", "password": PASSWORD}
    )
    assert other.status_code == 302, "an attacker must not lock her out where she is"


ELSEWHERE = [
    "https://evil.example/",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "http:evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    " https://evil.example",
    "/\t/evil.example",
]


def test_signing_in_leads_to_no_other_site(client: Client) -> None:
    user = make_user("ada", password=PASSWORD)
    form = {"username": "ada", "password": PASSWORD}
    for wanted in ("//evil.example", "/\\evil.example"):
        assert Client().post(reverse("sign-in"), form | {"next": wanted}).headers["Location"] == "/", wanted
    client.force_login(user)
    for wanted in ELSEWHERE:
        assert client.get(reverse("sign-in"), {"next": wanted}).headers["Location"] == "/", wanted
    assert client.get(reverse("sign-in"), {"next": "/c/dailies/"}).headers["Location"] == "/c/dailies/"


def test_choosing_a_language_leads_to_no_other_site(client: Client) -> None:
    for wanted in ELSEWHERE:
        answer = client.post(reverse("set_language"), {"language": "es", "next": wanted})
        assert answer.headers["Location"] == "/", wanted


def test_an_invitation_is_taken_once(client: Client, corpus: Corpus, cast: SimpleNamespace) -> None:
    _, token = invite(corpus=corpus, roles=["annotator"], made_by=cast.hanne)
    link = reverse("invitation", args=[token])
    for name, status in (("fay", 302), ("gus", 410)):
        form = {"first_name": name, "username": name, "password1": PASSWORD, "password2": PASSWORD}
        assert Client().post(link, form).status_code == status
    assert not User.objects.filter(username="gus").exists()
    client.force_login(cast.dov)
    assert client.post(link).status_code == 410
    assert client.get(link).status_code == 410


def test_a_new_password_ends_the_session_of_whoever_holds_it(
    client: Client, cast: SimpleNamespace, site: scene.Scene
) -> None:
    client.force_login(cast.ada)
    assert client.get("/").status_code == 200
    form = {"new_password1": "another long one", "new_password2": "another long one"}
    assert Client().post(scene.password_link(cast.ada), form).status_code == 302
    assert client.get("/").headers["Location"].startswith(reverse("sign-in"))
    assert client.get(site.document_address, headers={"accept": "application/json"}).status_code == 401


# ---- production ----

IN_PRODUCTION = """
import django, json
django.setup()
from django.test import Client
client = Client(headers={"host": "goldpan.example"})
plain, safe = client.get("/sign-in/"), client.get("/sign-in/", secure=True)
client.post("/language/", {"language": "es"}, secure=True)
from django.conf import settings
print(json.dumps({
    "plain": [plain.status_code, plain["Location"]],
    "safe": [safe.status_code, safe["Strict-Transport-Security"]],
    "cookies": {name: bool(cookie["secure"]) for name, cookie in client.cookies.items()},
    "session": settings.SESSION_COOKIE_SECURE,
    "debug": settings.DEBUG,
}))
"""


def in_production(**changes: str) -> "subprocess.CompletedProcess[str]":
    given = {"GOLDPAN_ENV": "production", "ALLOWED_HOSTS": "goldpan.example"}
    environment = {**os.environ, **given, **changes, "DJANGO_SETTINGS_MODULE": "annotator.settings"}
    command = [sys.executable, "-c", IN_PRODUCTION]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_production_is_https_only() -> None:
    ran = in_production()
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "plain": [301, "https://goldpan.example/sign-in/"],
        "safe": [200, "max-age=31536000"],
        "cookies": {"csrftoken": True, "django_language": True},
        "session": True,
        "debug": False,
    }


@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS"])
def test_production_refuses_to_start_half_configured(name: str) -> None:
    ran = in_production(**{name: ""})
    assert ran.returncode != 0
    assert f"{name} is not set" in ran.stderr
