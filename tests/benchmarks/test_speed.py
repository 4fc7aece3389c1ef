"""Tables of speed and memory, made on our own pages; what they say of this machine is not looked at."""

from collections.abc import Sequence

import pytest

from benchmarks import memory, speed
from benchmarks.stopwatch import Stopwatch
from extraction.extractors import get, own_names
from extraction.learning.architectures import NAMES


def watch_of(seconds: dict[str, float]) -> Stopwatch:
    """A stopwatch with one page."""
    watch = Stopwatch()
    for step, took in seconds.items():
        watch.note(step, 0, took)
    return watch


def test_speed_measures_every_step_on_every_page(no_corpora: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "OPPONENT", "everything")
    monkeypatch.setattr(speed, "names", own_names)
    text = speed.run(2)
    assert "2 pages (the demo pages)" in text
    for name in [*own_names(), speed.BARE, speed.ALL_IN, speed.LOADING]:
        assert f"| {name} | " in text
    assert (
        f"| all {len(own_names()) - len(NAMES)} own extractors but those of `train` together, re-run: "
        in text
    )
    for name in NAMES:
        assert f"| `{name}`, first pass: times everything | " in text


def test_aims_are_told_as_times_of_the_bare_parse_and_of_the_opponent() -> None:
    seconds = {speed.BARE: 1.0, speed.DOCUMENT: 2.0, speed.VIEW: 0.5, speed.ALL_IN: 4.0, speed.LOADING: 1.0}
    seconds |= {speed.DECODE: 0.0, speed.OPPONENT: 12.0}
    for name in own_names():
        chain = name.startswith("boilerpipe-")
        seconds |= {f"{name}, first pass": 1.0, f"{name}, re-run": 0.05 if chain else 0.1}
        seconds[f"{name}, re-run with another setting"] = 0.1
    figures = {aim.about: (round(aim.figure, 3), aim.aim) for aim in speed.targets(watch_of(seconds))}
    assert figures['`extract(parse(raw), "goldpan")`: times the bare parse'] == (4.0, "at most 3.0 | no")
    assert figures["the same: as fast as trafilatura, times"] == (3.0, "at least 4 | no")
    late = "`web2text`, first pass: times trafilatura"
    assert figures[late] == (0.083, " | ")
    assert speed.SpeedTarget("a view", 3.9, at_most=2.0).aim == "at most 2.0 | no"
    chains = "the 8 Boilerpipe chains together, re-run: as fast as trafilatura, times"
    assert figures[chains] == (30.0, "at least 20 | yes")


def test_without_the_opponent_only_what_needs_it_is_left_out() -> None:
    seconds = {speed.BARE: 1.0, speed.DOCUMENT: 2.0, speed.VIEW: 0.5, speed.ALL_IN: 4.0}
    assert [aim.figure for aim in speed.targets(watch_of(seconds))] == [2.0, 0.5, 4.0]


def test_other_settings_are_settings_of_the_extractors() -> None:
    for name, parameters in speed.OTHERWISE.items():
        assert get(name).with_defaults(parameters) != get(name).parameters


def test_a_peer_that_is_not_here_is_a_row_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        missing = "not installed: pip install nothing"

    monkeypatch.setattr(speed, "get", lambda _name: Missing())
    assert "not installed: pip install nothing" in speed._peer("nothing", [])


def test_memory_is_told_of_a_fresh_process_for_each_program(
    no_corpora: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "PROGRAMS", {"goldpan": memory.goldpan})
    row = memory.run(2).splitlines()[-1]
    name, first, last = cells(row)
    assert name == "goldpan"
    assert 10 < int(first) <= int(last)


def cells(row: str) -> Sequence[str]:
    """What stands between the bars."""
    return [cell.strip() for cell in row.strip("|").split("|")]
