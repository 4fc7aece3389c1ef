"""Single sign-on against a provider that runs here, and second factors."""

import hmac
import re
import time
from base64 import b32decode
from collections.abc import Iterator
from http.client import HTTPConnection
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotator.corpora.actions import invite, revoke
from annotator.corpora.audit.models import AuditAction, AuditEvent
from annotator.corpora.authentication.provider import PROVIDER_ID, provider_settings
from annotator.corpora.models import Corpus, User
from annotator.corpora.queries import roles_of
from tests.annotator.corpora import openid_provider
from tests.factories import PASSWORD, make_user
from tests.responses import Response

pytestmark = pytest.mark.django_db

START = reverse("openid_connect_login", args=[PROVIDER_ID])
FAY: dict[str, Any] = {"sub": "fay-1", "email": "Fay@news.example", "email_verified": True, "name": "Fay Wu"}


@pytest.fixture
def provider(settings: Settings) -> Iterator[openid_provider.Provider]:
    with openid_provider.serving() as started:
        settings.SINGLE_SIGN_ON = "News SSO"
        settings.SOCIALACCOUNT_PROVIDERS = provider_settings(
            server_url=started.url,
            name="News SSO",
            client_id=openid_provider.CLIENT,
            secret=openid_provider.SECRET,
        )
        started.person = FAY
        yield started


def sign_on(client: Client, **start: str) -> Response:
    """Go to the provider and come back, as a browser does."""
    away = urlsplit(client.get(START, start).headers["Location"])
    connection = HTTPConnection(away.netloc)
    connection.request("GET", f"{away.path}?{away.query}")
    back = urlsplit(connection.getresponse().headers["Location"])
    connection.close()
    return client.get(f"{back.path}?{back.query}")


def who(client: Client) -> str:
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk).username if pk else ""


def test_the_account_with_the_verified_email_is_signed_in(
    client: Client, provider: openid_provider.Provider
) -> None:
    make_user("fay", email="fay@news.example")
    assert "News SSO" in client.get(reverse("sign-in")).content.decode()
    assert sign_on(client, next="/account/").headers["Location"] == "/account/"
    assert who(client) == "fay"
    assert AuditEvent.objects.filter(action=AuditAction.SIGNED_IN, person__username="fay").count() == 1
    # From then on the identity counts, not its e-mail.
    provider.person = {**FAY, "email": "married@news.example"}
    other = Client()
    sign_on(other)
    assert who(other) == "fay"


def test_the_terminal_sets_the_email_of_one_account(
    client: Client, provider: openid_provider.Provider
) -> None:
    for name in ("ada", "ben"):
        make_user(name)
    call_command("set_email", "ada", "fay@news.example")
    with pytest.raises(CommandError, match="Another account"):
        call_command("set_email", "ben", "FAY@news.example")
    sign_on(client)
    assert who(client) == "ada"


def test_an_invitation_for_the_verified_email_makes_an_account(
    client: Client, corpus: Corpus, cast: SimpleNamespace, provider: openid_provider.Provider
) -> None:
    invite(corpus=corpus, roles=["adjudicator"], made_by=cast.hanne, email="fay@NEWS.example")
    assert sign_on(client).status_code == 302
    user = User.objects.get(email__iexact=FAY["email"])
    assert (who(client), roles_of(user, corpus), str(user)) == (user.username, {"adjudicator"}, "Fay Wu")
    assert not user.has_usable_password()


@pytest.mark.parametrize("name", ["Kim Wong", "Kim W\u043eng"])
def test_nobody_gets_a_name_that_looks_like_another(
    client: Client, corpus: Corpus, cast: SimpleNamespace, provider: openid_provider.Provider, name: str
) -> None:
    make_user("userl", first_name="Kim Wong")
    invite(corpus=corpus, roles=["adjudicator"], made_by=cast.hanne, email=FAY["email"])
    provider.person = {**FAY, "name": name, "preferred_username": "user1"}
    assert sign_on(client).status_code == 302
    user = User.objects.get(email__iexact=FAY["email"])
    assert str(user) == user.username != "user1"
    user.full_clean()


def test_invitations_that_do_not_go_together_make_no_account(
    client: Client, corpus: Corpus, cast: SimpleNamespace, provider: openid_provider.Provider
) -> None:
    for role in ("annotator", "researcher"):
        invite(corpus=corpus, roles=[role], made_by=cast.hanne, email=FAY["email"])
    assert sign_on(client).status_code == 409
    assert not User.objects.filter(email__iexact=FAY["email"]).exists()


@pytest.mark.parametrize(
    ("changed", "account_email", "invited"),
    [
        ({}, "", ""),
        ({"email_verified": False}, "fay@news.example", ""),
        ({"email_verified": "false"}, "fay@news.example", ""),
        ({"email_verified": False}, "", "fay@news.example"),
        ({}, "", "other@news.example"),
        ({}, "", "revoked"),
        ({"email": ""}, "", ""),
    ],
)
def test_nobody_else_gets_in(
    client: Client,
    corpus: Corpus,
    cast: SimpleNamespace,
    provider: openid_provider.Provider,
    changed: dict[str, Any],
    account_email: str,
    invited: str,
) -> None:
    make_user("fay", email=account_email)
    if invited:
        email = invited if "@" in invited else "fay@news.example"
        invitation, _ = invite(corpus=corpus, roles=["adjudicator"], made_by=cast.hanne, email=email)
        if invited == "revoked":
            revoke(invitation=invitation)
    provider.person = {**FAY, **changed}
    before = User.objects.count()
    refused = sign_on(client)
    assert refused.status_code == 403
    # An invitation would not help whoever has no verified e-mail.
    reason = "no verified email address" if {"email", "email_verified"} & {*changed} else "no invitation"
    assert reason in refused.content.decode()
    assert (who(client), User.objects.count()) == ("", before)


def test_an_email_of_two_accounts_opens_neither(client: Client, provider: openid_provider.Provider) -> None:
    for name in ("fay", "faye"):
        make_user(name, email="fay@news.example")
    assert sign_on(client).status_code == 403
    assert who(client) == ""


def test_a_closed_account_stays_closed(client: Client, provider: openid_provider.Provider) -> None:
    make_user("fay", email="fay@news.example", is_active=False)
    assert sign_on(client).status_code == 403
    assert who(client) == ""


def test_a_token_for_another_site_is_refused(client: Client, provider: openid_provider.Provider) -> None:
    make_user("fay", email="fay@news.example")
    provider.audience = "another-site"
    assert sign_on(client).status_code == 401
    assert who(client) == ""


def test_no_identity_is_linked_from_within_a_session(
    client: Client, provider: openid_provider.Provider
) -> None:
    ada = make_user("ada")
    client.force_login(ada)
    assert sign_on(client, process="connect").status_code == 403
    assert sign_on(Client()).status_code == 403


def test_an_answer_that_nobody_asked_for_is_refused(
    client: Client, provider: openid_provider.Provider
) -> None:
    address = reverse("openid_connect_callback", args=[PROVIDER_ID])
    assert client.get(address, {"code": "x", "state": "made-up"}).status_code == 401


def test_a_provider_that_is_away_is_no_fault_of_ours(
    client: Client, provider: openid_provider.Provider
) -> None:
    provider.shutdown()
    provider.server_close()
    assert client.get(START).status_code == 503


def test_it_is_off_unless_configured(client: Client, settings: Settings) -> None:
    assert client.get(START).status_code == 404
    client.force_login(make_user("ada"))
    settings.SECOND_FACTORS = False
    assert client.get(reverse("mfa_activate_totp")).status_code == 404


# ---- second factors ----


@pytest.fixture
def ada(settings: Settings, db: None) -> User:
    settings.SECOND_FACTORS = True
    return make_user("ada", password=PASSWORD)


