"""What a client is told when something behind a request fails."""

from email.message import Message
from errno import EDQUOT, ENOSPC
from os import strerror
from types import SimpleNamespace

import pytest
from django.db import InterfaceError, OperationalError
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from lxml import html

from annotator.administration.danger.actions import archive
from annotator.common.csv_files import download
from annotator.common.errors import StorageAway
from annotator.corpora.guideline import views as guideline
from annotator.corpora.models import Corpus
from annotator.home import views
from tests.factories import SignedIn
from tests.responses import Response

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def test_a_script_whose_session_is_gone_gets_no_cookie_that_spoils_a_form() -> None:
    """The open sign-in form of another tab has the cookie of its own request."""
    client = Client(enforce_csrf_checks=True)
    address = "/c/dailies/settings/jobs/pause/"
    answer = client.post(address, headers={"Accept": "application/json", "X-CSRFToken": "x" * 32})
    assert (answer.status_code, not answer.cookies) == (401, True)
    assert answer.json() == {"error": "You are signed out. Sign in again; nothing is lost."}
    page = client.post(address, headers={"Accept": "text/html"})
    assert page.status_code == 403
    assert "This form has expired" in page.content.decode()


GUIDELINE = "/c/dailies/guideline/write/"
TYPED = {
    "text-en": "\n# What to mark\n\nAll of <the> article.",
    "note": "Captions are <b>marked</b>.",
    "based_on": "1",
    "new_password": "three words long",
}


def typed_on(page: Response) -> list[str | None]:
    """The texts that a page gives back to be copied, as a browser reads them."""
    areas = html.document_fromstring(page.content.decode()).iter("textarea")
    return [area.text and area.text.removeprefix("\n") for area in areas if "readonly" in area.attrib]


def next_link(page: Response) -> html.HtmlElement:
    links = html.document_fromstring(page.content.decode()).iter("a")
    (link,) = (each for each in links if each.get("class") == "btn primary")
    return link


