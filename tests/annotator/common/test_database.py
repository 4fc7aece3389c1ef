"""A connection that is kept is used while it lives, and found dead before a request needs it."""

from collections.abc import Iterator

import pytest
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def kept() -> Iterator[BaseDatabaseWrapper]:
    """A connection as a request of the web server has it, beside that of the test."""
    other = connections["default"].copy()
    other.settings_dict = {**other.settings_dict, "CONN_HEALTH_CHECKS": True, "CONN_MAX_AGE": 60}
    other.connect()
    other.health_check_enabled = True
    yield other
    other.close()


def number(of: BaseDatabaseWrapper) -> int:
    """The server process that answers."""
    of.health_check_done = False
    with of.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_a_connection_that_lives_is_used_again(kept: BaseDatabaseWrapper) -> None:
    assert number(kept) == number(kept)


def test_one_that_the_server_ended_is_opened_anew(kept: BaseDatabaseWrapper) -> None:
    ended = number(kept)
    with connection.cursor() as cursor:
        cursor.execute("select pg_terminate_backend(%s, 5000)", [ended])
    assert not kept.is_usable()
    assert number(kept) not in (0, ended)


def test_after_an_error_it_is_asked(kept: BaseDatabaseWrapper) -> None:
    kept.errors_occurred = True
    kept.connection.close()
    assert not kept.is_usable()


def test_health_costs_no_question(kept: BaseDatabaseWrapper) -> None:
    asked_last = "select query from pg_stat_activity where pid = %s"
    lives = number(kept)
    with connection.cursor() as cursor:
        assert kept.is_usable()
        cursor.execute(asked_last, [lives])
        assert cursor.fetchone() == ("select pg_backend_pid()",)
