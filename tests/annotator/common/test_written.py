"""Queries that are written once ask what their querysets ask, each time with other values."""

from collections.abc import Callable
from threading import Barrier, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.transaction import TransactionManagementError

from annotator.annotations.models import Slot
from annotator.common.written import Written
from annotator.corpora.models import Corpus, Membership, User

pytestmark = pytest.mark.django_db


def people(corpus: Any, role: Any) -> QuerySet[User]:
    held = Membership.objects.filter(user=OuterRef("pk"), corpus=corpus, role=role)
    return User.objects.filter(Exists(held), is_active=True).order_by("username")


def test_it_asks_what_the_queryset_asks(corpus: Corpus, cast: SimpleNamespace) -> None:
    written = Written(people)
    for role in ("annotator", "adjudicator", "researcher", "annotator"):
        assert written(corpus=corpus.pk, role=role) == list(people(corpus, role))
    assert written(corpus=0, role="annotator") == []
    assert written.first(corpus=0, role="annotator") is None


def test_rows_come_with_what_was_asked_for_beside_them(
    corpus: Corpus, cast: SimpleNamespace, django_assert_num_queries: Callable[..., Any]
) -> None:
    written = Written(lambda user: Membership.objects.filter(user=user).select_related("corpus", "user"))
    for person in (cast.ada, cast.ben):
        with django_assert_num_queries(1):
            (found,) = written(user=person.pk)
            assert (found.user, found.corpus.slug) == (person, corpus.slug)


def test_rows_are_what_the_orm_makes_of_them(corpus: Corpus, cast: SimpleNamespace) -> None:
    def held(user: Any) -> QuerySet[Membership]:
        return Membership.objects.filter(user=user).select_related("corpus", "user")

    (found,), (usual,) = Written(held)(user=cast.ada.pk), held(cast.ada)
    for ours, theirs in ((found, usual), (found.corpus, usual.corpus), (found.user, usual.user)):
        facts, expected = dict(vars(ours)), dict(vars(theirs))
        state, wanted = facts.pop("_state"), expected.pop("_state")
        assert (facts, state.adding, state.db) == (expected, wanted.adding, wanted.db)
        assert state.fields_cache.keys() == wanted.fields_cache.keys()


def test_columns_left_out_are_fetched_when_they_are_read(cast: SimpleNamespace) -> None:
    written = Written(lambda user: User.objects.only("username").filter(pk=user))
    (found,) = written(user=cast.ada.pk)
    assert found.get_deferred_fields() >= {"password"}
    assert found.first_name == "Ada"


@pytest.mark.django_db(transaction=True)
def test_rows_are_held_in_a_transaction_only(corpus: Corpus, cast: SimpleNamespace) -> None:
    written = Written(lambda user: User.objects.select_for_update().filter(pk=user))
    with transaction.atomic():
        assert written(user=cast.ada.pk) == [cast.ada]
    with pytest.raises(TransactionManagementError):
        written(user=cast.ada.pk)


@pytest.mark.django_db(transaction=True)
def test_threads_ask_by_connections_of_their_own(corpus: Corpus, cast: SimpleNamespace) -> None:
    written = Written(people)
    together, found = Barrier(4), {}

    def ask(name: str, role: str) -> None:
        try:
            together.wait()
            found[name] = [written(corpus=corpus.pk, role=role) for _ in range(20)]
        finally:
            connection.close()

    roles = {"ada": "annotator", "cleo": "adjudicator", "rhea": "researcher", "hanne": "admin"}
    threads = [Thread(target=ask, args=asked) for asked in roles.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, role in roles.items():
        assert found[name] == [list(people(corpus, role))] * 20, name


def test_a_value_of_the_make_is_no_place(corpus: Corpus, cast: SimpleNamespace) -> None:
    written = Written(lambda corpus: Slot.objects.filter(corpus=corpus, number=1)[:1])
    assert written(corpus=corpus.pk) == []


def test_values_come_as_tuples(corpus: Corpus, cast: SimpleNamespace) -> None:
    written: Written[tuple[str, str]] = Written(
        lambda user: (
            Membership.objects.filter(user=user).order_by("role").values_list("role", "user__username")
        )
    )
    assert written(user=cast.ada.pk) == [("annotator", "ada")]
    assert written.first(user=cast.dov.pk) is None
