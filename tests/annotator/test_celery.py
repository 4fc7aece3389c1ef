"""What happens before and after each task of a worker."""

import logging

import pytest
from celery import current_app
from celery.signals import task_postrun, task_prerun
from django.db import connection, transaction

from annotator.corpora.models import Corpus
from annotator.home.pending import run_pending
from annotator.tasks import clear_sessions, sweep
from tests.factories import make_corpus

pytestmark = pytest.mark.django_db(transaction=True)


def begin_task() -> None:
    task_prerun.send(sender=sweep, task=sweep)


def backend() -> int:
    """The process of the server that this connection is to."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_tasks_share_a_connection() -> None:
    connection.close()  # that of the tests before may be old, or have failed
    before = backend()
    begin_task()
    task_postrun.send(sender=sweep, task=sweep, args=[], state="SUCCESS")
    assert backend() == before


def test_a_task_gets_another_connection_where_that_is_lost() -> None:
    before = backend()
    connection.connection.close()
    begin_task()
    assert backend() != before


def test_a_task_is_not_part_of_a_transaction_that_a_limit_left_open() -> None:
    transaction.atomic().__enter__()
    begin_task()
    make_corpus()
    connection.close()
    assert Corpus.objects.exists()


def test_a_task_that_is_run_within_a_transaction_leaves_that_alone() -> None:
    with transaction.atomic():
        make_corpus()
        clear_sessions.apply()
        assert Corpus.objects.exists()
    connection.close()
    assert Corpus.objects.exists()


def test_celery_leaves_connections_alone() -> None:
    assert current_app.conf.get("CELERY_DB_REUSE_MAX") > 10**9


def test_doing_all_work_here_leaves_the_log_alone() -> None:
    before = [*logging.getLogger().handlers]
    assert run_pending(make_corpus()) == 0
    assert logging.getLogger().handlers == before
