"""Signing in and out, invitations, password links, as a browser does it."""

from types import SimpleNamespace

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.test import Client
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from annotator.corpora import actions, queries
from annotator.corpora.models import Corpus, User
from tests.factories import PASSWORD, make_user


@pytest.fixture
def ada(db: None) -> User:
    return make_user("ada", password=PASSWORD)


def sign_in(client: Client, name: str = "ada", password: str = PASSWORD, **more: str) -> object:
    return client.post(reverse("sign-in"), {"username": name, "password": password, **more})


def test_sign_in_leads_home(client: Client, ada: User) -> None:
    assert sign_in(client).headers["Location"] == reverse("home")


def test_sign_in_takes_the_name_in_any_case(client: Client, ada: User) -> None:
    assert sign_in(client, "ADA").status_code == 302


def test_sign_in_leads_where_she_wanted_to_go(client: Client, ada: User) -> None:
    assert sign_in(client, next="/c/dailies/").headers["Location"] == "/c/dailies/"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_sign_in_leads_nowhere_else(client: Client, ada: User, elsewhere: str) -> None:
    assert sign_in(client, next=elsewhere).headers["Location"] == reverse("home")


def test_wrong_password_says_how_many_tries_are_left(client: Client, ada: User) -> None:
    answer = sign_in(client, password="wrong")
    assert answer.status_code == 422
    assert "4 tries are left" in answer.content.decode()


def test_five_wrong_passwords_close_the_door_for_a_while(client: Client, ada: User) -> None:
    answers = [sign_in(client, password="wrong").status_code for _ in range(5)]
    assert answers == [422, 422, 422, 422, 429]
    assert sign_in(client).status_code == 429
    assert "_auth_user_id" not in client.session


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
    [{"username": "ADA"}, {"password1": "short", "password2": "short"}, {"password2": "other password"}],
)
def test_invitation_is_not_used_up_by_a_mistake(
    client: Client, corpus: Corpus, cast: SimpleNamespace, changed: dict[str, str]
) -> None:
    _, token = actions.invite(corpus=corpus, roles=["adjudicator"], made_by=cast.hanne)
    form = {"first_name": "Fay Wu", "username": "fay", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(reverse("invitation", args=[token]), form | changed).status_code == 422
    assert queries.invitation_of(token) is not None
    assert not User.objects.filter(username="fay").exists()


def test_invitation_may_be_taken_by_somebody_with_an_account(
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


def test_made_up_invitation_opens_nothing(client: Client, db: None) -> None:
    assert client.get(reverse("invitation", args=["made-up"])).status_code == 410


def link_of(user: User) -> str:
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("password-link", args=[uid, default_token_generator.make_token(user)])


def test_password_link_sets_a_password_once(client: Client, ada: User) -> None:
    link, form = link_of(ada), {"new_password1": "another long one", "new_password2": "another long one"}
    assert client.get(link).status_code == 200
    assert client.post(link, form).headers["Location"] == reverse("sign-in")
    assert client.post(link, form).status_code == 422
    assert sign_in(client, password="another long one").status_code == 302


def test_password_link_opens_a_closed_door_again(client: Client, ada: User) -> None:
    for _ in range(5):
        sign_in(client, password="wrong")
    client.post(link_of(ada), {"new_password1": "another long one", "new_password2": "another long one"})
    assert sign_in(client, password="another long one").status_code == 302


def test_password_link_ends_other_sessions(client: Client, ada: User) -> None:
    client.force_login(ada)
    Client().post(link_of(ada), {"new_password1": "another long one", "new_password2": "another long one"})
    assert client.get(reverse("home")).status_code == 302


@pytest.mark.parametrize("uid", ["MQ", "!!", "LTE", "____"])
def test_made_up_password_link_opens_nothing(client: Client, db: None, uid: str) -> None:
    assert client.get(reverse("password-link", args=[uid, "abc-def"])).status_code == 422


def test_pages_of_the_door_have_no_inline_script_or_style(client: Client, db: None) -> None:
    html = client.get(reverse("sign-in")).content.decode()
    assert "style=" not in html
    assert "<script>" not in html
    assert " onclick" not in html
