"""The nine colours of labels can be told apart by everybody, and are the same wherever they are written.

And what is drawn in other colours can be seen on every ground.
"""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
STATIC = ROOT / "annotator" / "static"
TOKEN = re.compile(r"--(line|tint)-(\d): light-dark\((#\w{6}), (#\w{6})\)")
NAMED = re.compile(r"--([a-z-]+): light-dark\((#\w{6}), (#\w{6})\)")
SHADE = re.compile(r"--shade: light-dark\((#\w{8}), (#\w{8})\)")
FRAME = re.compile(
    r"(\d): \{\s*line: \{ light: \"(#\w{6})\", dark: \"(#\w{6})\" \},"
    r"\s*tint: \{ light: \"(#\w{6})\", dark: \"(#\w{6})\" \}"
)
# A label's rule in the extension: its tint, and the colour of its line.
EXTENSION = re.compile(r"(?:goldpan-|key \.)(\w+)\)? \{ background(?:-color)?: (#\w{6});.* (#\w{6}) \dpx; \}")
LABELS = ("headline", "body", "supplemental", "comments", "related")
PAPER, INK = ("#ffffff", "#161618"), ("#1c1c1f", "#ededee")
THEMES = (0, 1)

# (line or tint, number) -> its colours, light and dark.
Tokens = dict[tuple[str, int], tuple[str, str]]

# From linear RGB to how the colour-blind see it (Machado, Oliveira and Fernandes, 2009, full severity).
VISIONS = {
    "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
]
WHITE = (0.95047, 1, 1.08883)


def rgb(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def linear(colour: str) -> np.ndarray:
    values = np.array(rgb(colour)) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    light, dark = sorted((float(linear(each) @ TO_XYZ[1]) for each in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(colour: str, vision: str) -> np.ndarray:
    seen = np.clip(np.array(VISIONS[vision]) @ linear(colour), 0, 1)
    x, y, z = (
        np.cbrt(value) if value > 0.008856 else 7.787 * value + 16 / 116
        for value in np.array(TO_XYZ) @ seen / WHITE
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.fixture(scope="module")
def tokens() -> Tokens:
    found = TOKEN.findall((STATIC / "css" / "tokens.css").read_text())
    return {(what, int(number)): (light, dark) for what, number, light, dark in found}


def test_all_nine_are_there_and_the_frame_has_the_same(
    tokens: Tokens,
) -> None:
    assert {number for _what, number in tokens} == set(range(1, 10))
    inside = FRAME.findall((STATIC / "js" / "dom" / "sheets.js").read_text())
    assert len(inside) == 9
    for number, *colours in inside:
        assert colours == [*tokens["line", int(number)], *tokens["tint", int(number)]]


@pytest.mark.parametrize("name", ["style.css", "page/paint.css"])
def test_the_extension_paints_a_label_as_the_workbench_does(tokens: Tokens, name: str) -> None:
    rules = EXTENSION.findall((ROOT / "extension" / name).read_text())
    painted = {label: (tint, line) for label, tint, line in rules if label != "other"}
    assert painted == {
        label: (tokens["tint", number][0], tokens["line", number][0])
        for number, label in enumerate(LABELS, start=1)
    }


def test_lines_and_text_have_enough_contrast(tokens: Tokens) -> None:
    for number in range(1, 10):
        for theme in THEMES:
            line, tint = tokens["line", number][theme], tokens["tint", number][theme]
            assert contrast(line, PAPER[theme]) >= 3, (number, theme)
            assert contrast(line, tint) >= 3, (number, theme)
            assert contrast(INK[theme], tint) >= 8, (number, theme)


@pytest.mark.parametrize("drawn", ["edge", "faint", "soft", "gold-line", "good", "bad"])
@pytest.mark.parametrize("ground", ["paper", "wash", "well"])
def test_what_is_drawn_has_enough_contrast_on_every_ground(drawn: str, ground: str) -> None:
    found = {name: colours for name, *colours in NAMED.findall((STATIC / "css" / "tokens.css").read_text())}
    for theme in THEMES:
        assert contrast(found[drawn][theme], found[ground][theme]) >= 3, theme


@pytest.mark.parametrize("text", ["ink", "soft", "faint", "bad", "good"])
def test_text_can_be_read_on_the_shade_of_a_table_that_scrolls(text: str) -> None:
    """At its darkest; axe does not look at gradients."""
    tokens = (STATIC / "css" / "tokens.css").read_text()
    found = {name: colours for name, *colours in NAMED.findall(tokens)}
    (shade,) = SHADE.findall(tokens)
    for theme in THEMES:
        share = int(shade[theme][7:], 16) / 255
        mixed = zip(rgb(PAPER[theme]), rgb(shade[theme][:7]), strict=True)
        ground = "#" + "".join(f"{round(under + (over - under) * share):02x}" for under, over in mixed)
        assert contrast(found[text][theme], ground) >= 4.5, theme


@pytest.mark.parametrize("vision", VISIONS)
def test_any_two_lines_can_be_told_apart(tokens: Tokens, vision: str) -> None:
    for theme in THEMES:
        for one, other in combinations(range(1, 10), 2):
            pair = (tokens["line", each][theme] for each in (one, other))
            distance = np.linalg.norm(np.subtract(*(lab(colour, vision) for colour in pair)))
            assert distance >= 20, (one, other, theme)
