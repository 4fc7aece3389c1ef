"""Numbers about the text of each block: how much, and how it is punctuated, in any script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]
Flags = NDArray[np.bool_]

SPACE, CAPITAL, DIGIT, COMMA, STOP, CLOSING, MARK, UNSPACED = (1 << bit for bit in range(8))

_SIZE = 0x10000
_CASED_END = 0x2000  # no script with capitals, and hardly any digit, lies beyond
_COMMAS = ",;،؛，；、"
_STOPS = ".!?…؟۔。！？।"
_CLOSINGS = "\"'”’»)]」』"
_MARKS = "|©»•@"
# Thai, Lao and Khmer; kana, Chinese and the halves of rarer Chinese characters: no blanks between words.
_UNSPACED = ((0x0E00, 0x0F00), (0x1780, 0x1800), (0x3040, 0x3100), (0x3400, 0xA000), (0xFFFF, 0x10000))
CHARACTERS_A_WORD = 2  # of scripts without blanks


@cache
def _kinds() -> NDArray[np.uint8]:
    """The kinds of every character of the basic plane, as bits."""
    table = np.zeros(_SIZE, dtype=np.uint8)
    for code in range(_CASED_END):
        char = chr(code)
        table[code] = SPACE * char.isspace() | CAPITAL * char.isupper() | DIGIT * char.isdigit()
    table[0x2000:0x200B] |= SPACE
    table[[0x2028, 0x2029, 0x205F, 0x3000]] |= SPACE
    for chars, kind in ((_COMMAS, COMMA), (_STOPS, STOP), (_CLOSINGS, CLOSING), (_MARKS, MARK)):
        table[[ord(char) for char in chars]] |= kind
    for first, end in _UNSPACED:
        table[first:end] |= UNSPACED
    table[0x3000:0x3040] &= ~np.uint8(UNSPACED)
    return table


@dataclass(frozen=True, slots=True)
class BlockMeasures:
    """One entry for each block of a document, in order.

    `words` are runs without blanks, and of scripts that write none every second character; `stops` end a
    sentence, so a blank, a closing quote or the end of the block comes after them. `capitals` and `digits`
    are shares of `characters`. `ending` is 1 after a stop, 2 after a comma or colon, else 0. `marks` says
    whether there is a bar, bullet, copyright sign or at sign.
    """

    characters: Numbers
    words: Numbers
    stops: Numbers
    commas: Numbers
    capitals: Numbers
    digits: Numbers
    marks: Numbers
    ending: Numbers

    @classmethod
    def of(cls, text: str, blocks: Sequence[tuple[int, int]]) -> BlockMeasures:
        """Measure the blocks of a canonical text, which has a blank line between two of them."""
        edges = np.fromiter(chain.from_iterable(blocks), np.int64, 2 * len(blocks))
        starts, ends = edges[::2], edges[1::2]
        codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
        kinds = _kinds().take(codes, mode="clip")

        def count(flags: NDArray[Any]) -> Numbers:
            # From block to block: nothing of the blank line after it counts.
            return np.add.reduceat(flags.view(np.uint8), starts, dtype=np.int32).astype(np.float32)

        space = (kinds & SPACE) > 0
        before_space = np.concatenate((space[1:], [True]))
        closes = (kinds & CLOSING) > 0
        # Chinese and Japanese write no blank after a full stop.
        wide = (codes == 0x3002) | (codes >= 0xFF00)
        ended = before_space | np.concatenate((closes[1:], [False])) | wide
        characters = (ends - starts).astype(np.float32)
        stops = (kinds & STOP) > 0
        last = np.where(closes[ends - 1] & (ends - starts > 1), ends - 2, ends - 1)
        return cls(
            characters=characters,
            words=count(~space & before_space) + count((kinds & UNSPACED) > 0) // CHARACTERS_A_WORD,
            stops=count(stops & ended),
            commas=count((kinds & COMMA) > 0),
            capitals=count((kinds & CAPITAL) > 0) / characters,
            digits=count((kinds & DIGIT) > 0) / characters,
            marks=np.minimum(count((kinds & MARK) > 0), 1),
            ending=_ending(stops[last] | stops[ends - 1], kinds[ends - 1] & COMMA > 0, codes[ends - 1]),
        )


def _ending(stopped: Flags, comma: Flags, last: NDArray[Any]) -> Numbers:
    paused = comma | (last == ord(":"))
    return np.where(stopped, 1, np.where(paused, 2, 0)).astype(np.float32)
