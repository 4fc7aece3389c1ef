"""Signing in and out, invitations, password links, as a browser does it, and as an attacker would."""

from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from annotator.corpora import actions, queries
from annotator.corpora.models import Corpus, User
from tests.annotator.test_headers import STRICT, policy_of
from tests.factories import PASSWORD, make_user, password_link

NEW_PASSWORD = {"new_password1": "another long one", "new_password2": "another long one"}


@pytest.fixture
def ada(db: None) -> User:
    return make_user("ada", password=PASSWORD)


def sign_in(client: Client, name: str = "ada", password: str = PASSWORD, **more: str) -> object:
    return client.post(reverse("sign-in"), {"username": name, "password": password, **more})


def test_sign_in_leads_home(client: Client, ada: User) -> None:
    assert sign_in(client).headers["Location"] == reverse("home")


def test_sign_in_takes_the_name_in_any_case(client: Client, ada: User) -> None:
    assert sign_in(client, "ADA").status_code == 302


def test_wrong_password_says_how_many_attempts_are_left(client: Client, ada: User) -> None:
    answer = sign_in(client, password="wrong")
    assert answer.status_code == 422
    assert "4 attempts left" in answer.content.decode()


def test_sign_out_needs_a_post(client: Client, ada: User) -> None:
    client.force_login(ada)
    assert client.get(reverse("sign-out")).status_code == 405
    assert client.post(reverse("sign-out")).headers["Location"] == reverse("sign-in")
    assert "_auth_user_id" not in client.session


def test_invitation_makes_an_account_and_signs_in(
    client: Client, corpus: Corpus, cast: SimpleNamespace
) -> None:
    _, token = actions.invite(corpus=corpus, roles=["adjudicator"], made_by=cast.hanne)
    form = {"first_name": "Fay Wu", "username": "fay", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(reverse("invitation", args=[token]), form).headers["Location"] == reverse("home")
    fay = User.objects.get(username="fay")
    assert queries.roles_of(fay, corpus) == {"adjudicator"}
    assert client.session["_auth_user_id"] == str(fay.pk)


@pytest.mark.parametrize(
    "changed",
    [
        {"username": "ADA"},
        {"username": "адa"},  # two letters of them are Cyrillic
        {"username": "сосо"},  # all of them: "coco" looks the same
        {"first_name": "Rheа Smith"},  # the last of "Rhea"
        {"first_name": "Ꭺda"},  # Cherokee
        {"first_name": "A\u200bda"},  # what cannot be seen
        {"password1": "short", "password2": "short"},
        {"password2": "other password"},
    ],
)
def test_invalid_form_does_not_use_up_the_invitation(
    client: Client, corpus: Corpus, cast: SimpleNamespace, changed: dict[str, str]
) -> None:
    make_user("coco")
    known = User.objects.count()
    _, token = actions.invite(corpus=corpus, roles=["adjudicator"], made_by=cast.hanne)
    form = {"first_name": "Fay Wu", "username": "fay", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(reverse("invitation", args=[token]), form | changed).status_code == 422
    assert queries.invitation_of(token) is not None
    assert User.objects.count() == known


def test_invitation_may_be_accepted_with_an_account(
    client: Client, corpus: Corpus, cast: SimpleNamespace
) -> None:
    _, token = actions.invite(corpus=corpus, roles=["annotator"], made_by=cast.hanne)
    client.force_login(cast.dov)
    address = reverse("invitation", args=[token])
    assert client.get(address).status_code == 200
    assert queries.roles_of(cast.dov, corpus) == set()
    assert client.post(address).status_code == 302
    assert queries.roles_of(cast.dov, corpus) == {"annotator"}


def test_annotator_cannot_become_researcher_by_an_invitation(
    client: Client, corpus: Corpus, cast: SimpleNamespace
) -> None:
    _, token = actions.invite(corpus=corpus, roles=["researcher"], made_by=cast.hanne)
    client.force_login(cast.ada)
    assert client.post(reverse("invitation", args=[token])).status_code == 409
    assert queries.roles_of(cast.ada, corpus) == {"annotator"}


def test_invalid_invitation_does_not_work(client: Client, db: None) -> None:
    assert client.get(reverse("invitation", args=["made-up"])).status_code == 410


def test_password_link_sets_a_password_once(client: Client, ada: User) -> None:
    link = password_link(ada)
    assert client.get(link).status_code == 200
    assert client.post(link, NEW_PASSWORD).headers["Location"] == reverse("sign-in")
    assert client.post(link, NEW_PASSWORD).status_code == 422
    assert sign_in(client, password="another long one").status_code == 302


def test_password_link_ends_a_lockout(client: Client, ada: User) -> None:
    for _ in range(5):
        sign_in(client, password="wrong")
    client.post(password_link(ada), NEW_PASSWORD)
    assert sign_in(client, password="another long one").status_code == 302


def test_password_link_ends_other_sessions(client: Client, ada: User) -> None:
    client.force_login(ada)
    Client().post(password_link(ada), NEW_PASSWORD)
    assert client.get(reverse("home")).status_code == 302


@pytest.mark.parametrize("uid", ["MQ", "!!", "LTE", "____"])
def test_invalid_password_link_does_not_work(client: Client, db: None, uid: str) -> None:
    assert client.get(reverse("password-link", args=[uid, "abc-def"])).status_code == 422


def test_an_invitation_is_taken_once(client: Client, corpus: Corpus, cast: SimpleNamespace) -> None:
    _, token = actions.invite(corpus=corpus, roles=["annotator"], made_by=cast.hanne)
    link = reverse("invitation", args=[token])
    for name, status in (("fay", 302), ("gus", 410)):
        form = {"first_name": name, "username": name, "password1": PASSWORD, "password2": PASSWORD}
        assert Client().post(link, form).status_code == status
    assert not User.objects.filter(username="gus").exists()
    client.force_login(cast.dov)
    assert client.post(link).status_code == 410
    assert client.get(link).status_code == 410


# ---- what an attacker tries ----


def test_another_host_is_refused(client: Client, db: None) -> None:
    for host in ("evil.example", "testserver.evil.example", "127.0.0.1@evil.example"):
        assert client.get("/sign-in/", headers={"host": host}).status_code == 400, host
    assert client.get("/sign-in/", headers={"host": "localhost"}).status_code == 200


def test_a_link_is_made_for_the_host_that_is_allowed(
    client: Client, corpus: Corpus, cast: SimpleNamespace
) -> None:
    """A forwarded host is no way to get an invitation that leads elsewhere."""
    client.force_login(cast.hanne)
    answer = client.post(
        reverse("invite", args=[corpus.slug]),
        {"roles": ["annotator"]},
        headers={"x-forwarded-host": "evil.example"},
    )
    assert b"/invitation/" in answer.content
    assert b"evil.example" not in answer.content


def test_cookies_are_kept_from_scripts_and_other_sites(client: Client, ada: User) -> None:
    sign_in(client)
    session = client.cookies["sessionid"]
    assert session["httponly"]
    assert session["samesite"] == "Lax"
    assert client.cookies["csrftoken"]["samesite"] == "Lax"
    client.post(reverse("set_language"), {"language": "es"})
    language = client.cookies["django_language"]
    assert language["httponly"]
    assert language["samesite"] == "Lax"


def test_signing_in_changes_the_session(client: Client, ada: User) -> None:
    """A session that somebody planted before is of no use afterwards."""
    client.session["planted"] = True
    before = client.session.session_key
    sign_in(client)
    assert client.session.session_key != before


@pytest.mark.parametrize("route", ["sign-in", "sign-out", "set_language"])
def test_a_form_without_its_token_is_refused_with_a_page(db: None, route: str) -> None:
    answer = Client(enforce_csrf_checks=True).post(reverse(route), {"username": "ada", "language": "es"})
    assert answer.status_code == 403
    assert policy_of(answer) == STRICT


def test_five_wrong_passwords_lock_the_account_for_this_address(client: Client, ada: User) -> None:
    answers = [sign_in(client, password="wrong") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [422, 422, 422, 422, 429]
    assert "Wait 15 minutes, or ask an admin for a reset link." in answers[-1].content.decode()
    assert policy_of(answers[-1]) == STRICT
    assert sign_in(client).status_code == 429
    assert "_auth_user_id" not in client.session
    assert sign_in(Client(REMOTE_ADDR="192.0.2.7")).status_code == 302, "an attacker must not lock ada out"


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


def test_signing_in_leads_to_no_other_site(client: Client, ada: User) -> None:
    assert sign_in(client, next="/c/dailies/").headers["Location"] == "/c/dailies/"
    for wanted in ELSEWHERE:
        assert sign_in(Client(), next=wanted).headers["Location"] == "/", wanted
        assert client.get(reverse("sign-in"), {"next": wanted}).headers["Location"] == "/", wanted
    assert client.get(reverse("sign-in"), {"next": "/c/dailies/"}).headers["Location"] == "/c/dailies/"


def test_choosing_a_language_leads_to_no_other_site(client: Client, db: None) -> None:
    for wanted in ELSEWHERE:
        answer = client.post(reverse("set_language"), {"language": "es", "next": wanted})
        assert answer.headers["Location"] == "/", wanted
