"""Webhooks: told of what has happened, once, signed, tried again; never in a private network."""

import hmac
import json
import re
import socket
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotator.administration.danger.actions import archive
from annotator.api.webhooks import actions, tasks
from annotator.api.webhooks.actions import MAX_TRIES
from annotator.api.webhooks.models import Delivery, Webhook
from annotator.common.progress import oldest_waiting, work_counts
from annotator.corpora.audit.models import AuditAction, AuditEvent
from annotator.corpora.models import Corpus
from annotator.fetching import posting
from annotator.fetching.errors import ForbiddenAddress, NotAnswered
from annotator.fetching.posting import post
from annotator.gold.versions import add_gold
from annotator.home.actions import create_corpus
from annotator.home.queries import troubled_work
from annotator.runs.actions import register
from annotator.runs.models import Run
from annotator.runs.running import cancel_run, resume_run, start_run
from tests.annotator.api.client import Api
from tests.annotator.fetching import sites
from tests.annotator.releases.made import release
from tests.annotator.scored import make_gold
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

URL = "https://hooks.example.org/goldpan"
EVERY = ["gold.decided", "release.made", "run.ended"]


@pytest.fixture
def webhook(corpus: Corpus, cast: SimpleNamespace) -> Webhook:
    made = Api(cast.hanne).post("/corpora/dailies/webhooks", {"url": URL, "events": EVERY})
    assert made.status_code == 201, made.content
    assert len(made.json()["secret"]) == 64
    return Webhook.objects.get()


def test_no_two_webhooks_share_a_secret(cast: SimpleNamespace, webhook: Webhook) -> None:
    other = Api(cast.hanne).post("/corpora/dailies/webhooks", {"url": f"{URL}/b", "events": EVERY}).json()
    assert other["secret"] != webhook.secret
    assert other["secret"] == Webhook.objects.get(pk=other["id"]).secret


def test_the_deliveries_of_a_webhook_are_its_own(cast: SimpleNamespace, delivery: Delivery) -> None:
    api, address = Api(cast.hanne), "/corpora/dailies/webhooks"
    other = api.post(address, {"url": f"{URL}/b", "events": EVERY}).json()
    listed = [
        api.get(f"{address}/{pk}/deliveries").json()["items"] for pk in (delivery.webhook_id, other["id"])
    ]
    assert [len(each) for each in listed] == [1, 0]


def told(delivery: Delivery) -> tuple[str, dict[str, Any]]:
    return delivery.event, delivery.body["data"]


def test_each_event_is_told_once(
    corpus: Corpus, cast: SimpleNamespace, webhook: Webhook, make_page: MakePage
) -> None:
    page = make_page(opened=False)
    make_gold(page)
    for source in ("imported", "projected"):
        add_gold(document=make_page(opened=False).document, verdict="several", spans=[], source=source)
    made = release(corpus, user=cast.hanne)
    run = start_run(corpus=corpus, extractor=register("bte"), user=cast.hanne)
    cancel_run(run=run, user=cast.hanne)
    for _ in range(2):
        actions.request_missing()
    gold, released, ended = map(told, Delivery.objects.order_by("event"))
    assert gold == ("gold.decided", {"page": page.sha256, "number": 1, "verdict": "article"})
    assert released == ("release.made", {"number": 1, "sha256": made.sha256, "pages": made.pages})
    assert (ended[0], ended[1]["stage"], ended[1]["extractor"]["name"]) == ("run.ended", "cancelled", "bte")


def test_a_run_that_fails_again_is_told_again(
    corpus: Corpus, cast: SimpleNamespace, webhook: Webhook, make_page: MakePage
) -> None:
    make_page(opened=False)
    run = start_run(corpus=corpus, extractor=register("bte"), user=cast.hanne)
    for failures in (1, 2):
        Run.objects.filter(pk=run.pk).update(finished_at=timezone.now(), error="out of memory")
        actions.request_missing()
        actions.request_missing()
        assert Delivery.objects.filter(event="run.ended").count() == failures
        resume_run(run=run)


