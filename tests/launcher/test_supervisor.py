"""What happens when a process ends, and how one is stopped."""

import sys
import time
from collections.abc import Callable, Iterator
from errno import ENOSPC
from io import StringIO
from os import strerror
from pathlib import Path
from typing import Any

import pytest

from launcher import logs, servers, supervisor
from launcher.errors import LauncherError
from launcher.process import ManagedProcess, Program
from launcher.run import say
from launcher.stop_requests import StopRequests
from launcher.supervisor import Supervised, check, delay_after
from tests.launcher.conftest import processes_in
from tests.processes import wait_for

StartHelper = Callable[..., ManagedProcess]


@pytest.fixture
def start_helper(tmp_path: Path) -> Iterator[StartHelper]:
    started: list[ManagedProcess] = []

    def start(script: str, **options: Any) -> ManagedProcess:
        command = ["sh", "-c", script]
        program = Program("helper", command, {"PATH": "/usr/bin:/bin"}, tmp_path / "log", tmp_path, **options)
        started.append(ManagedProcess(program))
        return started[-1]

    yield start
    for process in started:
        process.kill_group()


def ended(process: ManagedProcess) -> bool:
    return process.exit_code is not None


def test_delay_doubles_up_to_a_limit() -> None:
    assert [delay_after(failures) for failures in range(7)] == [1, 2, 4, 8, 16, 30, 30]
    assert delay_after(2000) == 30


def test_ended_process_is_restarted_after_its_delay(start_helper: StartHelper) -> None:
    lines: list[str] = []
    supervised = Supervised(start_helper("exit 3"))
    for failures in (1, 2):
        first = supervised.process.pid
        wait_for(lambda: ended(supervised.process), "its end")
        check(supervised, lines.append)
        assert supervised.failures == failures
        assert supervised.restart_at is not None
        supervised.restart_at = time.monotonic() + 1000
        check(supervised, lines.append)
        assert supervised.process.pid == first
        supervised.restart_at = time.monotonic()
        check(supervised, lines.append)
        assert supervised.process.pid != first
    assert [line.partition("; see ")[0] for line in lines] == [
        "helper ended (exit status 3); restarting it in 1 s",
        "helper ended (exit status 3); restarting it in 2 s",
    ]


def test_process_that_lasted_counts_as_healthy(
    start_helper: StartHelper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "HEALTHY_SECONDS", 0.0)
    supervised = Supervised(start_helper("sleep 600"), failures=4)
    check(supervised, lambda line: None)
    assert supervised.failures == 0


@pytest.mark.parametrize(("grace", "impatient"), [(0.2, False), (600.0, True)], ids=["grace", "impatient"])
def test_stop_kills_a_process_that_ignores_the_signal(
    start_helper: StartHelper, tmp_path: Path, grace: float, impatient: bool
) -> None:
    process = start_helper("trap '' TERM; echo ready; sleep 600 & wait", grace_seconds=grace)
    wait_for(lambda: (tmp_path / "log").read_text() == "ready\n", "the trap")
    process.ask_to_stop()
    process.stop(lambda: impatient)
    assert process.exit_code == -9


def test_stop_kills_workers_that_outlive_their_parent(start_helper: StartHelper, tmp_path: Path) -> None:
    process = start_helper("sleep 600 & exit 0")
    wait_for(lambda: ended(process), "its end")
    assert len(processes_in(tmp_path)) == 1
    process.stop()
    wait_for(lambda: processes_in(tmp_path) == [], "the end of all")


def test_large_log_is_moved_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "LARGEST_BYTES", 5)
    path = tmp_path / "web.log"
    for text in ("first", "second", "third"):
        with logs.rotated(path).open("a", encoding="utf-8") as log:
            log.write(text)
    assert path.read_text(encoding="utf-8") == "third"
    assert path.with_name("web.log.1").read_text(encoding="utf-8") == "firstsecond"
    assert logs.last_lines(path) == "    third"


def test_a_failure_is_told_by_what_was_written_since_the_start(start_helper: StartHelper) -> None:
    for reason in ("no time zone", "no log format"):
        failed = start_helper(f"echo {reason}; exit 1")
        with pytest.raises(LauncherError) as refused:
            servers.wait_until(lambda: False, failed, StopRequests(), 10)
    assert str(refused.value).splitlines()[1:] == ["    no log format"]


def test_output_that_cannot_be_written_is_no_reason_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(StringIO):
        def flush(self) -> None:
            raise OSError(ENOSPC, strerror(ENOSPC))

    monkeypatch.setattr(sys, "stdout", Full())
    say("web ended")


def test_full_disk_is_said_beside_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "web.log").write_text("one\n")
    assert logs.last_lines(tmp_path / "web.log") == "    one"
    monkeypatch.setattr(logs, "SCARCE_BYTES", 1 << 62)
    one, free = logs.last_lines(tmp_path / "web.log").splitlines()
    assert one == "    one"
    assert f"MB are free on the disk of {tmp_path}: make room" in free
