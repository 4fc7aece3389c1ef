"""What happens when a child ends."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from launcher import leftovers, logs, supervisor
from launcher.child import Child, Program
from launcher.errors import LauncherError
from launcher.supervisor import Watched, delay_after, ending, look_after

MakeChild = Callable[..., Child]


@pytest.fixture
def make_child(tmp_path: Path) -> MakeChild:
    def make(script: str, **options: object) -> Child:
        return Child(
            Program(
                "helper",
                ["sh", "-c", script],
                {"PATH": "/usr/bin:/bin"},
                tmp_path / "log",
                tmp_path,
                **options,
            )
        )

    return make


def wait_for(child: Child) -> int:
    end = time.monotonic() + 5
    while (code := child.exit_code) is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    return code


def test_delay_doubles_up_to_a_limit() -> None:
    assert [delay_after(failures) for failures in range(7)] == [1, 2, 4, 8, 16, 30, 30]


@pytest.mark.parametrize(("code", "words"), [(3, "exit status 3"), (-9, "SIGKILL"), (-40, "signal 40")])
def test_ending_is_said_in_words(code: int, words: str) -> None:
    assert ending(code) == words


def test_ended_child_is_started_again_after_its_delay(
    make_child: MakeChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "delay_after", lambda failures: 0.2 * (failures + 1))
    said: list[str] = []
    watched = Watched(make_child("exit 3"))
    for failures in (1, 2):
        first = watched.child.pid
        wait_for(watched.child)
        look_after(watched, said.append)
        look_after(watched, said.append)
        assert watched.child.pid == first, "it must wait"
        assert watched.failures == failures
        time.sleep(0.2 * failures + 0.05)
        look_after(watched, said.append)
        assert watched.child.pid != first
    assert len(said) == 2
    assert "helper ended (exit status 3); starting it again in 0 s; see " in said[0]
    wait_for(watched.child)


def test_child_that_lasted_counts_as_healthy(make_child: MakeChild, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "HEALTHY_SECONDS", 0.0)
    watched = Watched(make_child("sleep 5"), failures=4)
    look_after(watched, lambda line: None)
    assert watched.failures == 0
    watched.child.kill_group()


def test_end_of_an_essential_child_ends_all(make_child: MakeChild) -> None:
    watched = Watched(make_child("exit 1", restart=False))
    wait_for(watched.child)
    with pytest.raises(LauncherError, match=r"helper ended \(exit status 1\), so all stops; see "):
        look_after(watched, lambda line: None)


def test_stop_kills_what_does_not_listen(make_child: MakeChild) -> None:
    child = make_child("trap '' TERM; sleep 60 & wait", grace_seconds=0.2)
    time.sleep(0.2)
    child.ask_to_stop()
    child.stop()
    assert child.exit_code == -9


def test_stop_kills_workers_that_outlive_their_parent(make_child: MakeChild, tmp_path: Path) -> None:
    child = make_child("sleep 60 & exit 0")
    wait_for(child)
    assert len(leftovers.servers_in(tmp_path)) == 1
    child.stop()
    end = time.monotonic() + 2
    while leftovers.servers_in(tmp_path) and time.monotonic() < end:
        time.sleep(0.01)
    assert leftovers.servers_in(tmp_path) == []


def test_large_log_is_moved_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "LARGEST", 3)
    path = tmp_path / "web.log"
    for text in ("first", "second", "third", "fourth", "fifth"):
        logs.fresh(path).write_text(text, encoding="utf-8")
    found = {kept.name: kept.read_text(encoding="utf-8") for kept in tmp_path.iterdir()}
    assert found == {"web.log": "fifth", "web.log.1": "fourth", "web.log.2": "third", "web.log.3": "second"}


def test_small_log_goes_on(tmp_path: Path) -> None:
    (tmp_path / "web.log").write_text("before", encoding="utf-8")
    assert logs.fresh(tmp_path / "web.log").read_text(encoding="utf-8") == "before"
    assert logs.last_lines(tmp_path / "web.log") == "    before"
