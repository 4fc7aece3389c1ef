"""Servers and workers of a Goldpan are stopped during a run of an extractor: every cell is made, once."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.launcher.conftest import processes_in
from tests.launcher.test_killed_at_work import Installation, wait_until
from tests.processes import A_WHILE, ROOT

PAGES = int(os.environ.get("GOLDPAN_RUN_PAGES", "974"))
VALKEY_STOPPED_SECONDS = 60
END_WITHIN_SECONDS = 3_600
ASKED_TIMES = 60


class Observer:
    """Asks a running Goldpan by a script that stays, as `run_at_work` has it."""

    def __init__(self, installation: Installation) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.launcher.run_at_work"],
            cwd=ROOT,
            env=installation.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, question: str) -> Any:
        """What the script answers, as soon as there is a database that it can ask."""
        assert self._process.stdin
        assert self._process.stdout
        for _ in range(ASKED_TIMES):
            self._process.stdin.write(f"{question}\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
            assert answer, f"no answer to {question}: it failed"
            if answer.strip() != "null":
                return json.loads(answer)
            time.sleep(1)
        raise AssertionError(f"no database to ask: {question}")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(60)


@pytest.fixture
def installation(module_folder: Path) -> Iterator[Installation]:
    made = Installation(module_folder / "var")
    yield made
    made.launcher.terminate()
    made.launcher.wait(A_WHILE)


@pytest.fixture
def observer(installation: Installation) -> Iterator[Observer]:
    started = Observer(installation)
    yield started
    started.close()


@pytest.mark.long
def test_every_cell_of_a_run_is_made_once_whatever_stops(
    installation: Installation, observer: Observer
) -> None:
    began = time.monotonic()
    observer.ask(f"make {PAGES}")
    wait_until(lambda: observer.ask("open") == 0, END_WITHIN_SECONDS, "the pages with their gold")
    print(f"{PAGES} pages with their gold after {time.monotonic() - began:.0f} s", flush=True)
    observer.ask("start")
    faults = (
        (0.05, "a worker is killed", kill_workers),
        (0.2, "Valkey stands still for a minute, and is killed", stop_valkey),
        (0.4, "PostgreSQL restarts", restart_postgres),
        (0.6, "a worker is killed again", kill_workers),
    )
    for share, what, strike in faults:
        wait_until(lambda share=share: done(observer) >= share * PAGES, END_WITHIN_SECONDS, what)
        at = done(observer)
        assert at < PAGES, f"the run was over before: {what}"
        print(f"{at} of {PAGES}: {what}", flush=True)
        strike(installation)
    began = time.monotonic()
    wait_until(lambda: is_over(observer), END_WITHIN_SECONDS, "the end of the run")
    print(f"whole {time.monotonic() - began:.0f} s after the last fault")
    cells = observer.ask("cells")
    print(cells)
    assert cells["pages"] == cells["gold"] == PAGES
    assert (cells["extractions"], cells["scores"]) == (2 * PAGES, 2 * PAGES)
    assert (cells["most"], cells["failed"]) == (1, 0)
    assert cells["board"] == {"bte": PAGES, "everything": PAGES}


def is_over(observer: Observer) -> bool:
    return bool(observer.ask("progress")["completed"]) and observer.ask("open") == 0


def done(observer: Observer) -> int:
    return int(observer.ask("progress")["done"])


def kill_workers(installation: Installation) -> None:
    """`kill -9` of the worker for background work, with its children."""
    found = [pid for pid, line in installation.processes().items() if "background@" in line]
    assert found
    for pid in found:
        with suppress(ProcessLookupError):  # a child may go with the first of them
            os.kill(pid, signal.SIGKILL)


def stop_valkey(installation: Installation) -> None:
    (pid,) = processes_in(installation.home / "valkey")
    os.kill(pid, signal.SIGSTOP)
    time.sleep(VALKEY_STOPPED_SECONDS)
    os.kill(pid, signal.SIGKILL)


def restart_postgres(installation: Installation) -> None:
    """A fast shutdown, which ends every connection; the launcher starts it again."""
    postmaster = min(processes_in(installation.home / "postgres"))
    os.kill(postmaster, signal.SIGINT)
