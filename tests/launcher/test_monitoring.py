"""A whole Goldpan as its monitors see it: what stops is reported until it is back; metrics; logs."""

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tests.launcher.conftest import CODE, plain_environment, processes_in
from tests.launcher.test_run import pid_of
from tests.processes import A_WHILE, wait_for

# Whoever waits for a part that hangs would wait for as long as it does: until the end of these.
BOUND = 120
TOKEN = "a-token-for-tests"
# A corpus with one page and somebody signed in; prints the session.
FURNISH = """
from django.test import Client
from annotator import pipeline
from annotator.corpora.actions import create_corpus
from annotator.corpora.models import User
from annotator.pages.actions import add_page
client = Client()
root = User.objects.create_superuser("root")
client.force_login(root)
corpus = create_corpus(slug="dailies")
pipeline.enqueue(add_page(corpus=corpus, raw=b"<p>A page of the dailies, as captured.").page)
print(root.pk, client.cookies["sessionid"].value)
"""
ANOTHER_PAGE = """
from uuid import uuid4
from annotator import pipeline
from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page
pipeline.enqueue(add_page(corpus=Corpus.objects.get(), raw=f"<p>{uuid4()}".encode()).page)
"""


class Site:
    """A running launcher in production, behind a proxy."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environment = plain_environment(
            GOLDPAN_HOME=str(home),
            GOLDPAN_ENV="production",
            GOLDPAN_BEHIND_PROXY="1",
            SECRET_KEY=secrets.token_urlsafe(50),
            ALLOWED_HOSTS="127.0.0.1",
            METRICS_TOKEN=TOKEN,
            LOG_FORMAT="json",
            READY_MAX_WAIT="import=10,sweep=25",
            READY_MAX_SILENCE="10",
            READY_MIN_FREE_MB="1",
        )
        self.launcher = subprocess.Popen(
            [sys.executable, "-m", "launcher", "run"],
            cwd=CODE,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.launcher.stdout is not None
        self.address = next(line for line in self.launcher.stdout if line.startswith("Goldpan: ")).split()[1]

    def manage(self, script: str) -> str:
        command = [sys.executable, "-m", "launcher", "manage", "shell", "--verbosity", "0", "-c", script]
        return subprocess.run(
            command, cwd=CODE, env=self.environment, check=True, capture_output=True, text=True
        ).stdout

    def ask(self, path: str, *, data: bytes | None = None, **headers: str) -> tuple[int, str, dict[str, str]]:
        """Status, body and headers, over a connection of its own; an error when it takes too long."""
        given = {"X-Forwarded-Proto": "https", **headers}
        request = urllib.request.Request(self.address + path, data, given)  # noqa: S310  our own loopback
        opener = urllib.request.build_opener(_NoRedirects)
        try:
            with opener.open(request, timeout=BOUND) as answer:
                return answer.status, answer.read().decode(), dict(answer.headers)
        except HTTPError as error:
            return error.code, error.read().decode(), dict(error.headers)

    def failing(self, since: datetime) -> dict[str, str] | None:
        """The checks that fail, with their reasons; None where the answer is an earlier one."""
        status, body, _headers = self.ask("/ready/")
        answer = json.loads(body)
        failing = {check["name"]: check["reason"] for check in answer["checks"] if not check["ok"]}
        assert (status, answer["ready"]) == ((503, False) if failing else (200, True))
        return failing if datetime.fromisoformat(answer["checked_at"]) > since else None

    def lines(self, log: str) -> list[dict[str, object]]:
        """What our programs logged; a library of PostgreSQL's writes past them when its server dies."""
        text = (self.home / "logs" / log).read_text()
        whole = text[: text.rfind("\n") + 1]  # the last line may be half written
        return [json.loads(line) for line in whole.splitlines() if not line.startswith("FATAL:  ")]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


@pytest.fixture(scope="module")
def site(module_folder: Path) -> Iterator[Site]:
    started = Site(module_folder / "var")
    yield started
    started.launcher.terminate()
    started.launcher.communicate(timeout=A_WHILE)


@pytest.fixture(scope="module")
def signed_in(site: Site) -> tuple[int, str]:
    """Key and session of a superuser; there are a corpus and a page."""
    key, session = site.manage(FURNISH).split()
    return int(key), session


def reported(site: Site, **expected: str) -> None:
    """Wait until all these checks fail, each with a reason of its pattern."""
    begun = datetime.now(UTC)
    found: dict[str, str] = {}

    def are_reported() -> bool:
        found.update(dict.fromkeys(expected, "") | (site.failing(begun) or {}))
        return all(re.fullmatch(pattern, found[name]) for name, pattern in expected.items())

    wait_for(are_reported, f"{expected} are reported, not {found}")
    assert str(site.home) not in str(found)


def all_is_well(site: Site) -> None:
    begun = datetime.now(UTC)
    wait_for(lambda: site.failing(begun) == {}, "all is well")


