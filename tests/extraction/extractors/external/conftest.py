"""A made-up library in place of trafilatura: it does what the page says, however bad that is."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from extraction.extractors.external.host import Host, python_host

STAND_IN = """
import os, signal, socket, sys, time

def extract(html, **options):
    word, _, rest = html.partition(" ")
    return DEEDS.get(word, lambda rest: html)(rest)

def allocate(rest):
    return "x" * (1 << 34)

def connect(rest):
    socket.create_connection(("192.0.2.1", 80), timeout=1)

def look_up(rest):
    try:
        socket.getaddrinfo("page.invalid", 80)
    except OSError:
        return "went on without"

def exit_(rest):
    os._exit(3)

def kill(rest):
    os.kill(os.getpid(), signal.SIGKILL)

def noise(rest):
    print("noise", flush=True)
    os.write(1, b"more noise")
    return sys.stdin.read() + rest

def crash(rest):
    raise RuntimeError(rest)

def spin(rest):
    while True:
        pass

def sleep(rest):
    time.sleep(600)

def secret(rest):
    return os.environ.get("SECRET_KEY", "no secret")

DEEDS = {"allocate": allocate, "connect": connect, "look-up": look_up, "exit": exit_, "kill": kill,
         "noise": noise, "crash": crash, "spin": spin, "sleep": sleep, "secret": secret}
"""

MakeHost = Callable[..., Host]


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeHost]:
    """stand_in(**limits) -> a host whose trafilatura is the made-up one; all are closed at the end."""
    (tmp_path / "trafilatura.py").write_text(STAND_IN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    made: list[Host] = []

    def make(**limits: Any) -> Host:
        made.append(python_host(**limits))
        return made[-1]

    yield make
    for host in made:
        host.close()
