"""The killable parser: what a page does to it, and that the next page does not notice."""

import gzip
import io
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from extraction import child_process
from extraction.child_process import write_frames
from extraction.documents.document import Document
from extraction.documents.view.build import build_view
from extraction.parsing.errors import ParseError
from extraction.parsing.limits import MAX_BYTES
from extraction.parsing.parse import parse
from extraction.sandbox import Parser, answer

PAGE = "<html lang=es><p>Señal 😀</p><style>a{color:red}</style>".encode()


@pytest.fixture(scope="module")
def parser() -> Iterator[Parser]:
    with Parser(cpu_seconds=1) as parser:
        yield parser


def reason(parser: Parser, raw: bytes) -> str:
    with pytest.raises(ParseError) as error:
        parser.parse(raw)
    return error.value.reason


def slow_page(size: int) -> bytes:
    """Formatting elements that the parser opens again in every paragraph: 6,000 take over ten seconds."""
    return "".join(f"<font size={number}><p>" for number in range(size)).encode()


def wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + 240
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline, "the child outlived its parent"
        time.sleep(0.02)


def test_it_gives_the_document_and_the_view(parser: Parser) -> None:
    parsed = parser.parse(PAGE)
    assert parsed.document == parse(PAGE)
    assert json.loads(gzip.decompress(parsed.view)) == build_view(parsed.document)
    assert parsed.lost_sheets == 0
    assert (
        parser.parse(b"<link rel=stylesheet href=a.css><link rel=stylesheet href=b.css><p>a").lost_sheets == 2
    )


def test_the_charset_reaches_the_child(parser: Parser) -> None:
    assert parser.parse(b"caf\xe9 a", "latin1").document.text == "café a"


def test_a_refusal_keeps_the_child(parser: Parser) -> None:
    parser.parse(PAGE)
    pid = parser.pid
    assert reason(parser, b"<p>x" * 100_000) == "too-many-nodes"
    assert parser.pid == pid


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", "empty"),
        (b"x" * (MAX_BYTES + 1), "too-large"),
        (b"<div>" * 100_000, "too-deep"),
        (b"<a " + b" ".join(b"a%d" % number for number in range(200_000)) + b">", "too-many-attributes"),
    ],
    ids=["empty", "too-large", "too-deep", "too-many-attributes"],
)
def test_a_glance_refuses_before_any_child_is_asked(raw: bytes, expected: str) -> None:
    with Parser() as fresh:
        assert reason(fresh, raw) == expected
        assert fresh.pid is None


def test_a_slow_page_is_stopped_by_the_cpu_limit(parser: Parser) -> None:
    assert reason(parser, slow_page(6000)) == "time"
    assert parser.parse(PAGE).document.text == "Señal 😀"


def test_each_page_has_the_whole_cpu_limit(parser: Parser) -> None:
    page = slow_page(1000)  # a quarter of a second
    assert {(reason(parser, page), parser.pid is not None) for _ in range(15)} == {("too-many-nodes", True)}


def test_a_child_that_hangs_says_nothing_about_its_page(
    parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser.parse(PAGE)
    os.kill(parser.pid or 0, signal.SIGSTOP)
    with monkeypatch.context() as patched:
        patched.setattr(parser, "_wall_seconds", 1)
        with pytest.raises(TimeoutError):
            parser.parse(PAGE)
    assert parser.parse(PAGE).document.text == "Señal 😀"


def test_a_page_that_wants_too_much_memory_is_refused() -> None:
    with Parser() as parser:  # one that has parsed no large page before
        parser.parse(PAGE)
        pages = int(Path(f"/proc/{parser.pid}/statm").read_text().split()[0])
    with Parser(memory_bytes=pages * resource.getpagesize() + (20 << 20)) as parser:
        assert (
            reason(parser, b"<p>" + b"word " * 590_000 + b"<b title='" + b"y" * 4_000_000 + b"'>z")
            == "memory"
        )
        assert parser.parse(PAGE).document.text == "Señal 😀"


@pytest.mark.parametrize(
    ("number", "expected"), [(signal.SIGSEGV, ParseError), (signal.SIGKILL, ChildProcessError)]
)
def test_a_child_that_dies_at_work_is_replaced(
    parser: Parser, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, expected: type[Exception]
) -> None:
    parser.parse(PAGE)
    pid = parser.pid or 0
    os.kill(pid, signal.SIGSTOP)

    def write_and_kill(*message: Any) -> None:
        write_frames(*message)
        os.kill(pid, number)
        os.kill(pid, signal.SIGCONT)

    with monkeypatch.context() as patched:
        patched.setattr(child_process, "write_frames", write_and_kill)
        with pytest.raises(expected):
            parser.parse(PAGE)
    assert parser.parse(PAGE).document.text == "Señal 😀"


def test_a_child_that_died_between_pages_is_replaced(parser: Parser) -> None:
    parser.parse(PAGE)
    os.kill(parser.pid or 0, signal.SIGKILL)
    os.waitid(os.P_PID, parser.pid or 0, os.WEXITED | os.WNOWAIT)
    assert parser.parse(PAGE).document.text == "Señal 😀"


def test_closing_ends_the_child() -> None:
    parser = Parser()
    parser.parse(PAGE)
    pid = parser.pid or 0
    parser.close()
    assert not Path(f"/proc/{pid}").exists()


def test_the_child_ends_with_its_parent() -> None:
    code = "from extraction.sandbox import Parser; p = Parser(); p.parse(b'x'); "
    code += "print(p.pid, flush=True); input()"
    parent = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    wait_until_gone(pid)


def test_the_child_sees_no_secrets(parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hush")
    parser.close()
    parser.parse(PAGE)
    assert b"hush" not in Path(f"/proc/{parser.pid}/environ").read_bytes()


def test_the_protocol_is_frames_of_data() -> None:
    frames = b"".join(struct.pack(">I", len(frame)) + frame for frame in (b"", PAGE))
    answers = io.BytesIO()
    child_process.serve(io.BytesIO(frames + b"\0\0"), answers, answer, 3600)
    reply = answers.getvalue().removeprefix(struct.pack(">I", 5) + b"ready")
    (length,) = struct.unpack(">I", reply[:4])
    assert reply[4 : 4 + length] == b"done"
    (size,) = struct.unpack(">I", reply[4 + length : 8 + length])
    assert Document.unpack(reply[8 + length : 8 + length + size]) == parse(PAGE)
