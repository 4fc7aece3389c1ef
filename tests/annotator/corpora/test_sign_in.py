"""Signing in and out, invitations, password links, as a browser does it, and as an attacker would."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.db import transaction
from django.db.models import F
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from annotator.common.errors import Gone
from annotator.corpora import actions, queries
from annotator.corpora.audit.origin import client_address
from annotator.corpora.models import Corpus, User
from tests.annotator.annotations.waiting import Meanwhile
from tests.annotator.test_headers import STRICT, policy_of
from tests.factories import PASSWORD, make_user, password_link
from tests.responses import Response

NEW_PASSWORD = {"new_password1": "another long one", "new_password2": "another long one"}


@pytest.fixture
def ada(db: None) -> User:
    return make_user("ada", password=PASSWORD)


def sign_in(client: Client, name: str = "ada", password: str = PASSWORD, **more: str) -> Response:
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


def test_nobody_joins_an_archived_corpus_until_it_is_restored(
    client: Client, corpus: Corpus, cast: SimpleNamespace
) -> None:
    invitation, token = actions.invite(corpus=corpus, roles=["adjudicator"], made_by=cast.hanne)
    Corpus.objects.filter(pk=corpus.pk).update(archived_at=timezone.now())
    address = reverse("invitation", args=[token])
    form = {"first_name": "Fay Wu", "username": "fay", "password1": PASSWORD, "password2": PASSWORD}
    for refused in (client.get(address), client.post(address, form)):
        assert (refused.status_code, "nobody can join it" in refused.content.decode()) == (410, True)
    assert not User.objects.filter(username="fay").exists()
    client.force_login(cast.dov)
    assert client.post(address).status_code == 410
    with pytest.raises(Gone, match="nobody can join it"):
        actions.accept(invitation=invitation, user=cast.dov)
    assert queries.roles_of(cast.dov, corpus) == set()
    Corpus.objects.filter(pk=corpus.pk).update(archived_at=None)
    assert client.post(address).status_code == 302
    assert queries.roles_of(cast.dov, corpus) == {"adjudicator"}


def test_annotator_cannot_become_researcher_by_an_invitation(
    client: Client, corpus: Corpus, cast: SimpleNamespace
) -> None:
    _, token = actions.invite(corpus=corpus, roles=["researcher"], made_by=cast.hanne)
    client.force_login(cast.ada)
    assert client.post(reverse("invitation", args=[token])).status_code == 409
    assert queries.roles_of(cast.ada, corpus) == {"annotator"}
    assert queries.invitation_of(token) is not None, "it stays open"


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


@pytest.mark.django_db(transaction=True)
def test_of_two_sign_ups_at_once_with_one_username_the_second_reads_that_it_is_taken(
    corpus: Corpus,
) -> None:
    hanne, other = make_user("hanne"), actions.create_corpus(slug="other")
    _, first = actions.invite(corpus=corpus, roles=["annotator"], made_by=hanne)
    _, second = actions.invite(corpus=other, roles=["annotator"], made_by=hanne)
    form = {"first_name": "Fay Wu", "username": "fay", "password1": PASSWORD, "password2": PASSWORD}

    def sign_up() -> Response:
        return Client().post(reverse("invitation", args=[second]), form)

    with transaction.atomic():
        actions.sign_up(token=first, username="fay", full_name="Fay Smith", password=PASSWORD)
        answer = Meanwhile(sign_up)
        assert answer.waits()
    assert answer.result().status_code == 422
    assert "This username is taken" in answer.result().content.decode()
    assert queries.invitation_of(second) is not None, "it stays open, for another username"


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


def fail(username: str, address: str, times: int = 1) -> int:
    """Try wrong passwords in a browser that nobody knows; the last status."""
    for _ in range(times):
        answer = sign_in(Client(REMOTE_ADDR=address), username, "wrong")
    return answer.status_code


HERE, THERE = "192.0.2.7", "198.51.100.1"


def test_many_usernames_from_one_address_are_slowed(ada: User) -> None:
    assert [fail(f"name{n}", HERE) for n in range(10)] == [422] * 9 + [429]
    assert fail("ada", HERE) == 429
    assert fail("ada", THERE) == 422, "nobody elsewhere is slowed"


def test_one_username_from_many_addresses_is_slowed(ada: User) -> None:
    assert [fail("ada", f"192.0.2.{n}", times=2) for n in range(10)] == [422] * 9 + [429]
    assert sign_in(Client(REMOTE_ADDR=THERE)).status_code == 429
    assert fail("ben", THERE) == 422, "no other name is slowed"


def test_who_signed_in_before_is_not_locked_out_by_others(ada: User) -> None:
    """Neither by guesses from their address nor by guesses at their name, and still only they."""
    browser = Client(REMOTE_ADDR=HERE)
    for before in (lambda: sign_in(browser), lambda: browser.post(password_link(ada), NEW_PASSWORD)):
        before()
        ada.refresh_from_db()
        browser.post(reverse("sign-out"))
        fail("ada", HERE, times=6)
        assert fail("ben", HERE, times=6) == fail("ada", THERE, times=6) == 429
        assert fail("ada", HERE) == 429
        answers = [sign_in(browser, password="wrong").status_code for _ in range(4)]
        assert answers == [422] * 4
        assert sign_in(browser, "ben").status_code == 429, "it is known for one name only"
    assert sign_in(browser, password="another long one").status_code == 302
    browser.post(reverse("sign-out"))
    assert [sign_in(browser, password="wrong").status_code for _ in range(5)][-1] == 429


def test_a_lockout_ends_though_somebody_goes_on_trying(ada: User) -> None:
    fail("ada", HERE, times=5)
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=14))
    assert fail("ada", HERE, times=3) == 429
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=2))
    assert sign_in(Client(REMOTE_ADDR=HERE)).status_code == 302


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, HERE, "127.0.0.1"),
        (1, HERE, HERE),
        (1, f"{THERE}, {HERE}", HERE),
        (2, f"{THERE}, {HERE}, 10.0.0.1", HERE),
        (2, HERE, "127.0.0.1"),
        (1, "", "127.0.0.1"),
        (1, "2001:db8:1:2:3::4", "2001:db8:1:2::"),
        (1, "::ffff:192.0.2.7", HERE),
        (1, "somewhere", None),
    ],
)
def test_proxies_are_believed_as_far_as_they_are_ours(
    settings: Any, rf: RequestFactory, proxies: int, forwarded: str, address: str | None
) -> None:
    settings.PROXIES = proxies
    assert client_address(rf.get("/", headers={"x-forwarded-for": forwarded})) == address


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
    for wanted in (*ELSEWHERE, "on"):
        assert sign_in(Client(), next=wanted).headers["Location"] == "/", wanted
        assert client.get(reverse("sign-in"), {"next": wanted}).headers["Location"] == "/", wanted
    assert client.get(reverse("sign-in"), {"next": "/c/dailies/"}).headers["Location"] == "/c/dailies/"


def test_choosing_a_language_leads_to_no_other_site(client: Client, db: None) -> None:
    for wanted in ELSEWHERE:
        answer = client.post(reverse("set_language"), {"language": "es", "next": wanted})
        assert answer.headers["Location"] == "/", wanted
