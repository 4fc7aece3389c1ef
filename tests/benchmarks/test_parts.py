"""What `make bench` puts together."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

import benchmarks.__main__ as command


def test_every_part_can_be_run() -> None:
    for name in set(command.PARTS) - command.WITH_SERVERS:  # the others want servers when they are imported
        assert callable(import_module(f"benchmarks.{name}").run)


def test_some_parts_alone_write_no_results(
    no_corpora: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "RESULTS", tmp_path / "RESULTS.md")
    monkeypatch.setattr(sys, "argv", ["benchmarks", "quality", "java_words"])
    command.main()
    assert "## Quality" in capsys.readouterr().out
    assert not command.RESULTS.exists()


def test_all_parts_write_their_results_in_order(
    no_corpora: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "RESULTS", tmp_path / "RESULTS.md")
    monkeypatch.setattr(command, "PARTS", ("quality", "paper"))
    monkeypatch.setattr(sys, "argv", ["benchmarks"])
    command.main()
    written = command.RESULTS.read_text()
    assert written.startswith("# Benchmarks\n")
    assert written.index("## Quality") < written.index("## The tree filter's paper")


def test_an_unknown_part_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "qualities"])
    with pytest.raises(SystemExit):
        command.main()