def test_what_was_before_and_in_other_corpora_is_not_told(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    make_gold(make_page(opened=False))
    api = Api(cast.hanne)
    api.post("/corpora", {"slug": "weeklies"})
    for slug in ("dailies", "weeklies"):
        api.post(f"/corpora/{slug}/webhooks", {"url": URL, "events": EVERY})
    assert not actions.request_missing()
    make_gold(make_page(opened=False))
    assert [delivery.corpus for delivery in actions.request_missing()] == [corpus]


def test_what_is_committed_later_than_it_was_written_is_told(webhook: Webhook, make_page: MakePage) -> None:
    make_gold(make_page(opened=False))
    Webhook.objects.update(searched_until=timezone.now())
    assert len(actions.request_missing()) == 1


def test_the_webhooks_of_an_archived_corpus_are_told_nothing(
    corpus: Corpus, webhook: Webhook, make_page: MakePage
) -> None:
    make_gold(make_page(opened=False))
    archive(corpus=corpus)
    assert actions.request_missing() == []


@pytest.fixture
def delivery(webhook: Webhook, make_page: MakePage) -> Delivery:
    make_gold(make_page(opened=False))
    (made,) = actions.request_missing()
    return made


class Receiver:
    """A program on this machine that keeps what it is sent."""

    def __init__(self) -> None:
        self.status = "204 No Content"
        self.sent: list[tuple[dict[str, str], bytes]] = []

    def take(self, connection: socket.socket) -> None:
        received = b""
        while b"\r\n\r\n" not in received:
            received += connection.recv(4096)
        head, _, body = received.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")[1:]
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        while len(body) < int(headers["content-length"]):
            body += connection.recv(4096)
        self.sent.append((headers, body))
        connection.sendall(f"HTTP/1.1 {self.status}\r\ncontent-length: 0\r\n\r\n".encode())


@pytest.fixture
def receiver(webhook: Webhook, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    made = Receiver()
    # It is a thread of this process, which a busy machine may keep waiting.
    patient = replace(posting.LIMITS, connect_seconds=60, read_seconds=60, total_seconds=180)
    monkeypatch.setattr(posting, "LIMITS", patient)
    with sites.listening(made.take) as port:
        monkeypatch.setattr("django.conf.settings.FETCH_LOOPBACK_PORTS", frozenset({port}))
        Webhook.objects.update(url=f"http://127.0.0.1:{port}/hook")
        yield made


def test_a_delivery_is_signed_and_its_end_is_listed(
    cast: SimpleNamespace, webhook: Webhook, receiver: Receiver, delivery: Delivery
) -> None:
    tasks.deliver(delivery.pk)
    ((headers, body),) = receiver.sent
    at, given = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", headers["x-goldpan-signature"]).groups()
    assert given == hmac.new(webhook.secret.encode(), f"{at}.".encode() + body, "sha256").hexdigest()
    assert json.loads(body)["corpus"] == "dailies"
    assert headers["x-goldpan-event"] == "gold.decided"
    (shown,) = Api(cast.hanne).get("/corpora/dailies/webhooks").json()
    assert (shown["last_status"], shown["last_problem"]) == (204, "")
    assert "secret" not in shown
    (listed,) = Api(cast.hanne).get(f"/corpora/dailies/webhooks/{webhook.pk}/deliveries").json()["items"]
    assert (listed["state"], listed["tries"]) == ("done", 0)


def test_a_delivery_that_is_not_taken_is_tried_again_later_and_fails_in_the_end(
    receiver: Receiver, delivery: Delivery
) -> None:
    receiver.status = "503 Service Unavailable"
    before = timezone.now()
    tasks.deliver(delivery.pk)
    delivery.refresh_from_db()
    assert (delivery.tries, delivery.status, delivery.finished_at) == (1, 503, None)
    assert not Delivery.objects.due(before + timedelta(seconds=50)).exists()
    assert Delivery.objects.due(timezone.now() + timedelta(seconds=70)).exists()
    # A redirect is no place to send to.
    receiver.status = "302 Found"
    for _ in range(MAX_TRIES - 1):
        tasks.deliver(delivery.pk)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries) == ("failed", MAX_TRIES)
    assert len(receiver.sent) == MAX_TRIES


def test_what_is_tried_again_is_no_sign_that_workers_are_behind(
    delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_ago = timezone.now() - timedelta(hours=7)
    Delivery.objects.update(requested_at=long_ago)
    assert oldest_waiting()[Delivery] == long_ago
    monkeypatch.setattr(actions, "post", lambda *args, **options: 503)
    tasks.deliver(delivery.pk)
    Delivery.objects.update(enqueued_at=timezone.now())
    assert Delivery not in oldest_waiting()
    (count,) = [each for each in work_counts() if each.model is Delivery]
    assert (count.state, count.oldest) == ("waiting", None)


def test_a_program_that_does_not_answer_is_tried_again(
    delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(*args: object, **options: object) -> int:
        raise NotAnswered("the site did not answer in time")

    monkeypatch.setattr(actions, "post", silent)
    tasks.deliver(delivery.pk)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.problem) == ("waiting", "the site did not answer in time")


@pytest.mark.parametrize("address", ["10.0.0.7", "127.0.0.1", "169.254.169.254", "192.168.1.1", "::1"])
def test_nothing_is_sent_into_a_private_network(
    delivery: Delivery, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """Not by a name that leads there either, whatever it led to when the webhook was made."""
    with pytest.raises(ForbiddenAddress):
        post(URL, body=b"{}", headers={}, resolve=lambda host, port: ["93.184.216.34", address])
    monkeypatch.setattr(
        actions, "post", lambda url, **sent: post(url, **sent, resolve=lambda host, port: [address])
    )
    tasks.deliver(delivery.pk)
    delivery.refresh_from_db()
    assert delivery.state == "failed"
    assert delivery.tries == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "ftp://hooks.example.org/"},
        {"url": "http://0x7f.1/"},
        {"url": "http://10.0.0.7/"},
        {"url": "http://[::1]/"},
        {"url": "https://a@b.example/"},
        {"url": "https://hooks.example.org:22/"},
        {"events": []},
        {"events": ["page.added"]},
    ],
)
def test_what_is_no_webhook_is_refused(
    cast: SimpleNamespace, corpus: Corpus, wrong: dict[str, object]
) -> None:
    answer = Api(cast.hanne).post("/corpora/dailies/webhooks", {"url": URL, "events": EVERY} | wrong)
    assert answer.status_code == 422
    assert answer.json()["detail"]
    assert not Webhook.objects.exists()


