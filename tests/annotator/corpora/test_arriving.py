"""Session, person, corpus and roles come in one question; whatever ends one of them bites at once."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, Membership, User
from tests.factories import SignedIn

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(corpus: Corpus) -> str:
    return reverse("people", args=[corpus.slug])


@pytest.fixture
def hanne(cast: SimpleNamespace, signed_in: SignedIn, address: str) -> Client:
    """She was here before: this process remembers whose her session is."""
    client = signed_in(cast.hanne)
    assert client.get(address).status_code == 200
    return client


def test_who_was_here_before_is_looked_up_in_one_question(
    hanne: Client, address: str, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(3):
        assert hanne.get(address).status_code == 200


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


def session_becomes_somebody_elses(client: Client) -> None:
    """As far as its row says: what it holds is signed, and names her."""
    session = Session.objects.get(session_key=client.session.session_key)
    session.session_data = "nonsense"
    session.save()


@pytest.mark.parametrize(
    "ends",
    [signs_out, session_ends, password_changes, account_closes, session_becomes_somebody_elses],
)
def test_the_end_of_a_session_bites_at_once(
    hanne: Client, address: str, ends: Callable[[Client], None]
) -> None:
    cookie = hanne.cookies["sessionid"].value
    ends(hanne)
    hanne.cookies["sessionid"] = cookie
    assert hanne.get(address).status_code == 401


def test_a_role_taken_away_bites_at_once(hanne: Client, address: str, corpus: Corpus) -> None:
    Membership.objects.filter(user__username="hanne", corpus=corpus).update(ended_at=timezone.now())
    assert hanne.get(address).status_code == 404


def test_another_role_bites_at_once(
    hanne: Client, address: str, cast: SimpleNamespace, corpus: Corpus
) -> None:
    Membership.objects.filter(user=cast.hanne, corpus=corpus).update(ended_at=timezone.now())
    grant_role(corpus=corpus, user=cast.hanne, role="researcher")
    assert hanne.get(address).status_code == 403


def test_roles_of_another_corpus_do_not_count(hanne: Client, cast: SimpleNamespace) -> None:
    other = create_corpus(slug="other", name="Other")
    assert hanne.get(reverse("people", args=[other.slug])).status_code == 404


def test_a_session_that_is_anothers_by_now_is_hers(
    hanne: Client, address: str, cast: SimpleNamespace
) -> None:
    """What is remembered says about whom to ask, not who it is."""
    hanne.force_login(cast.rhea)
    assert hanne.get(address).status_code == 403
