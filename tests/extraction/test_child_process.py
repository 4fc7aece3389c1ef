"""Frames between a parent and a child, and the child that answers them."""

import io
import signal
import struct
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.child_process import (
    DONE,
    READY,
    START_SECONDS,
    ChildGone,
    KillableChild,
    Reply,
    read_frame,
    serve,
    write_frames,
)

# Seconds that an answer is waited for on a busy machine.
A_WHILE = 240.0

ECHO = """
import sys
from extraction import child_process as child
requests, answers = child.own_pipes()
print("what is printed is no answer", flush=True)
child.serve(requests, answers, lambda a, b: child.Reply(child.DONE, b, a), 60)
"""


def request(*frames: bytes) -> io.BytesIO:
    pipe = io.BytesIO()
    write_frames(pipe, *frames)
    return io.BytesIO(pipe.getvalue())


@given(st.lists(st.binary(), max_size=5))
def test_frames_come_as_they_went(frames: list[bytes]) -> None:
    pipe = request(*frames)
    assert [read_frame(pipe) for _ in frames] == frames


@pytest.mark.parametrize("sent", [b"", b"\0\0", b"\0\0\0\5four", struct.pack(">I", (256 << 20) + 1) + b"x"])
def test_a_broken_or_endless_frame_is_the_end(sent: bytes) -> None:
    with pytest.raises(EOFError):
        read_frame(io.BytesIO(sent))


def test_a_child_answers_until_the_requests_end() -> None:
    answers = io.BytesIO()
    serve(request(b"a", b"b", b"c", b"d"), answers, lambda a, b: Reply(DONE, b, a), cpu_seconds=3600)
    pipe = io.BytesIO(answers.getvalue())
    assert [read_frame(pipe) for _ in range(7)] == [READY, DONE, b"b", b"a", DONE, b"d", b"c"]


def test_large_messages_pass_both_ways() -> None:
    child = KillableChild([sys.executable, "-c", ECHO], wall_seconds=A_WHILE)
    page = bytes(3_000_000)
    assert child.ask(page, b"second") == Reply(DONE, b"second", page)
    child.close()
    assert child.pid is None


# Does what the request says, once it is ready.
DOES = """
import os, signal, sys, time
from extraction import child_process as child
requests, answers = child.own_pipes()
def do(a, b):
    if a == b"spin":
        while True: pass
    time.sleep(99) if a == b"sleep" else os._exit(7) if a == b"exit" else os.kill(os.getpid(), signal.SIGKILL)
    return child.Reply(child.DONE, a, b)
child.serve(requests, answers, do, 1)
"""


def test_a_child_that_ends_at_a_request_says_how() -> None:
    child = KillableChild([sys.executable, "-c", DOES], wall_seconds=A_WHILE)
    for request, expected in ((b"exit", ("crash", 7)), (b"spin", ("time", -signal.SIGXCPU))):
        with pytest.raises(ChildGone) as caught:
            child.ask(request, b"")
        assert (caught.value.reason, caught.value.status) == expected


@pytest.mark.parametrize(
    ("request_", "wall_seconds", "error"),
    [(b"sleep", 1, TimeoutError), (b"kill", A_WHILE, ChildProcessError)],
)
def test_what_the_machine_does_to_a_child_is_not_its_answer(
    request_: bytes, wall_seconds: float, error: type[OSError]
) -> None:
    child = KillableChild([sys.executable, "-c", DOES], wall_seconds=wall_seconds)
    with pytest.raises(error):
        child.ask(request_, b"")
    assert child.pid is None


def test_starting_takes_nothing_of_the_time_for_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = tmp_path / "started"
    slow = f"import pathlib, time; time.sleep(0.5); pathlib.Path({str(started)!r}).touch()\n{ECHO}"
    had_started = {}

    class Alarm(threading.Timer):
        def start(self) -> None:
            had_started[self.interval] = started.exists()
            super().start()

    monkeypatch.setattr(threading, "Timer", Alarm)
    child = KillableChild([sys.executable, "-c", slow], wall_seconds=A_WHILE)
    assert child.ask(b"a", b"b") == Reply(DONE, b"b", b"a")
    child.close()
    assert had_started == {START_SECONDS: False, A_WHILE: True}


def test_an_interrupt_while_an_alarm_is_set_leaves_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alarms = []

    class Interrupted(threading.Timer):
        def start(self) -> None:
            super().start()
            alarms.append(self)
            raise KeyboardInterrupt

    monkeypatch.setattr(threading, "Timer", Interrupted)
    child = KillableChild([sys.executable, "-c", ECHO], wall_seconds=A_WHILE)
    with pytest.raises(KeyboardInterrupt):
        child.ask(b"a", b"b")
    [alarm] = alarms
    alarm.join(A_WHILE / 2)
    assert not alarm.is_alive()
    assert child.pid is None


@pytest.mark.parametrize("program", ["import sys; sys.exit(7)", "print('x' * 100); input()"])
def test_a_child_that_does_not_start_is_no_answer(program: str) -> None:
    child = KillableChild([sys.executable, "-c", program], wall_seconds=A_WHILE)
    with pytest.raises(ChildProcessError, match="did not start"):
        child.ask(b"", b"")


def test_the_parent_can_limit_the_cpu_time_of_an_answer() -> None:
    without_limit = DOES.replace(
        "child.serve(requests, answers, do, 1)",
        """
child.write_frames(answers, child.READY)
do(child.read_frame(requests), b"")
""",
    )
    child = KillableChild([sys.executable, "-c", without_limit], wall_seconds=A_WHILE, cpu_seconds=1)
    with pytest.raises(ChildGone) as caught:
        child.ask(b"spin", b"")
    assert caught.value.reason == "time"
