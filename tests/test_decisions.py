"""The index of decisions lists each with its title, and says which numbers are missing."""

import re
from pathlib import Path

DECISIONS = Path(__file__).parent.parent / "docs" / "decisions"


def test_the_index_lists_every_decision_by_its_title() -> None:
    index = (DECISIONS / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| \[(.+)\]\((.+)\) \| \S.* \|$", index, re.MULTILINE)
    files = sorted(DECISIONS.glob("[0-9]*.md"))
    headings = [file.read_text("utf-8").partition("\n")[0] for file in files]
    assert [(f"# {number}. {title}", name) for number, title, name in rows] == [
        (heading, file.name) for heading, file in zip(headings, files, strict=True)
    ]
    numbers = {int(number) for number, _title, _name in rows}
    (withdrawn,) = re.findall(r"([\d, and]+) were withdrawn", index)
    assert set(map(int, re.findall(r"\d+", withdrawn))) == set(range(1, max(numbers) + 1)) - numbers
