"""The pipeline enqueues by name and after commit; what it could not send, the sweeper finds (invariant 8)."""

import inspect
import re

import pytest
from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from annotator import pipeline
from annotator.annotations import actions as annotations
from annotator.celery import import_tasks
from annotator.common import work
from annotator.common.queues import QUEUES, waiting_in
from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page
from annotator.pages.models import Page
from annotator.runs.models import Extraction, Extractor
from annotator.tasks import follow_document
from tests.annotator.annotations.waiting import Meanwhile
from tests.factories import MakePage

pytestmark = pytest.mark.django_db(transaction=True)

Messages = list[tuple[str, tuple[int, ...]]]

TASK = re.compile(r"annotator(?:\.\w+)+\.tasks\.\w+")


@pytest.fixture
def row(corpus: Corpus) -> Page:
    return add_page(corpus=corpus, raw=b"<p>text").page


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Messages:
    """What reached the broker."""
    messages: Messages = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_: messages.append((name, args)))
    return messages


def test_message_is_sent_after_commit(row: Page, sent: Messages) -> None:
    with transaction.atomic():
        pipeline.enqueue(row)
        assert sent == []
    assert sent == [("annotator.pages.tasks.build_document", (row.pk,))]


def test_rows_of_one_kind_share_messages(corpus: Corpus, sent: Messages) -> None:
    keys = [add_page(corpus=corpus, raw=b"<p>%d" % number).page.pk for number in range(10)]
    pipeline.extractions_requested(Page.objects.order_by("pk"))
    task = "annotator.pages.tasks.build_document"
    assert sent == [(task, tuple(keys[:8])), (task, tuple(keys[8:]))]


def test_nothing_is_sent_after_a_rollback(row: Page, sent: Messages) -> None:
    with transaction.atomic():
        pipeline.enqueue(row)
        transaction.set_rollback(True)
    assert sent == []


