"""Figures as text for a terminal."""

from extraction.tables import agreement_table


def test_each_reason_has_letters_of_its_own() -> None:
    figure = {"value": None, "low": None, "high": None, "n": 3, "units": 9, "chance": None}
    withheld = {f"figure{number}": {**figure, "withheld": f"reason {number}"} for number in range(60)}
    shown = agreement_table({"pages": 3, "excluded": {}, **withheld}).splitlines()
    notes = [line.partition(": ") for line in shown if ": reason " in line]
    assert len({letters for letters, _colon, _reason in notes}) == 60
    assert [letters for letters, _colon, _reason in notes][24:29] == ["y", "z", "aa", "ab", "ac"]
    assert notes[-1] == ("bh", ": ", "reason 59")
