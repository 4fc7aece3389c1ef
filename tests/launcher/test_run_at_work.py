"""Servers and workers of a Goldpan are stopped during a run of an extractor: every cell is made, once."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.launcher.conftest import processes_in
from tests.launcher.test_killed_at_work import Installation, wait_until

PAGES = int(os.environ.get("GOLDPAN_RUN_PAGES", "974"))
VALKEY_STOPPED_SECONDS = 60
END_WITHIN_SECONDS = 1_800


@pytest.fixture
def installation(module_folder: Path) -> Iterator[Installation]:
    made = Installation(module_folder / "var", script="tests.launcher.run_at_work")
    yield made
    made.launcher.terminate()
    made.launcher.wait(60)


@pytest.mark.long
def test_every_cell_of_a_run_is_made_once_whatever_stops(installation: Installation) -> None:
    installation.ask("make", str(PAGES))
    wait_until(lambda: installation.ask("open") == 0, END_WITHIN_SECONDS, "the pages with their gold")
    installation.ask("start")
    faults = (
        (0.05, "a worker is killed", kill_workers),
        (0.2, "Valkey stands still for a minute, and is killed", stop_valkey),
        (0.4, "PostgreSQL restarts", restart_postgres),
        (0.6, "a worker is killed again", kill_workers),
    )
    for share, what, strike in faults:
        wait_until(lambda share=share: done(installation) >= share * PAGES, END_WITHIN_SECONDS, what)
        at = done(installation)
        assert at < PAGES, f"the run was over before: {what}"
        print(f"{at} of {PAGES}: {what}", flush=True)
        strike(installation)
    began = time.monotonic()
    wait_until(
        lambda: installation.ask("progress")["completed"] and installation.ask("open") == 0,
        END_WITHIN_SECONDS,
        "the end of the run",
    )
    print(f"whole {time.monotonic() - began:.0f} s after the last fault")
    cells = installation.ask("cells")
    assert cells == {
        "extractions": 2 * PAGES,
        "scores": 2 * PAGES,
        "most": 1,
        "failed": 0,
        "board": {"bte": PAGES, "everything": PAGES},
    }


def done(installation: Installation) -> int:
    return int(installation.ask("progress")["done"])


def kill_workers(installation: Installation) -> None:
    """`kill -9` of the worker for background work, with its children."""
    found = [pid for pid, line in installation.processes().items() if "background@" in line]
    assert found
    for pid in found:
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