def test_unreachable_broker_fails_no_request(row: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_args: object, **_options: object) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(current_app, "send_task", away)
    with transaction.atomic():
        Page.objects.filter(pk=row.pk).update(url="https://kept.example/")
        pipeline.enqueue(row)
    assert Page.objects.get().url == "https://kept.example/"


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How many messages wait in each queue."""
    counts = dict.fromkeys(QUEUES, 0)
    monkeypatch.setattr(pipeline, "waiting_in", lambda: counts)
    return counts


def test_sweeper_enqueues_what_is_due_once(row: Page, sent: Messages, waiting: dict[str, int]) -> None:
    Page.objects.update(enqueued_at=row.enqueued_at - 2 * work.UNCLAIMED)
    assert (pipeline.enqueue_due(), pipeline.enqueue_due()) == (1, 0)
    assert sent == [("annotator.pages.tasks.build_document", (row.pk,))]


def test_sweeper_leaves_alone_what_is_finished_meanwhile(
    make_page: MakePage, sent: Messages, waiting: dict[str, int]
) -> None:
    """It has read that the row is due; by the time that it writes, a worker has finished it."""
    extractor = Extractor.objects.create(name="made", version="1", family="made")
    asked = Extraction.objects.create(document=make_page().documents.get(), extractor=extractor)
    Extraction.objects.update(enqueued_at=asked.enqueued_at - 2 * work.UNCLAIMED)
    claimed = work.claim(Extraction, asked.pk)
    assert claimed
    Extraction.objects.update(heartbeat_at=asked.enqueued_at - 2 * work.STALE)
    with transaction.atomic():
        assert work.finish(claimed)
        sweeping = Meanwhile(pipeline.enqueue_due)
        assert sweeping.waits()
    assert sweeping.result() == 1


def test_what_the_sweeper_finds_again_shares_no_message(
    corpus: Corpus, sent: Messages, waiting: dict[str, int]
) -> None:
    """A row that kills its worker would take others with it."""
    rows = [add_page(corpus=corpus, raw=b"<p>%d" % number).page for number in range(2)]
    Page.objects.update(enqueued_at=timezone.now() - 2 * work.UNCLAIMED)
    pipeline.enqueue_due()
    assert sorted(arguments for _name, arguments in sent) == [(row.pk,) for row in rows]


def test_sweeper_sends_nothing_that_waits_in_the_queue(
    row: Page, sent: Messages, waiting: dict[str, int]
) -> None:
    Page.objects.update(enqueued_at=row.enqueued_at - 2 * work.UNCLAIMED)
    waiting["import"] = 1
    assert pipeline.enqueue_due() == 0
    Page.objects.update(heartbeat_at=timezone.now() - 2 * work.STALE)
    assert pipeline.enqueue_due() == 1, "its worker is dead"
    Page.objects.update(
        heartbeat_at=timezone.now() - 2 * work.UNCLAIMED, enqueued_at=timezone.now() - work.UNCLAIMED
    )
    assert pipeline.enqueue_due() == 0, "its second message waits"
    Page.objects.update(heartbeat_at=None, enqueued_at=timezone.now() - 2 * pipeline.LOST)
    assert pipeline.enqueue_due() == 1, "its message is lost"


def test_sweeper_looks_for_missing_work_only_when_it_is_done_with_that(
    sent: Messages, waiting: dict[str, int]
) -> None:
    pipeline.find_missing()
    assert {name for name, _arguments in sent} == set(work.sweep_tasks())
    sent.clear()
    waiting["sweep"] = 1
    pipeline.find_missing()
    assert sent == []


@pytest.fixture
def tasks() -> None:
    """All tasks, as a worker knows them."""
    import_tasks()


def test_a_step_that_fails_keeps_none_of_the_others_back(
    make_page: MakePage, tasks: None, sent: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(**_options: object) -> None:
        raise ValueError("no design")

    page = make_page(opened=False)
    monkeypatch.setattr(annotations, "open_round", breaks)
    follow_document(page.pk)
    assert not page.rounds.exists()
    assert page.documents.get().extractions.count() == page.corpus.enabled.count()


def test_the_time_limit_ends_all_steps(
    make_page: MakePage, tasks: None, sent: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    def waits(**_options: object) -> None:
        raise SoftTimeLimitExceeded

    page = make_page(opened=False)
    monkeypatch.setattr(annotations, "open_round", waits)
    with pytest.raises(SoftTimeLimitExceeded):
        follow_document(page.pk)
    assert not page.documents.get().extractions.exists()


def test_messages_are_counted_by_queue(row: Page) -> None:
    before = waiting_in()
    with transaction.atomic():
        pipeline.enqueue(row, queue="bulk")
    after = waiting_in()
    assert {name: after[name] - before[name] for name in QUEUES if after[name] != before[name]} == {"bulk": 1}


def test_rows_that_share_a_message_go_to_the_queue_of_who_waits(corpus: Corpus) -> None:
    rows = [add_page(corpus=corpus, raw=b"<p>%d" % number).page for number in range(2)]
    before = waiting_in()
    pipeline.scores_requested(rows, is_live=True)
    pipeline.scores_requested(rows)
    pipeline.extractions_requested(rows)
    after = waiting_in()
    grown = {name: after[name] - before[name] for name in QUEUES if after[name] != before[name]}
    assert grown == {"live": 1, "score": 1, Page.kind.queue: 1}


def _scheduled() -> set[str]:
    return {entry["task"] for entry in current_app.conf.beat_schedule.values()}


def test_every_task_that_looks_for_missing_work_is_declared_by_a_model(tasks: None) -> None:
    ours = {name: task for name, task in current_app.tasks.items() if name.startswith("annotator.")}
    without_arguments = {name for name, task in ours.items() if not inspect.signature(task.run).parameters}
    assert without_arguments == _scheduled() | set(work.sweep_tasks())


def test_every_message_names_a_task(tasks: None) -> None:
    named = set(TASK.findall(inspect.getsource(pipeline)))
    assert len(named) > 10
    assert named <= set(current_app.tasks)
