"""Invariant 9 for libraries: every failure is recorded, and the next page runs as if nothing had happened."""

import os
from pathlib import Path

import pytest

from extraction.extractors.external import host
from extraction.extractors.external.host import Host, LibraryError
from tests.extraction.corpora import EXAMPLE
from tests.extraction.extractors.external.conftest import MakeHost


def refusal(host: Host, page: str) -> LibraryError:
    with pytest.raises(LibraryError) as caught:
        host.ask("trafilatura", page)
    return caught.value


def printed(host: Host, page: str) -> str:
    return host.ask("trafilatura", page).text


def test_text_and_cost_come_back(stand_in: MakeHost) -> None:
    printed = stand_in().ask("trafilatura", "Señal 😀")
    assert printed.text == "Señal 😀"
    assert printed.seconds is not None
    assert 0 <= printed.seconds < 1


def test_importing_the_library_is_no_cost_of_the_page(stand_in: MakeHost, tmp_path: Path) -> None:
    slow = "import time\nwhile time.process_time() < 1.5: pass\ndef extract(html, **options): return html\n"
    (tmp_path / "trafilatura.py").write_text(slow, encoding="utf-8")
    seconds = stand_in().ask("trafilatura", "page").seconds
    assert seconds is not None
    assert seconds < 0.5


def test_a_crash_is_told_and_keeps_the_child(stand_in: MakeHost) -> None:
    host = stand_in()
    error = refusal(host, "crash on purpose")
    assert (error.reason, str(error)) == ("crash", "trafilatura: RuntimeError: on purpose")
    pid = host.pid
    assert printed(host, "next") == "next"
    assert host.pid == pid


def test_a_child_that_ends_is_replaced(stand_in: MakeHost) -> None:
    host = stand_in()
    for deed, reason in (("exit", "crash"), ("allocate", "memory")):
        assert refusal(host, deed).reason == reason
        assert printed(host, "next") == "next"


def test_what_the_machine_does_is_no_failure_of_the_library(
    stand_in: MakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = stand_in()
    with monkeypatch.context() as patched:
        patched.setattr(host._child, "_wall_seconds", 1)
        with pytest.raises(TimeoutError):
            host.ask("trafilatura", "sleep")
    with pytest.raises(ChildProcessError):
        host.ask("trafilatura", "kill")
    assert printed(host, "next") == "next"


def test_a_loop_is_stopped_by_the_cpu_limit(stand_in: MakeHost) -> None:
    host = stand_in(cpu_seconds=1)
    assert refusal(host, "spin").reason == "time"
    assert printed(host, "next") == "next"


def test_what_a_library_prints_or_reads_does_not_disturb_the_answer(stand_in: MakeHost) -> None:
    host = stand_in()
    assert printed(host, "noise and text") == "and text"
    assert printed(host, "next") == "next"


def test_no_library_reaches_the_network(stand_in: MakeHost) -> None:
    host = stand_in()
    assert "extractors have no network" in str(refusal(host, "connect"))
    assert printed(host, "look-up") == "went on without"
    assert any("page.invalid" in attempt for attempt in host.attempts)
    printed(host, "next")
    assert host.attempts == []


def test_the_child_sees_no_secrets(stand_in: MakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hush")
    assert printed(stand_in(), "secret") == "no secret"


def test_a_library_that_cannot_be_imported_fails_its_pages_only(stand_in: MakeHost, tmp_path: Path) -> None:
    (tmp_path / "trafilatura.py").write_text("import nothing_of_that_name", encoding="utf-8")
    host = stand_in()
    assert "ModuleNotFoundError" in str(refusal(host, "page"))
    assert "Bridge opens" in host.ask("boilerpy3-article", EXAMPLE).text


def test_an_interrupted_question_ends_the_child(stand_in: MakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    host = stand_in()
    printed(host, "import it first")

    def interrupt(_: object) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("extraction.child_process.read_frame", interrupt)
        with pytest.raises(KeyboardInterrupt):
            host.ask("trafilatura", "the answer to this must not be taken for the next one's")
    assert printed(host, "next") == "next"


def test_a_process_that_was_forked_has_a_child_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    parents = host.of_this_process()
    assert host.of_this_process() is parents
    pid = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: pid + 1)
    assert host.of_this_process() is not parents