@contextmanager
def hanging(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@contextmanager
def gone(pid: int, launcher: int) -> Iterator[None]:
    """Killed, and the launcher does not start it again before the end."""
    with hanging(launcher):
        os.kill(pid, signal.SIGKILL)
        yield


@contextmanager
def moved(folder: Path, *, leaving: str = "") -> Iterator[None]:
    elsewhere = folder.rename(folder.with_name("elsewhere"))
    if leaving:
        folder.write_text(leaving)
    try:
        yield
    finally:
        if leaving:
            folder.unlink()
        elsewhere.rename(folder)


def test_what_stops_is_reported_until_it_is_back(site: Site, signed_in: tuple[int, str]) -> None:
    home, launcher = site.home, site.launcher.pid
    background, live, sweep = (pid_of(home, "worker", q) for q in ("import,score,bulk", "live", "sweep"))
    beat = pid_of(home, "beat", "--pidfile=")
    valkey, postgres = (processes_in(home / name)[0] for name in ("valkey", "postgres"))
    all_is_well(site)
    with hanging(background), hanging(beat):
        site.manage(ANOTHER_PAGE)
        reported(
            site,
            workers="none for import, score, bulk",
            waiting=r"import \d+ s of 10",
            sweeper=r"ran \d+ s ago",
        )
    all_is_well(site)
    with hanging(live), hanging(sweep):
        reported(site, workers="none for live, sweep")
    all_is_well(site)
    for check, stopped in (
        ("broker", hanging(valkey)),
        ("broker", gone(valkey, launcher)),
        ("database", hanging(postgres)),
        ("database", gone(postgres, launcher)),
        ("storage", moved(home / "files")),
        ("storage", moved(home / "files", leaving="no folder")),
    ):
        with stopped:
            reported(site, **{check: ".+"})
        all_is_well(site)


def test_nobody_waits_for_a_broker_that_hangs(site: Site, signed_in: tuple[int, str]) -> None:
    all_is_well(site)
    with hanging(processes_in(site.home / "valkey")[0]):
        _status, body, _headers = site.ask("/metrics/", Authorization=f"Bearer {TOKEN}")
        assert 'goldpan_up{part="broker"} 0.0' in body
        site.manage(ANOTHER_PAGE)  # its message cannot be sent: the sweeper finds the page
    all_is_well(site)


def test_metrics_are_those_of_all_processes(site: Site, signed_in: tuple[int, str]) -> None:
    assert site.ask("/metrics/")[0] == 401
    assert site.ask("/metrics/", Authorization=f"Bearer {TOKEN}x")[0] == 401
    for _ in range(12):
        site.ask("/sign-in/")
    wanted = 'goldpan_request_seconds_count{route="sign-in",status="200"}'
    seen = set()
    for _ in range(12):
        status, body, _headers = site.ask("/metrics/", Authorization=f"Bearer {TOKEN}")
        assert status == 200
        seen.add(dict(line.rsplit(" ", 1) for line in body.splitlines() if line[0] != "#")[wanted])
    assert seen == {"12.0"}, "each process answers for itself"


def test_a_request_is_followed_into_the_worker(site: Site, signed_in: tuple[int, str]) -> None:
    key, session = signed_in
    all_is_well(site)
    given = f"followed-{secrets.token_hex(5)}"
    status, _body, headers = site.ask(
        "/c/dailies/exports/request/",
        data=b"format=jsonl",
        **{
            "X-Request-ID": given,
            "Cookie": f"sessionid={session}; csrftoken={'c' * 32}",
            "X-CSRFToken": "c" * 32,
            "Origin": site.address.replace("http:", "https:"),
        },
    )
    assert (status, headers["X-Request-ID"]) == (302, given)

    def followed(log: str) -> list[dict[str, object]]:
        return [line for line in site.lines(log) if line.get("request_id") == given]

    wait_for(lambda: followed("worker-background.log"), "the worker's line")
    (asked,) = followed("web.log")
    assert (asked["logger"], asked["user_id"]) == ("annotator.access.request", key)
    assert str(asked["message"]).startswith("POST export-request 302, ")
    done = followed("worker-background.log")[-1]
    assert done["task"] == "annotator.releases.exports.tasks.write_export"
    assert {"time", "level", "logger", "message", "task_id"} <= done.keys()

    def sweeps() -> list[object]:
        tasks = [line for line in site.lines("worker-sweep.log") if line["logger"] == "annotator.access.task"]
        return [line["request_id"] for line in tasks if line["task"] == "annotator.tasks.sweep"]

    wait_for(sweeps, "a sweep's line")
    assert len(set(sweeps())) == len(sweeps())


@pytest.mark.parametrize("given", ["short", "x" * 65, "with space 12345", "ünïcödé-1234", '"quoted-12345"'])
def test_a_malformed_request_id_is_replaced(site: Site, given: str) -> None:
    _status, _body, headers = site.ask("/alive/", data=None, **{"X-Request-ID": given})
    assert re.fullmatch(r"[0-9a-f]{32}", headers["X-Request-ID"])


def test_logs_are_json_and_hold_no_secret(site: Site, signed_in: tuple[int, str]) -> None:
    """Whatever was written above, while servers came and went."""
    _key, session = signed_in
    token = "token-of-an-invitation"
    site.ask(f"/invitation/{token}/", Cookie=f"sessionid={session}")
    for log in ("web.log", "worker-live.log", "worker-background.log", "worker-sweep.log", "beat.log"):
        for line in site.lines(log):
            assert {"time", "level", "logger", "message"} <= line.keys()
            for secret in (token, session, TOKEN, "Another page"):
                assert secret not in str(line)
    assert any("invitation" in str(line["message"]) for line in site.lines("web.log"))
