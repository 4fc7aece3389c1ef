"""The account screen: one's own sessions, ended one by one or together, and one's own password."""

import re
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.corpora.audit.models import AuditAction, AuditEvent
from annotator.corpora.models import User
from annotator.corpora.sessions.models import Session
from annotator.corpora.sessions.queries import open_sessions
from annotator.tasks import clear_sessions
from tests.factories import PASSWORD, SignedIn, make_user

pytestmark = pytest.mark.django_db

NEW = "another long one"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def ada(db: None) -> User:
    return make_user("ada", password=PASSWORD)


def browser(name: str = "ada", *, agent: str = "", address: str = "127.0.0.1") -> Client:
    """A browser in which they have signed in."""
    client = Client(headers={"user-agent": agent}, REMOTE_ADDR=address)
    assert client.post(reverse("sign-in"), {"username": name, "password": PASSWORD}).status_code == 302
    return client


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("home")).status_code == 200


def buttons(client: Client) -> list[str]:
    """What the buttons of the sessions send."""
    return re.findall(r'name="session" value="(\w+)"', client.get(reverse("account")).content.decode())


def test_everybody_sees_their_own_sessions_and_no_key(ada: User) -> None:
    make_user("ben", password=PASSWORD)
    browser("ben", address="192.0.2.9")
    here, there = browser(), browser(agent=FIREFOX, address="192.0.2.7")
    shown = here.get(reverse("account")).content.decode()
    assert "Firefox, Linux" in shown
    assert "192.0.2.7" in shown
    assert "192.0.2.9" not in shown
    assert shown.count(">This browser<") == 1
    for client in (here, there):
        assert client.session.session_key not in shown


def test_one_session_is_ended_and_the_others_go_on(ada: User) -> None:
    here, there, elsewhere = browser(), browser(), browser(agent=FIREFOX)
    (button,) = (
        each.digest for each in here.get(reverse("account")).context["sessions"] if "Firefox" in each.browser
    )
    assert here.post(reverse("account-session-end"), {"session": button}).status_code == 302
    assert [is_signed_in(client) for client in (here, there, elsewhere)] == [True, True, False]


def test_all_other_sessions_are_ended(ada: User) -> None:
    make_user("ben", password=PASSWORD)
    here, there, of_ben = browser(), browser(), browser("ben")
    here.post(reverse("account-session-end"))
    assert [is_signed_in(client) for client in (here, there, of_ben)] == [True, False, True]
    (event,) = AuditEvent.objects.filter(action=AuditAction.SESSIONS_ENDED)
    assert (event.person, event.about, event.changes) == (ada, ada, {"sessions": 1})


def test_nobody_ends_a_session_of_somebody_else(ada: User) -> None:
    make_user("ben", password=PASSWORD)
    of_ada, of_ben = browser(), browser("ben")
    browser()
    (button,) = buttons(of_ada)
    assert of_ben.post(reverse("account-session-end"), {"session": button}).status_code == 404
    assert len(buttons(of_ada)) == 1


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}, 302),
        ({"old_password": "wrong", "new_password1": NEW, "new_password2": NEW}, 422),
        ({"old_password": PASSWORD, "new_password1": "short", "new_password2": "short"}, 422),
        ({"old_password": PASSWORD, "new_password1": NEW, "new_password2": "other one, and long"}, 422),
    ],
)
def test_a_new_password_needs_the_old_one_and_ends_other_sessions(
    ada: User, form: dict[str, str], status: int
) -> None:
    here, there = browser(), browser()
    assert here.post(reverse("account-password"), form).status_code == status
    changed = status == 302
    assert [is_signed_in(client) for client in (here, there)] == [True, not changed]
    ada.refresh_from_db()
    assert ada.check_password(NEW if changed else PASSWORD)
    assert AuditEvent.objects.filter(action=AuditAction.PASSWORD_CHANGED).exists() == changed


def test_last_seen_follows_what_the_browser_does(ada: User) -> None:
    client = browser()
    session = client.session
    session["client"] = {**session["client"], "seen_at": "2020-01-01T00:00:00+00:00"}
    session.save()
    client.get(reverse("home"))
    (shown,) = open_sessions(ada)
    assert shown.seen_at > timezone.now() - timedelta(minutes=1)
    assert shown.begun_at <= shown.seen_at


def test_expired_sessions_are_deleted_and_the_others_stay(ada: User) -> None:
    here, there = browser(), browser()
    expired = Session.objects.filter(session_key=there.session.session_key)
    expired.update(expire_date=timezone.now() - timedelta(seconds=1))
    clear_sessions()
    assert not expired.exists()
    assert is_signed_in(here)


def test_a_password_changed_by_a_command_ends_the_sessions_and_is_in_the_audit_log(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = browser()
    monkeypatch.setattr("sys.stdin", StringIO(f"{NEW}\n"))
    call_command("changepassword", "Ada", "--password-stdin")
    ada.refresh_from_db()
    assert ada.check_password(NEW)
    assert not is_signed_in(here)
    assert AuditEvent.objects.filter(action=AuditAction.PASSWORD_CHANGED, about=ada).count() == 1


def test_display_name_is_changed_unless_it_looks_like_somebody_elses(
    cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    ada = signed_in(cast.ada)
    assert ada.post(reverse("account-name"), {"first_name": " Ada  L. "}).status_code == 302
    cast.ada.refresh_from_db()
    assert str(cast.ada) == "Ada L."
    event = AuditEvent.objects.get(action="display_name_changed")
    assert (event.person, event.changes) == (cast.ada, {"name": ["Ada", "Ada L."]})
    refused = ada.post(reverse("account-name"), {"first_name": "Ben"})
    assert refused.status_code == 422
    assert "looks the same" in refused.content.decode()
    cast.ada.refresh_from_db()
    assert str(cast.ada) == "Ada L."
