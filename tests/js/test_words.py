"""What scripts say can be translated: every word is in a template, and no template has a word too many."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(
    path
    for place in ("core", "dom", "net", "elements", ".")
    for path in (ROOT / "static/js" / place).glob("*.js")
)
SCREENS = {
    "annotate": ("annotations/words.html", "annotate"),
    "adjudicate": ("gold/words.html", "adjudicate"),
    "glass": ("leaderboard/words.html", "glass"),
}
SAID = re.compile(r"""\b(?:say|count)\(([^;]*)""")
LITERAL = re.compile(r'"((?:[^"\\\\]|\\\\.)*)"')
TABLE = re.compile(r"^const [A-Z]+ = \{$(.*?)^\};$", re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r'from "(\./|\.\./)([^"]+)"')


def words_in(template: str) -> set[str]:
    return set(re.findall(r'<data value="([^"]*)">', (ROOT / "templates" / template).read_text("utf-8")))


def modules_of(entry: Path, seen: set[Path]) -> set[Path]:
    """The entry and everything that it imports."""
    if entry not in seen:
        seen.add(entry)
        for way, name in IMPORT.findall(entry.read_text("utf-8")):
            modules_of((entry.parent / way / name).resolve(), seen)
    return seen


def said_by(path: Path) -> set[str]:
    """Sentences that a script says: literals with a blank in calls of say and count, and in its tables."""
    text = path.read_text("utf-8")
    parts = [*SAID.findall(text), *TABLE.findall(text)]
    return {word for part in parts for word in LITERAL.findall(part) if re.match(r"[A-Z{\d][^=]* ", word)}


@pytest.mark.parametrize("screen", SCREENS)
def test_words_of_a_screen_are_all_in_its_template(screen: str) -> None:
    template, entry = SCREENS[screen]
    given = words_in(template) | words_in("bench.html")
    modules = modules_of((ROOT / "static/js" / f"{entry}.js").resolve(), set())
    missing = {word for path in modules for word in said_by(path)} - given
    assert not missing


@pytest.mark.parametrize("template", ["bench.html", *(template for template, _ in SCREENS.values())])
def test_templates_hold_no_word_that_nobody_says(template: str) -> None:
    everything = "".join(path.read_text("utf-8") for path in SCRIPTS)
    assert not {word for word in words_in(template) if f'"{word}"' not in everything}


@pytest.mark.parametrize("template", ["bench.html", *(template for template, _ in SCREENS.values())])
def test_words_are_keyed_by_what_is_translated(template: str) -> None:
    text = (ROOT / "templates" / template).read_text("utf-8")
    pairs = re.findall(r'<data value="([^"]*)">{% translate "([^"]*)" %}</data>', text)
    assert len(pairs) == len(words_in(template))
    assert all(key == words for key, words in pairs)
