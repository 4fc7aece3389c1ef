"""Words as Boilerpipe counts them, and the lines that they fill.

Text is cut at blanks, and between a word character and another one unless a mark that glues stands there:
"It's", "3.5" and "a/b" are one token, "don’t" three. A token with a letter or digit is a word. Words are
wrapped at `LINE_LENGTH`, and the last line, which is seldom full, does not count.
"""

import codecs
import re
from collections.abc import Sequence
from itertools import pairwise

LINE_LENGTH = 80  # characters, in UTF-16 units as Java counts them

# Java's Character.isWhitespace: no-break spaces are text.
BLANKS = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2008\u2009\u200a\u2028\u2029\u205f\u3000"
)
_TO_SPACE = re.compile(f"[{BLANKS}]")
_GLUE = "\"'.,!@-:;$?()/"

# Counting is done on bytes, which is fast: one for each UTF-16 unit, and where the charset lacks a character,
# that of another of its kind.
_CHARSET = "cp1252"
_LETTER, _OTHER = "a", "|"


def _alike(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return error.object[error.start : error.end].translate(_KINDS), error.end


class _Kinds(dict[int, str]):
    """What stands for a character that the charset lacks, by code point; kept for those of one unit."""

    def __missing__(self, code: int) -> str:
        kind = _LETTER if chr(code).isalnum() else _OTHER
        if code > 0xFFFF:
            return 2 * kind
        self[code] = kind
        return kind


_KINDS = _Kinds()


_ALIKE = "goldpan-alike"
codecs.register_error(_ALIKE, _alike)


def _is_letter(byte: int) -> bool:
    return bytes([byte]).decode(_CHARSET, "ignore").isalnum()


_LETTERS = bytes(byte for byte in range(256) if _is_letter(byte))
_GLUES = _GLUE.encode()
_WORD = _LETTERS + b"_"
_PLAIN = _WORD + _GLUES + b" \n"
_OTHERS = bytes(byte for byte in range(256) if byte not in _PLAIN)
# A token without a letter. The first byte is asked for first: most bytes end the attempt there.
_NO_LETTER = b"[%b]" % re.escape(_GLUES + _OTHERS + b"_")
_NO_WORD = re.compile(rb"%b(?<![^ \n].)%b*+(?![^ \n]) ?" % (_NO_LETTER, _NO_LETTER), re.DOTALL)


def spaced(text: str) -> str:
    """The text with a plain space for every blank."""
    return text if text.isprintable() else _TO_SPACE.sub(" ", text)


def rows_of_words(texts: Sequence[str]) -> list[bytes]:
    """The words of each text with one space between, a byte for each UTF-16 unit; texts are `spaced`."""
    data = "\n".join(texts).encode(_CHARSET, _ALIKE)
    for other in set(data.translate(None, _PLAIN)):
        data = _cut_off(data, bytes([other]))
    data = _NO_WORD.sub(b"", data)
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return [row.strip(b" ") for row in data.split(b"\n")] if texts else []


def _cut_off(data: bytes, other: bytes) -> bytes:
    """Put a space wherever this byte touches a word."""
    pieces = data.split(other)
    result = [pieces[0]]
    for left, right in pairwise(pieces):
        if left and left[-1] in _WORD:
            result.append(b" ")
        result.append(other)
        if right and right[0] in _WORD:
            result.append(b" ")
        result.append(right)
    return b"".join(result)


def count(row: bytes) -> int:
    """The words of a row."""
    return row.count(b" ") + 1 if row else 0


def wrap(row: bytes) -> tuple[int, int]:
    """The words of a row that are on full lines, and these lines; less than a line is one."""
    start = lines = 0
    while len(row) - start > LINE_LENGTH:
        cut = row.rfind(b" ", start, start + LINE_LENGTH + 1)
        if cut < 0:  # a word longer than a line; the original counts an empty line before the first
            lines += start == 0
            cut = row.find(b" ", start)
            if cut < 0:
                break
        lines += 1
        start = cut + 1
    words = count(row)
    full = words - count(row[start:])
    return (full, lines) if lines and full else (words, 1)
