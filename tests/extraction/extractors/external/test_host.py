"""Invariant 9 for libraries: every failure is recorded, and the next page runs as if nothing had happened."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from extraction.extractors.external import host
from extraction.extractors.external.host import Host, LibraryError, python_host
from tests.extraction.corpora import EXAMPLE

#: A made-up library in place of trafilatura: it does what the page says, however bad that is.
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


@contextmanager
def standing_in(folder: Path, code: str = STAND_IN, **limits: int) -> Iterator[Host]:
    """A host whose trafilatura is this code."""
    (folder / "trafilatura.py").write_text(code, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(folder))
        made = python_host(**limits)
    yield made
    made.close()


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with standing_in(tmp_path_factory.mktemp("library")) as made:
        yield made


def refusal(host: Host, page: str) -> LibraryError:
    with pytest.raises(LibraryError) as caught:
        host.ask("trafilatura", page)
    return caught.value


def printed(host: Host, page: str) -> str:
    return host.ask("trafilatura", page).text


def test_text_and_cost_come_back(stand_in: Host) -> None:
    answer = stand_in.ask("trafilatura", "Señal 😀")
    assert answer.text == "Señal 😀"
    assert answer.seconds is not None
    assert 0 <= answer.seconds < 1


def test_importing_the_library_is_no_cost_of_the_page(tmp_path: Path) -> None:
    slow = "import time\nwhile time.process_time() < 1.5: pass\ndef extract(html, **options): return html\n"
    with standing_in(tmp_path, slow) as host:
        seconds = host.ask("trafilatura", "page").seconds
    assert seconds is not None
    assert seconds < 0.5


def test_a_crash_is_told_and_keeps_the_child(stand_in: Host) -> None:
    error = refusal(stand_in, "crash on purpose")
    assert (error.reason, str(error)) == ("crash", "trafilatura: RuntimeError: on purpose")
    pid = stand_in.pid
    assert printed(stand_in, "next") == "next"
    assert stand_in.pid == pid


def test_a_child_that_ends_is_replaced(stand_in: Host) -> None:
    for deed, reason in (("exit", "crash"), ("allocate", "memory")):
        assert refusal(stand_in, deed).reason == reason
        assert printed(stand_in, "next") == "next"


def test_what_the_machine_does_is_no_failure_of_the_library(
    stand_in: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed(stand_in, "import it first")
    with monkeypatch.context() as patched:
        patched.setattr(stand_in._child, "_wall_seconds", 1)
        with pytest.raises(TimeoutError):
            stand_in.ask("trafilatura", "sleep")
    with pytest.raises(ChildProcessError):
        stand_in.ask("trafilatura", "kill")
    assert printed(stand_in, "next") == "next"


def test_a_loop_is_stopped_by_the_cpu_limit(tmp_path: Path) -> None:
    with standing_in(tmp_path, cpu_seconds=1) as host:
        assert refusal(host, "spin").reason == "time"
        assert printed(host, "next") == "next"


def test_what_a_library_prints_or_reads_does_not_disturb_the_answer(stand_in: Host) -> None:
    assert printed(stand_in, "noise and text") == "and text"
    assert printed(stand_in, "next") == "next"


def test_no_library_reaches_the_network(stand_in: Host) -> None:
    assert "extractors have no network" in str(refusal(stand_in, "connect"))
    assert printed(stand_in, "look-up") == "went on without"
    assert any("page.invalid" in attempt for attempt in stand_in.attempts)
    printed(stand_in, "next")
    assert stand_in.attempts == []


def test_the_child_sees_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hush")
    with standing_in(tmp_path) as host:
        assert printed(host, "secret") == "no secret"


def test_a_library_that_cannot_be_imported_fails_its_pages_only(tmp_path: Path) -> None:
    with standing_in(tmp_path, "import nothing_of_that_name") as host:
        assert "ModuleNotFoundError" in str(refusal(host, "page"))
        assert "Bridge opens" in host.ask("boilerpy3-article", EXAMPLE).text


def test_an_interrupted_question_ends_the_child(stand_in: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    printed(stand_in, "import it first")

    def interrupt(_: object) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("extraction.child_process.read_frame", interrupt)
        with pytest.raises(KeyboardInterrupt):
            stand_in.ask("trafilatura", "the answer to this must not be taken for the next one's")
    assert printed(stand_in, "next") == "next"


def test_a_process_that_was_forked_has_a_child_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    parents = host.of_this_process()
    assert host.of_this_process() is parents
    pid = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: pid + 1)
    assert host.of_this_process() is not parents
