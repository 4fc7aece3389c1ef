"""The characters of a text that comparison looks at: no blanks, no accents, one case, one shape of each."""

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from extraction.alignment.matching import Positions, Searchable

# Beyond these code points a character is its own shape. Most of what lies between has no other either, and
# Korean syllables would come apart.
_END = 0x10000
_SHAPED = (range(0x3400), range(0xA640, 0xAC00), range(0xF900, _END))
_SEVERAL = 0xFFFFFFFF
_QUOTES_AND_DASHES = str.maketrans("‘’‚‛′`´“”„‟″«»‐‑‒–—―−", "'''''''\"\"\"\"\"\"\"-------")
#: What people and programs draw lists, rules and tables with when they print a page as text.
_DRAWN = frozenset("|_•◦▪●■□‣⁃")


@dataclass(frozen=True, eq=False)
class VisibleCharacters(Searchable):
    """The visible characters of a text, in one shape, and the position in the text that each came from.

    Blanks, accents, invisible format characters and what draws tables and bullets are not visible. One
    character may be several here: the ligature of f and i is an f and an i, both from the same position.
    """

    positions: Positions

    def positions_of(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the text that these characters came from."""
        return int(self.positions[start]), int(self.positions[end - 1]) + 1


@lru_cache(maxsize=4)
def visible_characters_of(text: str) -> VisibleCharacters:
    """The visible characters of a text; the last few are cached, as many texts are compared with one page."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    single, several = _shapes()
    shapes = np.where(codes < _END, single[np.minimum(codes, _END - 1)], codes)
    positions = np.arange(len(codes))
    shapes, positions = _spread(text, shapes, positions, several)
    visible = shapes != 0
    shapes = shapes[visible]
    return VisibleCharacters(
        shapes.tobytes().decode("utf-32-le", "surrogatepass"), shapes, positions[visible]
    )


def is_visible(char: str) -> bool:
    """Whether a character is compared."""
    return ord(char) >= _END or bool(_shapes()[0][ord(char)])


def _spread(
    text: str, shapes: NDArray[np.uint32], positions: Positions, several: dict[str, str]
) -> tuple[NDArray[np.uint32], Positions]:
    """The arrays with each character that is several in its shape as so many."""
    found = np.flatnonzero(shapes == _SEVERAL).tolist()
    if not found:
        return shapes, positions
    counts = np.ones(len(shapes), dtype=np.int64)
    counts[found] = [len(several[text[position]]) for position in found]
    spread = np.repeat(shapes, counts)
    letters = "".join(several[text[position]] for position in found)
    spread[spread == _SEVERAL] = [ord(letter) for letter in letters]
    return spread, np.repeat(positions, counts)


@cache
def _shapes() -> tuple[NDArray[np.uint32], dict[str, str]]:
    """The shape by code point: 0 for an invisible character, `_SEVERAL` for those in the second table."""
    single = np.arange(_END, dtype=np.uint32)
    several: dict[str, str] = {}
    for code in (code for codes in _SHAPED for code in codes):
        shape = _shape(chr(code))
        single[code] = _SEVERAL if len(shape) > 1 else ord(shape or "\0")
        if len(shape) > 1:
            several[chr(code)] = shape
    return single, several


def _shape(char: str) -> str:
    plain = char.translate(_QUOTES_AND_DASHES)
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", plain).casefold())
    return "".join(each for each in plain.translate(_QUOTES_AND_DASHES) if _is_visible(each))


def _is_visible(char: str) -> bool:
    if char.isspace() or char in _DRAWN:
        return False
    return unicodedata.category(char) not in ("Mn", "Me", "Cf", "Cc")