def test_a_form_submitted_after_its_session_ended_gives_back_what_was_typed(
    cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    form = f"{GUIDELINE}?from=1"
    headers = {"Origin": "http://testserver", "Referer": f"http://testserver{form}"}
    page = Client().post(GUIDELINE, TYPED, headers=headers)
    assert page.status_code == 401
    assert typed_on(page) == [TYPED["text-en"], TYPED["note"]]
    link = next_link(page)
    # What is to be copied stays open beside the form.
    assert link.get("target") == "_blank"
    assert signed_in(cast.hanne).get(str(link.attrib["href"]))["Location"] == form
    # A choice alone is nothing to copy, and what is no address nowhere to go on.
    page = Client().post(GUIDELINE, {"based_on": "1"}, headers={**headers, "Referer": "http://[bad"})
    assert page.status_code == 401
    assert "What you typed" not in page.content.decode()
    assert next_link(page).get("target") is None


def test_a_form_whose_token_has_changed_gives_back_what_was_typed_here() -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.post(GUIDELINE, TYPED, headers={"Origin": "http://testserver"})
    assert page.status_code == 403
    assert typed_on(page) == [TYPED["text-en"], TYPED["note"]]
    for headers in ({"Origin": "http://elsewhere.example"}, {"Origin": "null"}, {}):
        page = client.post(GUIDELINE, TYPED, headers=headers)
        assert page.status_code == 403
        assert "Captions" not in page.content.decode()


FROM_THE_FORM = {
    "Accept": "text/html",
    "Origin": "http://testserver",
    "Referer": f"http://testserver{GUIDELINE}",
}


def test_a_form_that_is_refused_gives_back_what_was_typed(cast: SimpleNamespace, signed_in: SignedIn) -> None:
    hanne = signed_in(cast.hanne)
    archive(corpus=Corpus.objects.get())
    page = hanne.post(GUIDELINE, TYPED, headers=FROM_THE_FORM)
    assert (page.status_code, typed_on(page)) == (409, [TYPED["text-en"], TYPED["note"]])
    link = next_link(page)
    assert (link.get("href"), link.get("target")) == (GUIDELINE, "_blank")
    # No longer a member.
    page = signed_in(cast.dov).post(GUIDELINE, TYPED, headers=FROM_THE_FORM)
    assert (page.status_code, typed_on(page)) == (404, [TYPED["text-en"], TYPED["note"]])
    for elsewhere in ("http://testserver//elsewhere.example/", "http://elsewhere.example/"):
        page = hanne.post(GUIDELINE, TYPED, headers={**FROM_THE_FORM, "Referer": elsewhere})
        assert "elsewhere" not in page.content.decode()
    # Where nothing was typed, nothing is to be opened again.
    page = hanne.post(GUIDELINE, {"based_on": "1"}, headers=FROM_THE_FORM)
    assert "new tab" not in page.content.decode()


def test_a_text_is_given_back_where_a_message_alone_would_lose_it(
    cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    hanne, why = signed_in(cast.hanne), "Has marked pages elsewhere."
    address = reverse("practice-waive", args=["dailies", cast.ada.pk])
    assert hanne.post(address, {"reason": why}, headers=FROM_THE_FORM).status_code == 302
    page = hanne.post(address, {"reason": why}, headers=FROM_THE_FORM)
    assert (page.status_code, typed_on(page)) == (409, [why])
    assert hanne.post(address, {"reason": "Known"}, headers=FROM_THE_FORM).status_code == 302


def break_with(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def broken(*_given: object, **_named: object) -> None:
        raise error

    for module in (views, guideline):
        monkeypatch.setattr(module, "render", broken)


@pytest.fixture
def client(cast: SimpleNamespace, signed_in: SignedIn) -> Client:
    client = signed_in(cast.hanne)
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize("error", [OperationalError("the server is starting up"), InterfaceError("closed")])
def test_without_a_database_clients_are_told_to_try_again(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    break_with(monkeypatch, error)
    page = client.get("/c/dailies/attention/", headers={"Accept": "text/html"})
    assert (page.status_code, page["Retry-After"]) == (503, "5")
    assert "Your saved work is safe" in page.content.decode()
    answer = client.get("/c/dailies/attention/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json() == {"error": "The database is restarting."}
    page = client.post(GUIDELINE, TYPED, headers=FROM_THE_FORM)
    assert (page.status_code, typed_on(page)) == (503, [TYPED["text-en"], TYPED["note"]])


@pytest.mark.parametrize(
    "error",
    [
        OSError(ENOSPC, strerror(ENOSPC), "files/ab"),
        OSError(EDQUOT, strerror(EDQUOT)),
        OperationalError('could not extend file "base/1": No space left on device'),
    ],
)
def test_on_a_full_disk_clients_are_told_so_and_to_try_again(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    break_with(monkeypatch, error)
    answer = client.get("/c/dailies/attention/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["error"].startswith("The disk of the server is full.")
    page = client.post(GUIDELINE, TYPED, headers=FROM_THE_FORM)
    assert (page.status_code, typed_on(page)) == (503, [TYPED["text-en"], TYPED["note"]])
    assert "The disk is full" in page.content.decode()


def test_while_the_bucket_is_away_clients_are_told_so_and_to_try_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_with(monkeypatch, StorageAway("the bucket of files cannot be used: InternalError"))
    answer = client.get("/c/dailies/attention/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["error"] == "The storage of files does not answer. Try again in a moment."
    page = client.post(GUIDELINE, TYPED, headers=FROM_THE_FORM)
    assert (page.status_code, typed_on(page)) == (503, [TYPED["text-en"], TYPED["note"]])
    assert "The storage of files does not answer." in page.content.decode()


def test_another_error_is_no_invitation_to_try_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    break_with(monkeypatch, KeyError("a defect"))
    page = client.get("/c/dailies/attention/")
    assert page.status_code == 500
    assert "Retry-After" not in page
    assert "a defect" not in page.content.decode()


def test_a_download_has_the_name_that_it_is_given_and_no_other() -> None:
    """Systems whose outputs are uploaded are called as their uploaders please."""
    name = 'errors-reader"; filename="run.html\r\nX-More: 1-dailies.csv'
    header = download(HttpResponse(), name)["Content-Disposition"]
    message = Message()
    message["Content-Disposition"] = header
    assert (message.get_filename() or "").endswith("dailies.csv")
    assert header.startswith('attachment; filename="errors-reader')
