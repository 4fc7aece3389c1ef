"""Every process of a running Goldpan is killed in turn while people annotate: no saved mark is lost."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.launcher.conftest import plain_environment, processes_in, processes_of
from tests.processes import A_WHILE, ROOT

PEOPLE, PAGES = 26, 240
# Everything is back without a person, or the test fails.
BACK_WITHIN_SECONDS = 30
SAVES_OF_PAGE = 100
PAUSE_SECONDS = 0.2
PAYLOAD = re.compile(r'<script id="payload" type="application/json">(.*?)</script>', re.DOTALL)


class Installation:
    """`make run`, with the demo, in a folder of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        environment = plain_environment(GOLDPAN_HOME=str(home), PORT="0")
        self.launcher = subprocess.Popen(
            [sys.executable, "-m", "launcher", "run"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.launcher.stdout is not None
        line = next(line for line in self.launcher.stdout if line.startswith("Goldpan: "))
        self.url = line.split()[1]
        # What it says later must not fill the pipe.
        threading.Thread(target=self.launcher.stdout.read, daemon=True).start()

    def ask(self, *arguments: str) -> Any:
        """What `killed_at_work` answers."""
        done = subprocess.run(
            [sys.executable, "-m", "tests.launcher.killed_at_work", *arguments],
            check=True,
            cwd=ROOT,
            env=self.environment(),
            stdout=subprocess.PIPE,
        )
        return json.loads(done.stdout)

    def environment(self) -> dict[str, str]:
        """That of a script with the settings of this Goldpan."""
        settings = json.loads((self.home / "environment.json").read_text(encoding="utf-8"))
        return plain_environment(
            **settings, GOLDPAN_HOME=str(self.home), DJANGO_SETTINGS_MODULE="annotator.settings"
        )

    def processes(self) -> dict[int, str]:
        """The command line of each process but the launcher itself, by process."""
        servers = [pid for name in ("postgres", "valkey") for pid in processes_in(self.home / name)]
        found = {pid: command_line(pid) for pid in {*servers, *processes_of(self.home)} - {self.launcher.pid}}
        return {pid: line for pid, line in found.items() if line}

    def is_ready(self) -> bool:
        try:
            return requests.get(f"{self.url}/ready/", timeout=10).status_code == 200
        except requests.RequestException:
            return False


def command_line(pid: int) -> str:
    """As one line; empty for a process that has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode().replace("\0", " ").strip()
    except OSError:
        return ""


class Annotator:
    """Saves and submits one page after the other, and sends again what was not acknowledged."""

    def __init__(self, url: str, session: str) -> None:
        self.url, self.session = url, session
        self.saves: dict[str, list[Any]] = {}
        self.submitted: list[str] = []
        self.acknowledged_at = 0.0
        self.faults = 0

    def work(self, stop: threading.Event) -> None:
        address = self._next(stop)
        while not stop.is_set() and address and address != "/":
            address = self._annotate(address, stop)

    def _next(self, stop: threading.Event) -> str:
        answer = self._insist("POST", "/c/at-work/next/", None, stop)
        return answer.headers["Location"] if answer is not None else ""

    def _annotate(self, address: str, stop: threading.Event) -> str:
        screen = self._insist("GET", address, None, stop)
        if screen is None or screen.status_code != 200:
            return self._next(stop)
        payload = json.loads(PAYLOAD.search(screen.text)[1])
        revision = payload["state"]["revision"]
        for number in range(SAVES_OF_PAGE):
            end = 1 + number % 4
            marks = [[0, end, "headline"]]
            body = {
                "document": payload["document"]["sha256"],
                "based_on": revision,
                "operation": str(uuid.uuid4()),
                "spans": [{"start": 0, "end": end, "label": "headline", "text": "Page"[:end]}],
                "verdict": "article",
            }
            answer = self._insist("POST", f"{address}save/", body, stop)
            if answer is None or answer.status_code != 200:
                return self._next(stop)
            revision = answer.json()["revision"]
            self.saves[body["operation"]] = marks
            self.acknowledged_at = time.monotonic()
            stop.wait(PAUSE_SECONDS)
        answer = self._insist("POST", f"{address}submit/", {"based_on": revision}, stop)
        if answer is None or answer.status_code != 200:
            return self._next(stop)
        self.submitted.append(address.rstrip("/").rpartition("/")[2])
        return answer.json()["next"] or ""

    def _insist(self, method: str, path: str, body: Any, stop: threading.Event) -> requests.Response | None:
        """The first answer that is not of a fault; None where it is stopped before."""
        token = "t" * 32
        while not stop.is_set():
            try:
                answer = requests.request(
                    method,
                    self.url + path,
                    json=body,
                    timeout=30,
                    allow_redirects=False,
                    headers={"X-CSRFToken": token, "Accept": "application/json"},
                    cookies={"sessionid": self.session, "csrftoken": token},
                )
                if answer.status_code < 500:
                    return answer
            except requests.RequestException:
                pass
            self.faults += 1
            stop.wait(0.3)
        return None


@pytest.fixture
def installation(module_folder: Path) -> Iterator[Installation]:
    made = Installation(module_folder / "var")
    yield made
    made.launcher.terminate()
    made.launcher.wait(A_WHILE)


@pytest.mark.long
def test_no_acknowledged_save_is_lost_whatever_is_killed(installation: Installation) -> None:
    sessions = installation.ask("make", str(PEOPLE), str(PAGES))
    wait_until(lambda: installation.ask("ready") == PAGES, 600, "the pages")
    annotators = [Annotator(installation.url, session) for session in sessions.values()]
    stop = threading.Event()
    with ThreadPoolExecutor(PEOPLE) as pool:
        working = [pool.submit(annotator.work, stop) for annotator in annotators]
        try:
            wait_until(installation.is_ready, 60, "Goldpan")
            for name in sorted(set(kinds(installation))):
                for index in range(kinds(installation).count(name) if ONCE not in name else 1):
                    kill(installation, annotators, name, index)
        finally:
            stop.set()
        for each in working:
            each.result()
    saves = {operation: marks for annotator in annotators for operation, marks in annotator.saves.items()}
    kept = installation.ask("kept")
    lost = [operation for operation, marks in saves.items() if kept["revisions"].get(operation) != marks]
    assert not lost, f"{len(lost)} of {len(saves)} acknowledged saves"
    assert {key for annotator in annotators for key in annotator.submitted} <= set(kept["submitted"])
    wait_until(lambda: not installation.ask("work")["open"], 600, "the rest of the work")
    assert installation.ask("work")["failed"] == 0
    print(f"{len(saves)} saves, {sum(each.faults for each in annotators)} requests sent again")


# Of PostgreSQL's processes one of a kind is killed: each time it restarts all of them.
ONCE = "postgres:"


def kinds(installation: Installation) -> list[str]:
    """The kind of each process, which is its command line."""
    return [kind(line) for line in installation.processes().values()]


def kind(line: str) -> str:
    """PostgreSQL says in the command line what a process does at the moment."""
    return " ".join(line.split()[:3]) if line.startswith(ONCE) else line


def kill(installation: Installation, annotators: list[Annotator], name: str, index: int) -> None:
    """Kill the process of this index among those of a kind; then there are as many again, and all save."""
    victims = sorted(pid for pid, line in installation.processes().items() if kind(line) == name)
    os.kill(victims[index], signal.SIGKILL)
    killed_at = time.monotonic()

    def is_back() -> bool:
        all_save = all(each.acknowledged_at > killed_at + 0.5 for each in annotators)
        goes_on = all_save and installation.is_ready()
        return goes_on and (ONCE in name or kinds(installation).count(name) >= len(victims))

    wait_until(is_back, BACK_WITHIN_SECONDS, f"after the end of {name}, all")
    print(f"{time.monotonic() - killed_at:5.1f} s  {name[:110]}", flush=True)


def wait_until(condition: Any, seconds: float, what: str) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what} did not come back"
        time.sleep(0.5)
