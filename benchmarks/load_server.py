"""Start the processes of `make run`, and measure the CPU time of each."""

import os
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from launcher.application import WORKERS, Application, answers, environment, open_port
from launcher.data_folder import DataFolder
from launcher.process import ManagedProcess, stop_all

TICKS = os.sysconf("SC_CLK_TCK")
# Fields of /proc/PID/stat after the name: parent; user and system time, also of children that have ended.
PARENT, TIMES = 1, slice(11, 15)


@contextmanager
def serving() -> Iterator[tuple[int, dict[int, str]]]:
    """Yield the port, and the role of each process by its PID."""
    data = DataFolder(Path(settings.GOLDPAN_HOME))
    data.metrics.mkdir(mode=0o700, exist_ok=True)
    urls = {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL")}
    application = Application(data, environment(data, urls, os.environ))
    with open_port("0") as listening:
        programs = [
            application.web(listening),
            *(application.worker(name) for name in WORKERS),
            application.beat(),
        ]
        started = [ManagedProcess(program) for program in programs]
        try:
            port = int(listening.getsockname()[1])
            while not answers(port):
                time.sleep(0.2)
            web, *others = (process.pid for process in started)
            yield port, {web: "web server", **dict.fromkeys(others, "workers")}
        finally:
            stop_all(started)


def cpu_seconds(roles: Mapping[int, str]) -> dict[str, float]:
    """CPU that was used so far, by role, with all that the processes started.

    `annotators` is this process, with those of its children that have ended; of the others, whatever has no
    role is `databases`.
    """
    children: dict[int, list[int]] = defaultdict(list)
    used: dict[int, float] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        pid = int(stat.parent.name)
        children[int(fields[PARENT])].append(pid)
        used[pid] = sum(map(int, fields[TIMES])) / TICKS
    found: dict[str, float] = defaultdict(float, annotators=sum(os.times()[:4]))
    for child in children[os.getpid()]:
        found[roles.get(child, "databases")] += _with_all_below(child, children, used)
    return dict(found)


def _with_all_below(pid: int, children: Mapping[int, list[int]], used: Mapping[int, float]) -> float:
    return used[pid] + sum(_with_all_below(child, children, used) for child in children.get(pid, ()))
