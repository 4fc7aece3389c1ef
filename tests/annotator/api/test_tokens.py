"""Tokens: shown once, kept as a digest, scoped, expiring, revoked; and never a session in their place."""

import re
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.test import Client
from django.utils import timezone
from redis.exceptions import ConnectionError as NoValkey

from annotator.api import limits
from annotator.common.logs import route_of
from annotator.common.roles import Scope
from annotator.corpora.audit.models import AuditAction, AuditEvent, AuditSource
from annotator.corpora.models import User
from annotator.corpora.tokens.models import ApiToken
from tests.annotator.api.client import PREFIX, Api, token_for
from tests.factories import SignedIn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

FORM = {"name": "SingleFile", "scopes": ["read"], "days": "30"}


def test_a_token_is_shown_once_and_kept_as_a_digest(hanne: Client) -> None:
    shown = hanne.post("/account/tokens/", FORM).content.decode()
    (text,) = set(re.findall(r"goldpan_[\w-]{43}", shown))
    token = ApiToken.objects.get()
    assert text not in hanne.get("/account/").content.decode()
    assert text not in [str(getattr(token, field.name)) for field in ApiToken._meta.fields]
    assert timedelta(days=29) < token.expires_at - timezone.now() < timedelta(days=31)
    assert Api(token=text).get("/account").json()["username"] == "hanne"
    token.refresh_from_db()
    assert token.used_at


@pytest.mark.parametrize("wrong", [{"name": " "}, {"scopes": []}, {"scopes": ["all"]}, {"days": "4000"}])
def test_no_token_for_nothing_or_for_ever(hanne: Client, wrong: dict[str, object]) -> None:
    answer = hanne.post("/account/tokens/", FORM | wrong)
    assert answer.status_code == 422
    assert not ApiToken.objects.exists()


def test_a_token_that_is_revoked_expired_or_of_a_closed_account_opens_nothing(
    cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    api = Api(cast.hanne)
    token = ApiToken.objects.get()
    assert signed_in(cast.rhea).post(f"/account/tokens/{token.pk}/revoke/").status_code == 404
    assert api.get("/account").status_code == 200
    made = token.made_at - timedelta(days=2)
    ApiToken.objects.update(expires_at=timezone.now(), made_at=made)
    assert api.get("/account").status_code == 401
    ApiToken.objects.update(expires_at=timezone.now() + timedelta(days=1))
    User.objects.filter(pk=cast.hanne.pk).update(is_active=False)
    assert api.get("/account").status_code == 401
    User.objects.filter(pk=cast.hanne.pk).update(is_active=True)
    signed_in(cast.hanne).post(f"/account/tokens/{token.pk}/revoke/")
    answer = api.get("/account")
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == 401


def test_a_session_is_no_token(cast: SimpleNamespace, hanne: Client) -> None:
    assert hanne.get(f"{PREFIX}/corpora").status_code == 401
    assert hanne.post(f"{PREFIX}/corpora", {"slug": "x"}, content_type="application/json").status_code == 401
    # The token says who asks, whoever is signed in.
    bearer = {"authorization": f"Bearer {token_for(cast.rhea)}"}
    answer = hanne.get(f"{PREFIX}/account", headers=bearer)
    assert answer.json()["username"] == "rhea"
    assert "sessionid" not in answer.cookies


def test_a_token_does_what_its_scopes_say(cast: SimpleNamespace) -> None:
    reading = Api(cast.hanne, Scope.READ)
    assert reading.get("/corpora/dailies").status_code == 200
    refused = reading.post("/corpora", {"slug": "weeklies"})
    assert refused.status_code == 403
    assert "administer" in refused.json()["detail"]
    assert Api(cast.hanne, Scope.ADMINISTER).get("/corpora").status_code == 403


def test_what_is_done_with_a_token_is_in_the_audit_log(cast: SimpleNamespace) -> None:
    assert Api(cast.hanne).post("/corpora", {"slug": "weeklies"}).status_code == 201
    event = AuditEvent.objects.get(action=AuditAction.CORPUS_CREATED, item="weeklies")
    assert (event.source, event.person) == (AuditSource.API, cast.hanne)
    made = AuditEvent.objects.get(action=AuditAction.TOKEN_MADE)
    assert made.changes["scopes"] == [*Scope]


def test_too_many_requests_of_a_person_wait_for_the_next_minute(
    cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.conf.settings.API_REQUESTS_PER_MINUTE", 3)
    minute = time.time() // 60 * 60
    monkeypatch.setattr(time, "time", lambda: minute + 35)
    first, second, other = Api(cast.hanne), Api(cast.hanne), Api(cast.rhea)
    codes = [api.get("/account").status_code for api in (first, second) * 2]
    assert codes == [200, 200, 200, 429], "whichever token"
    assert first.get("/account")["Retry-After"] == "25"
    assert other.get("/account").status_code == 200
    monkeypatch.setattr(time, "time", lambda: minute + 60)
    assert first.get("/account").status_code == 200


@pytest.fixture
def within_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are counted by the minute, and one may end between any two of a test."""
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)


@pytest.mark.usefixtures("within_a_minute")
def test_who_guesses_at_tokens_is_stopped(cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_FAILURES", 3)
    codes = [Api(token=f"goldpan_{number}").get("/account").status_code for number in range(8)]
    assert codes == [401] * 3 + [429] * 5


@pytest.mark.usefixtures("within_a_minute")
def test_requests_are_counted_where_valkey_is_not_there(
    cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*args: object, **options: object) -> None:
        raise NoValkey

    monkeypatch.setattr(limits, "cache", SimpleNamespace(add=gone))
    monkeypatch.setattr("django.conf.settings.API_REQUESTS_PER_MINUTE", 3)
    api = Api(cast.hanne)
    codes = [api.get("/account").status_code for _ in range(8)]
    assert codes == [200] * 3 + [429] * 5


def test_addresses_of_nothing_answer_as_the_api_does() -> None:
    for path in ("/nowhere", "/corpora/", "/corpora/a b", "/corpora?x=%00"):
        answer = Client().get(PREFIX + path)
        assert answer["Content-Type"] == "application/problem+json", path


@pytest.mark.parametrize(("method", "path"), [("PUT", "/corpora"), ("GET", "/extractions")])
def test_a_wrong_method_is_refused_as_the_api_does(cast: SimpleNamespace, method: str, path: str) -> None:
    answer = Api(cast.hanne).client.generic(method, PREFIX + path)
    assert (answer.status_code, answer.json()["status"]) == (405, 405)
    assert answer["Content-Type"] == "application/problem+json"
    assert "POST" in answer["Allow"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_logs_and_metrics_name_the_operation_and_not_its_path(cast: SimpleNamespace, method: str) -> None:
    for api in (Api(), Api(cast.hanne)):
        answer = api.client.generic(method, f"{PREFIX}/corpora/dailies/imports")
        named = {"GET": "api-list-imports", "POST": "api-import-files"}[method]
        assert route_of(answer.wsgi_request) == named
