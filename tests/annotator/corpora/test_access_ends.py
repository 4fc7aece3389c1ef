"""The end of a session, an account or a role takes effect with the next request."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, Membership, User
from annotator.corpora.sessions.models import Session
from tests.factories import SignedIn, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


@pytest.fixture
def address(corpus: Corpus) -> str:
    return reverse("people", args=[corpus.slug])


@pytest.fixture
def admin(cast: SimpleNamespace, signed_in: SignedIn, address: str) -> Client:
    """An admin who is signed in and has opened the screen before."""
    client = signed_in(cast.hanne)
    assert client.get(address).status_code == 200
    return client


def signs_out(client: Client) -> None:
    client.post(reverse("sign-out"))


def session_ends(client: Client) -> None:
    Session.objects.update(expire_date=timezone.now())


def password_changes(client: Client) -> None:
    person = User.objects.get(username="hanne")
    person.set_password("quite another one, and long")
    person.save()


def account_closes(client: Client) -> None:
    User.objects.filter(username="hanne").update(is_active=False)


@pytest.mark.parametrize(
    "ends",
    [signs_out, session_ends, password_changes, account_closes],
)
def test_end_of_a_session_takes_effect_at_once(
    admin: Client, address: str, ends: Callable[[Client], None]
) -> None:
    cookie = admin.cookies["sessionid"].value
    ends(admin)
    admin.cookies["sessionid"] = cookie
    assert admin.get(address).status_code == 401


def test_end_of_a_role_takes_effect_at_once(admin: Client, address: str, corpus: Corpus) -> None:
    Membership.objects.filter(user__username="hanne", corpus=corpus).update(ended_at=timezone.now())
    assert admin.get(address).status_code == 404


def test_change_of_role_takes_effect_at_once(
    admin: Client, address: str, cast: SimpleNamespace, corpus: Corpus
) -> None:
    Membership.objects.filter(user=cast.hanne, corpus=corpus).update(ended_at=timezone.now())
    grant_role(corpus=corpus, user=cast.hanne, role="researcher")
    assert admin.get(address).status_code == 403


def test_roles_of_another_corpus_do_not_count(admin: Client, cast: SimpleNamespace) -> None:
    other = create_corpus(slug="other", name="Other")
    assert admin.get(reverse("people", args=[other.slug])).status_code == 404


def test_a_deleted_corpus_is_gone_for_its_members_and_for_site_admins(
    admin: Client, address: str, corpus: Corpus, signed_in: SignedIn
) -> None:
    root = signed_in(make_user("root", is_superuser=True))
    assert root.get(address).status_code == 200, "they are admin without a role"
    Corpus.objects.filter(pk=corpus.pk).update(deleted_at=timezone.now())
    assert [client.get(address).status_code for client in (admin, root)] == [404, 404]
