"""Templates that people can read."""

import re
from pathlib import Path

ANNOTATOR = Path(__file__).resolve().parents[1] / "annotator"
TEMPLATES = ANNOTATOR / "templates"
# Inputs that hold no text.
UNTYPED = {"hidden", "checkbox", "radio", "file", "submit", "range", "color"}
LONGEST_LINE = 140
# A name that people or sites chose, with nothing but the end of its link before the separator after it.
BARE_NAME = re.compile(
    r"\{\{ [a-z_.]*(?:corpus\.name|\.site(?:\|default:\S+)?|requested_by|user|username) \}\}"
    r"(?:</a>)?(?:\{% (?:if|endif)[^%]*%\})*\s·"
)
BY_NUMBER = re.compile(r"\{% blocktranslate ([^%]*)%\}([^%]*)\{% plural %\}")
SHOWN = r"\{\{ %s \}\}\s+(?:\w+\s+){0,2}(?:page|character|site|segment)"
# Numbers that never reach a thousand.
FEW = {
    "annotator.practised.evaluated_pages|length",
    "bar.pages",
    "criteria.keys|length",
    "rules.pages",
    "slots",
}


def test_no_line_of_a_template_is_too_long() -> None:
    long_lines = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in sorted(TEMPLATES.rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST_LINE
    ]
    assert long_lines == []


def test_every_kind_of_field_is_styled() -> None:
    styles = (ANNOTATOR / "static" / "css" / "base.css").read_text(encoding="utf-8")
    (styled,) = re.findall(r"^input:is\((.+?)\), select, textarea \{", styles, re.MULTILINE)
    markup = "".join(path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html"))
    used = set(re.findall(r'<input\b[^>]*?\btype="(\w+)"', markup))
    assert used - UNTYPED - set(re.findall(r'type="(\w+)"', styled)) == set()


def test_what_follows_a_name_from_right_to_left_stays_behind_it() -> None:
    """A browser moves a figure after an Arabic name before it, unless the name is in `bdi`."""
    bare = [
        f"{path.relative_to(TEMPLATES)}: {found}"
        for path in sorted(TEMPLATES.rglob("*.html"))
        for found in BARE_NAME.findall(path.read_text(encoding="utf-8"))
    ]
    assert bare == []


def test_numbers_of_pages_and_characters_are_in_groups() -> None:
    """1,234 pages, in Spanish 1 234: the number by which a plural is chosen is not written so by itself."""
    bare = [
        f"{path.relative_to(TEMPLATES)}: {number}"
        for path in sorted(TEMPLATES.rglob("*.html"))
        for head, body in BY_NUMBER.findall(path.read_text(encoding="utf-8"))
        for name, number in re.findall(r"\bcount (\w+)=(\S+)", head)
        if not number.endswith("|count") and number not in FEW and re.search(SHOWN % name, body)
    ]
    assert bare == []
