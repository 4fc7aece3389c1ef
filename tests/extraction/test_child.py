"""Frames between a parent and a child, and the child that answers them."""

import io
import struct
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.child import DONE, Answer, Child, Gone, read_frame, serve, write_frames

ECHO = """
import sys
from extraction import child
requests, answers = child.own_pipes()
print("what is printed is no answer", flush=True)
child.serve(requests, answers, lambda a, b: child.Answer(child.DONE, b, a), 60)
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
    serve(request(b"a", b"b", b"c", b"d"), answers, lambda a, b: Answer(DONE, b, a), cpu_seconds=3600)
    pipe = io.BytesIO(answers.getvalue())
    assert [read_frame(pipe) for _ in range(6)] == [DONE, b"b", b"a", DONE, b"d", b"c"]


def test_large_messages_pass_both_ways() -> None:
    child = Child([sys.executable, "-c", ECHO], wall_seconds=30)
    page = bytes(3_000_000)
    assert child.ask(page, b"second") == Answer(DONE, b"second", page)
    child.close()
    assert child.pid is None


def test_a_child_that_says_too_little_is_gone() -> None:
    child = Child([sys.executable, "-c", "import sys; sys.exit(7)"], wall_seconds=30)
    with pytest.raises(Gone) as caught:
        child.ask(b"", b"")
    assert (caught.value.reason, caught.value.status) == ("crash", 7)


def test_a_child_that_babbles_is_stopped() -> None:
    babble = "import sys; sys.stdout.buffer.write(b'\\xff' * 100); sys.stdout.flush(); input()"
    child = Child([sys.executable, "-c", babble], wall_seconds=1.0)
    with pytest.raises(Gone) as caught:
        child.ask(b"", b"")
    assert caught.value.reason == "time"