def code_of(secret: str, *, later: int = 0) -> str:
    """The six digits of RFC 6238, now or so many half minutes later."""
    counter = (int(time.time()) // 30 + later).to_bytes(8, "big")
    digest = hmac.digest(b32decode(secret), counter, "sha1")
    at = digest[-1] & 15
    return f"{(int.from_bytes(digest[at : at + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"


def wrong_code_of(secret: str) -> str:
    """Six digits that are right neither now nor for some minutes, as any that are always the same can be."""
    right = {code_of(secret, later=later) for later in range(-1, 20)}
    return next(code for code in map("{:06}".format, range(100)) if code not in right)


def sign_in(client: Client) -> Response:
    return client.post(reverse("sign-in"), {"username": "ada", "password": PASSWORD, "next": "/account/"})


def set_up(client: Client) -> tuple[str, list[str]]:
    """Set up an authenticator as ada does; its secret and the recovery codes."""
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    secret = client.get(reverse("mfa_activate_totp")).context["form"].secret
    answer = client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)}, follow=True)
    codes = re.findall(r"<li>(\w{8})</li>", answer.content.decode())
    assert len(codes) == 10
    return secret, codes


def test_with_a_second_factor_the_password_alone_signs_nobody_in(client: Client, ada: User) -> None:
    assert sign_in(client).headers["Location"] == "/account/"
    secret, codes = set_up(client)
    other = Client()
    assert sign_in(other).headers["Location"] == reverse("mfa_authenticate")
    assert who(other) == ""
    assert other.get(reverse("account")).status_code == 302
    refused = other.post(reverse("mfa_authenticate"), {"code": wrong_code_of(secret)})
    assert "code" in refused.context["form"].errors
    assert who(other) == ""
    assert other.post(reverse("mfa_authenticate"), {"code": codes[0]}).headers["Location"] == "/account/"
    assert who(other) == "ada"
    again = Client()
    sign_in(again)
    assert again.post(reverse("mfa_authenticate"), {"code": codes[0]}).status_code == 200, "each code once"
    assert who(again) == ""
    actions = [event.action for event in AuditEvent.objects.filter(about=ada).order_by("pk")]
    assert actions == ["second_factor_added", "second_factor_added", "sign_in_failed", "sign_in_failed"]


def test_codes_cannot_be_tried_without_end(client: Client, ada: User) -> None:
    sign_in(client)
    secret, codes = set_up(client)
    other = Client()
    sign_in(other)
    for _ in range(12):
        other.post(reverse("mfa_authenticate"), {"code": wrong_code_of(secret)})
    assert other.post(reverse("mfa_authenticate"), {"code": codes[0]}).status_code == 200
    assert who(other) == ""


def asks_for_password(answer: Response) -> bool:
    return answer.headers["Location"].startswith(reverse("account_reauthenticate"))


def test_setting_up_and_removing_a_second_factor_asks_for_the_password(client: Client, ada: User) -> None:
    client.force_login(ada)
    assert asks_for_password(client.get(reverse("mfa_activate_totp")))
    set_up(client)
    thief = Client()
    thief.force_login(ada)
    assert asks_for_password(thief.get(reverse("mfa_view_recovery_codes")))
    assert asks_for_password(thief.post(reverse("mfa_deactivate_totp")))
    assert asks_for_password(thief.post(reverse("mfa_generate_recovery_codes")))
    assert client.post(reverse("mfa_deactivate_totp")).status_code == 302
    assert sign_in(Client()).headers["Location"] == "/account/"


def test_a_lost_second_factor_is_removed_in_the_terminal(client: Client, ada: User) -> None:
    sign_in(client)
    set_up(client)
    call_command("remove_second_factor", "ADA")
    assert sign_in(Client()).headers["Location"] == "/account/"
    removed = AuditEvent.objects.filter(action=AuditAction.SECOND_FACTOR_REMOVED, source="command_line")
    assert {event.item for event in removed} == {"totp", "recovery_codes"}
