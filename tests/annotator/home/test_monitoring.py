"""What monitors are told; that it follows what really stops is in tests/launcher/test_monitoring.py."""

import json
import logging
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from kombu import Connection
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoAssertNumQueries

from annotator.common import health, queues, work
from annotator.common.logs import Context, JsonFormatter
from annotator.common.progress import oldest_waiting
from annotator.common.work_kinds import OVERLOADED
from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page
from annotator.pages.models import Page
from tests.annotator.scored import make_gold
from tests.factories import MakePage, annotate, make_user
from tests.processes import free_port

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

QUOTED = "what the page says"
TOKEN = {"Authorization": "Bearer secret"}


@pytest.fixture
def metrics_token(settings: LazySettings) -> None:
    settings.METRICS_TOKEN = "secret"


def test_alive_answers_anybody(client: Client) -> None:
    assert client.get("/alive/").content == b"ok"


def test_there_are_no_metrics_without_a_token(client: Client, settings: LazySettings) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics/", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("given", ["", "secret", "Bearer", "Bearer Secret", "Bearer sécret", "Basic secret"])
def test_metrics_ask_for_the_token(client: Client, metrics_token: None, given: str) -> None:
    answer = client.get("/metrics/", headers={"Authorization": given})
    assert (answer.status_code, answer.content) == (401, b"")


@pytest.mark.parametrize("pages", [1, 3])
def test_metrics_count_work_and_pages(
    client: Client,
    corpus: Corpus,
    cast: SimpleNamespace,
    make_page: MakePage,
    metrics_token: None,
    pages: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    now = timezone.now()
    for number in range(pages):
        annotate(make_page(), cast.ada)
        make_gold(make_page())
        waits, failed, overloaded = (
            add_page(corpus=corpus, raw=f"<p>{number} {name}".encode()).page.pk for name in "abc"
        )
        Page.objects.filter(pk=waits).update(requested_at=now - timedelta(hours=1))
        Page.objects.filter(pk=failed).update(finished_at=now, error="deeper than allowed")
        Page.objects.filter(pk=overloaded).update(faults=OVERLOADED)
    client.get("/alive/")
    with django_assert_num_queries(4):
        body = client.get("/metrics/", headers=TOKEN).content.decode()
    found = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(body)
        for sample in family.samples
    }
    for state in ("waiting", "failed", "overloaded"):
        assert found["goldpan_work", "page", "import", state] == pages
    assert found["goldpan_work_oldest_seconds", "page", "import"] == pytest.approx(3600, abs=60)
    states = {"gold": pages, "due": 0, "half": pages, "waiting": 0, "building": 2 * pages, "failed": pages}
    assert {state: found["goldpan_pages", state] for state in states} == states
    assert found["goldpan_workers", "live"] == 0
    assert found["goldpan_messages", "sweep"] == 0
    assert found["goldpan_up", "database"] == found["goldpan_up", "broker"] == 1
    assert found["goldpan_request_seconds_count", "alive", "200"] >= 1


@pytest.fixture
def without_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens where the queues should be."""
    away = Connection(f"redis://127.0.0.1:{free_port()}")
    monkeypatch.setattr(queues, "current_app", SimpleNamespace(connection_for_write=lambda: away))


@pytest.mark.usefixtures("without_broker", "metrics_token")
def test_a_broker_that_is_away_is_told_to_monitors_and_admins(client: Client) -> None:
    body = client.get("/metrics/", headers=TOKEN).content.decode()
    assert 'goldpan_up{part="broker"} 0.0' in body
    assert 'goldpan_up{part="database"} 1.0' in body
    client.force_login(make_user("root", is_superuser=True))
    answer = client.get("/health/", headers={"accept": "text/html"})
    assert answer.status_code == 200
    assert "Connection refused" in answer.content.decode()
    assert "Unknown while the queue is offline" in answer.content.decode()
    assert "No worker was seen" not in answer.content.decode()


def test_the_health_page_says_what_to_do_where_monitors_see_red(
    client: Client, settings: LazySettings
) -> None:
    client.force_login(make_user("root", is_superuser=True))
    settings.READY_MIN_FREE_MB = 10**9
    page = client.get("/health/", headers={"accept": "text/html"}).content.decode()
    for remedy in ("Free some space on this disk", "Start the periodic process", "Start the workers"):
        assert remedy in page
    settings.READY_MIN_FREE_MB = 0
    health.note_sweep()
    page = client.get("/health/", headers={"accept": "text/html"}).content.decode()
    assert "Free some space" not in page
    assert "periodic process" not in page


def test_ready_says_what_is_wrong_to_anybody(client: Client, settings: LazySettings) -> None:
    settings.READY_MIN_FREE_MB = 10**9
    answer = client.get("/ready/")
    assert answer.status_code == 503
    checks = {check["name"]: (check["ok"], check["reason"]) for check in answer.json()["checks"]}
    assert checks["database"] == checks["broker"] == (True, "answers")
    assert checks["storage"] == (True, "can be written")
    assert checks["workers"] == (False, "none for live, import, score, bulk, sweep")
    assert checks["sweeper"] == (False, "never ran")
    assert not checks["disk"][0]
    assert checks["disk"][1].endswith("MB free, less than 1000000000")


def test_what_is_put_off_or_retried_has_not_been_waiting(corpus: Corpus) -> None:
    row = add_page(corpus=corpus, raw=b"<p>text").page
    long_ago = timezone.now() - timedelta(days=3)
    Page.objects.update(requested_at=long_ago)
    assert oldest_waiting() == {Page: long_ago}
    work.put_off(work.claim(Page, row.pk), OSError("disk full"))
    assert oldest_waiting() == {}
    Page.objects.update(finished_at=long_ago, error="failed")
    assert work.retry(Page.objects.get())
    assert timezone.now() - oldest_waiting()[Page] < timedelta(minutes=1)


def test_a_log_line_quotes_no_row(corpus: Corpus) -> None:
    """PostgreSQL describes a refused row with all that stands in it."""
    logger = logging.getLogger("annotator.test")
    with pytest.raises(IntegrityError, match=QUOTED) as raised, transaction.atomic():
        Page.objects.create(corpus=corpus, sha256="0" * 64, size=0, title=QUOTED)
    exception = (raised.type, raised.value, raised.tb)
    record = logger.makeRecord("test", logging.ERROR, "", 0, "failed: %r", (raised.value,), exception)
    assert Context().filter(record)
    line = JsonFormatter().format(record)
    assert QUOTED not in line
    assert "\n" not in line
    for field in ("message", "exception"):
        assert "page_is_not_empty" in json.loads(line)[field]