def test_a_webhook_that_is_removed_is_told_nothing_more(
    cast: SimpleNamespace, webhook: Webhook, delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = Api(cast.hanne)
    assert api.post("/corpora/dailies/webhooks", {"url": URL, "events": EVERY}).status_code == 409
    for person, status in (("rhea", 403), ("dov", 404)):
        refused = Api(getattr(cast, person)).delete(f"/corpora/dailies/webhooks/{webhook.pk}")
        assert refused.status_code == status
    assert api.delete(f"/corpora/dailies/webhooks/{webhook.pk}").status_code == 204
    assert api.delete(f"/corpora/dailies/webhooks/{webhook.pk}").status_code == 404
    assert api.get("/corpora/dailies/webhooks").json() == []
    tasks.deliver(delivery.pk)
    delivery.refresh_from_db()
    assert delivery.state == "stopped"
    assert not actions.request_missing()
    recorded = AuditEvent.objects.filter(action__startswith="webhook_").values_list("action", flat=True)
    assert sorted(recorded) == [AuditAction.WEBHOOK_ADDED, AuditAction.WEBHOOK_REMOVED]


def test_what_was_stopped_on_purpose_needs_no_attention(
    corpus: Corpus, cast: SimpleNamespace, webhook: Webhook, delivery: Delivery, make_page: MakePage
) -> None:
    """Nor what had failed, once its webhook is removed: nobody could do anything about it."""
    actions.pause_webhook(webhook=webhook, user=cast.hanne)
    assert troubled_work(corpus) == ([], [])
    actions.resume_webhook(webhook=webhook, user=cast.hanne)
    make_gold(make_page("<h1>Later</h1><p>It is told again.", opened=False))
    (later,) = actions.request_missing()
    Delivery.objects.filter(pk=later.pk).update(
        finished_at=timezone.now(), error="it answered with status 500"
    )
    ((failed,), _) = troubled_work(corpus)
    assert [each.pk for each in failed.rows] == [later.pk]
    actions.remove_webhook(webhook=webhook, user=cast.hanne)
    assert troubled_work(corpus) == ([], [])


def test_home_blames_no_page_for_a_delivery_that_failed(hanne: Client, delivery: Delivery) -> None:
    """It may well be taken another time."""
    Delivery.objects.update(finished_at=timezone.now(), error="status 500")
    home = hanne.get("/").content.decode()
    assert "Webhook deliveries that failed" in home
    assert "trying again helps only once the reason is gone" in home
    assert "Bad page or input" not in home


def test_an_overloaded_job_is_called_by_what_it_is_about(hanne: Client, delivery: Delivery) -> None:
    """Not as Django prints a row."""
    Delivery.objects.update(faults=3, last_fault="MemoryError")
    screen = hanne.get("/c/dailies/attention/").content.decode()
    assert "MemoryError" in screen
    assert f">{URL}</span>" in screen
    assert "Delivery object" not in screen


# ---- the screen ----

SCREEN = "/c/dailies/settings/webhooks/"


def test_the_secret_of_a_new_webhook_is_shown_once(hanne: Client, corpus: Corpus) -> None:
    made = hanne.post(f"{SCREEN}make/", {"url": f" {URL} ", "events": EVERY[:2]})
    webhook = Webhook.objects.get()
    assert (webhook.url, webhook.events) == (URL, EVERY[:2])
    assert webhook.secret in made.content.decode()
    assert webhook.secret not in hanne.get(SCREEN).content.decode()


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"url": URL}, "Choose what the program is told."),
        ({"url": "ftp://hooks.example.org", "events": EVERY}, "http"),
        ({"url": "https://127.0.0.1/", "events": ["made.up"]}, "made.up"),
        ({"events": EVERY}, "required"),
    ],
)
def test_what_cannot_be_made_is_said_at_the_form(
    hanne: Client, corpus: Corpus, sent: dict[str, Any], words: str
) -> None:
    refused = hanne.post(f"{SCREEN}make/", sent)
    assert refused.status_code == 422
    assert words in refused.content.decode()
    assert not Webhook.objects.exists()


