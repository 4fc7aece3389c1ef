"""Processes that an earlier launcher left behind (it was killed, or the machine was too slow to stop them).

No pid files: a number in a file may belong to somebody else by now. The servers are known by their working
folder, our own programs by a variable in their environment that names GOLDPAN_HOME.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

# In the environment of web, workers and commands: which home they were started for.
MARK = "GOLDPAN_STARTED_FOR"
GRACE_SECONDS = 10.0


def servers_in(folder: Path) -> list[int]:
    """Processes working in a server's data folder; PostgreSQL and Valkey both move there at start."""
    return [pid for pid in _processes() if _works_in(pid, folder)]


def programs_of(home: Path) -> list[int]:
    """Web, worker and command processes that were started for this home."""
    mark = f"{MARK}={home}".encode()
    return [pid for pid in _processes() if mark in _environment(pid)]


def stop_programs_of(home: Path) -> int:
    """Stop them; returns how many there were. Call it under the home's lock: then they are leftovers."""
    return stop_all(lambda: programs_of(home), signal.SIGTERM)


def stop_all(find: Callable[[], list[int]], stop_signal: signal.Signals) -> int:
    """Stop the processes that `find` finds, until it finds none; returns how many there were."""
    first = find()
    _signal(first, stop_signal)
    end = time.monotonic() + GRACE_SECONDS
    while find():
        if time.monotonic() > end:
            _signal(find(), signal.SIGKILL)
        time.sleep(0.05)
    return len(first)


def _processes() -> Iterator[int]:
    ours = os.getpid()
    return (
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and int(entry.name) != ours
    )


def _works_in(pid: int, folder: Path) -> bool:
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == folder and not _is_zombie(pid)
    except OSError:  # it ended meanwhile, or belongs to somebody else
        return False


def _environment(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _is_zombie(pid: int) -> bool:
    return (
        Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
        == "Z"
    )


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue
