"""The report of `make bench`."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import benchmarks.__main__ as command
from benchmarks import look, quality, shrinking
from benchmarks.results import Results, current_commit


def test_every_part_can_be_run() -> None:
    for name in command.WITHOUT_SERVERS:  # the others need servers when they are imported
        assert callable(import_module(f"benchmarks.{name}").run)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Three parts that only record that they ran, and a temporary report; returns the names."""
    ran: list[str] = []

    def measured(name: str, limit: int | None) -> str:
        ran.append(name)
        return f"## About {name}\n\nRun {len(ran)}, limit {limit}."

    monkeypatch.setattr(command, "_measured", measured)
    monkeypatch.setattr(command, "RESULTS", tmp_path / "RESULTS.md")
    monkeypatch.setattr(command, "PARTS", ("speed", "quality", "memory"))
    monkeypatch.setattr(command, "current_commit", lambda folder: "abc1234")
    return ran


def call(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", *words])
    command.main()


def test_a_part_is_printed_and_written(
    no_corpora: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "RESULTS", tmp_path / "RESULTS.md")
    call(monkeypatch, "quality")
    assert "## Quality" in capsys.readouterr().out
    assert "## Quality\n\n*" in command.RESULTS.read_text()


def test_parts_of_published_pages_say_that_there_are_none(no_corpora: None) -> None:
    for part in (quality, shrinking, look):
        assert "\n\nNot measured: " in part.run()


def test_a_part_that_needs_servers_has_a_process_and_servers_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, ...]] = []

    def printed_by(*words: str) -> dict[str, str]:
        asked.append(words)
        return {"text": "## Cost"}

    monkeypatch.setattr(command, "printed_by", printed_by)
    call(monkeypatch, "cost", "live", "--limit", "2")
    assert asked == [("benchmarks.part", "cost", "2"), ("benchmarks.part", "live", "2")]


def test_a_limited_run_writes_nothing(ran: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    call(monkeypatch, "quality", "--limit", "2")
    assert ran == ["quality"]
    assert not command.RESULTS.exists()


def test_a_part_replaces_its_earlier_results(ran: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    call(monkeypatch)
    call(monkeypatch, "quality")
    written = command.RESULTS.read_text()
    assert written.startswith("# Benchmarks\n")
    assert (
        written.index("## About speed") < written.index("## About quality") < written.index("## About memory")
    )
    assert "Run 2," not in written
    assert "Run 4," in written


def test_an_interrupted_run_resumes(ran: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    call(monkeypatch, "quality")
    call(monkeypatch)
    assert ran == ["quality", "speed", "memory"]
    call(monkeypatch)
    assert len(ran) == 3
    call(monkeypatch, "--again")
    assert len(ran) == 6


@pytest.mark.parametrize("commit", ["def5678", "abc1234+changes"])
def test_another_commit_is_measured_again(
    ran: list[str], monkeypatch: pytest.MonkeyPatch, commit: str
) -> None:
    call(monkeypatch)
    monkeypatch.setattr(command, "current_commit", lambda folder: commit)
    call(monkeypatch)
    call(monkeypatch)
    assert len(ran) == (6 if commit == "def5678" else 9)


@pytest.mark.parametrize(
    ("commit", "words"),
    [
        ("abc1234", "*Commit abc1234; "),
        ("abc1234+changes", "*Uncommitted changes to commit abc1234; "),
        ("unknown+changes", "*Not in a git repository; "),
    ],
)
def test_a_part_says_of_which_code_it_is(tmp_path: Path, commit: str, words: str) -> None:
    results = Results(tmp_path / "RESULTS.md", ("speed",))
    results.write("speed", "## Speed\n\nFast.", commit=commit, load=1)
    assert words in results.path.read_text()
    assert Results.read(results.path, ("speed",)).sections["speed"][0] == commit


def test_the_commit_of_a_changed_working_tree_is_marked(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-C", tmp_path, "-c", "user.name=A", "-c", "user.email=a@b", *words], check=True
        )

    assert current_commit(tmp_path) == "unknown+changes"
    git("init", "-q")
    (tmp_path / "RESULTS.md").write_text("1")
    (tmp_path / "code.py").write_text("1")
    git("add", ".")
    git("commit", "-qm", "Begin")
    (tmp_path / "RESULTS.md").write_text("2")
    assert "+" not in current_commit(tmp_path)
    (tmp_path / "code.py").write_text("2")
    assert current_commit(tmp_path).endswith("+changes")


def test_an_unknown_part_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "qualities"])
    with pytest.raises(SystemExit):
        command.main()