def test_what_is_wrong_with_an_address_is_said_in_the_language_of_the_screen(
    hanne: Client, corpus: Corpus
) -> None:
    hanne.cookies["django_language"] = "es"
    refused = hanne.post(f"{SCREEN}make/", {"url": "ftp://hooks.example.org", "events": EVERY})
    assert "empieza la dirección por https://" in refused.content.decode()


def test_the_list_says_why_a_delivery_was_not_taken_and_when_it_is_tried_again(
    hanne: Client, delivery: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanne.cookies["django_language"] = "es"

    def silent(*args: object, **options: object) -> int:
        raise NotAnswered("the site did not answer in time")

    monkeypatch.setattr(actions, "post", silent)
    tasks.deliver(delivery.pk)
    html = " ".join(hanne.get(SCREEN).content.decode().split())
    assert 'No se pudo enviar: <span lang="en">the site did not answer in time</span>' in html
    delivery.refresh_from_db()
    assert timedelta(seconds=30) < delivery.next_try_at - timezone.now() <= timedelta(minutes=1)
    assert f"{timezone.localtime(delivery.next_try_at):%H:%M}" in html.partition("próximo intento:")[2][:30]
    monkeypatch.setattr(actions, "post", lambda *args, **options: 503)
    tasks.deliver(delivery.pk)
    html = hanne.get(SCREEN).content.decode()
    assert ("503" in html, "it answered" in html) == (True, False)


def test_what_happens_while_a_webhook_is_off_is_never_told(
    hanne: Client, corpus: Corpus, webhook: Webhook, delivery: Delivery, make_page: MakePage
) -> None:
    one = f"{SCREEN}{webhook.pk}/"
    hanne.post(f"{one}pause/")
    delivery.refresh_from_db()
    assert delivery.state == "stopped"
    make_gold(make_page(opened=False))
    assert actions.request_missing() == []
    assert "Switched off" in hanne.get(SCREEN).content.decode()
    hanne.post(f"{one}resume/")
    assert actions.request_missing() == []
    make_gold(make_page("<h1>Later</h1><p>It is told again.", opened=False))
    assert len(actions.request_missing()) == 1
    hanne.post(f"{one}resume/")
    hanne.post(f"{one}remove/")
    assert hanne.post(f"{one}pause/").status_code == 404
    recorded = AuditEvent.objects.filter(action__startswith="webhook_").order_by("pk")
    assert [event.action for event in recorded] == [
        *("webhook_added", "webhook_paused", "webhook_resumed", "webhook_removed")
    ]


def test_a_webhook_of_another_corpus_is_not_there(
    hanne: Client, cast: SimpleNamespace, webhook: Webhook
) -> None:
    create_corpus(slug="weeklies", creator=cast.hanne)
    assert hanne.post(f"/c/weeklies/settings/webhooks/{webhook.pk}/remove/").status_code == 404
    webhook.refresh_from_db()
    assert webhook.ended_at is None


@pytest.mark.parametrize("number", [1, 4])
def test_query_count_of_the_list_is_fixed(
    hanne: Client,
    corpus: Corpus,
    cast: SimpleNamespace,
    number: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for at in range(number):
        made = Webhook.objects.create(corpus=corpus, url=f"{URL}{at}", events=EVERY, made_by=cast.hanne)
        for told in range(at + 3):
            Delivery.objects.create(
                webhook=made, corpus=corpus, event=EVERY[0], subject=str(told), body={}, status=204
            )
    with django_assert_num_queries(6):
        answer = hanne.get(SCREEN)
    assert [len(each.last_deliveries) for each in answer.context["webhooks"]] == [3, 4, 5, 5][:number]
