"""The journey enqueues by name and after commit; whatever it could not send, the sweeper finds (law 8)."""

import inspect
import re

import pytest
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from annotator import journey
from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page
from annotator.pages.models import Page

pytestmark = pytest.mark.django_db(transaction=True)

TASK = re.compile(r"annotator\.\w+\.tasks\.\w+")


@pytest.fixture
def row(corpus: Corpus) -> Page:
    return add_page(corpus=corpus, raw=b"<p>text").page


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[int, ...]]]:
    """What reached the broker."""
    messages: list[tuple[str, tuple[int, ...]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_: messages.append((name, args)))
    return messages


def test_a_hint_is_sent_when_its_row_is_there(row: Page, sent: list[object]) -> None:
    with transaction.atomic():
        journey.hint(row)
        assert sent == []
    assert sent == [("annotator.pages.tasks.build_document", (row.pk,))]


def test_what_is_rolled_back_is_not_hinted_at(row: Page, sent: list[object]) -> None:
    with transaction.atomic():
        journey.hint(row)
        transaction.set_rollback(True)
    assert sent == []


def test_a_broker_that_is_away_disturbs_nobody(row: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_args: object, **_options: object) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(current_app, "send_task", away)
    with transaction.atomic():
        Page.objects.filter(pk=row.pk).update(url="https://kept.example/")
        journey.hint(row)
    assert Page.objects.get().url == "https://kept.example/"


def test_the_sweeper_hints_once_at_what_is_due(row: Page, sent: list[object]) -> None:
    Page.objects.update(hinted_at=row.hinted_at - 2 * work.UNCLAIMED)
    assert (journey.hint_due(), journey.hint_due()) == (1, 0)
    assert sent == [("annotator.pages.tasks.build_document", (row.pk,))]


# The sweep itself; and what `run_extractors` asks: every sweep would look through all scores for what there
# hardly is.
NOT_SWEPT = {"annotator.common.tasks.sweep", "annotator.scoring.tasks.measure_missing"}


def test_every_task_that_looks_for_missing_work_is_asked_to() -> None:
    current_app.loader.import_default_modules()
    ours = {name: task for name, task in current_app.tasks.items() if name.startswith("annotator.")}
    lookers = {name for name, task in ours.items() if not inspect.signature(task.run).parameters}
    assert lookers - NOT_SWEPT == set(journey.LOOKERS)


def test_every_name_that_is_sent_is_that_of_a_task() -> None:
    current_app.loader.import_default_modules()
    named = {*TASK.findall(inspect.getsource(journey)), *(kind.task for kind in work.kinds())}
    assert len(named) > 10
    assert named <= set(current_app.tasks)
