"""Words as Boilerpipe counts them, and the lines that they fill.

Text is cut at blanks, and between a word character and another one unless a mark that glues stands there:
"It's", "3.5" and "a/b" are one token, "don’t" three. A token with a letter or digit is a word. Words are
wrapped at `LINE_LENGTH`, and the last line, which is seldom full, does not count.
"""

from __future__ import annotations

import re

LINE_LENGTH = 80  # characters, in UTF-16 units as Java counts them

# Java's Character.isWhitespace: no-break spaces are text.
BLANKS = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2008\u2009\u200a\u2028\u2029\u205f\u3000"
)
_TO_SPACE = re.compile(f"[{BLANKS}]")

_GLUE = "\"'.,!@-:;$?()/"
_RUN = rf"(?:\w+|[^\w {re.escape(_GLUE)}]+)"
_GLUES = f"[{re.escape(_GLUE)}]"
_TOKEN = re.compile(rf"{_GLUES}*{_RUN}(?:{_GLUES}+{_RUN})*{_GLUES}*|{_GLUES}+")
_LETTER = re.compile(r"[^\W_]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")

# Most text of European pages is cp1252, and bytes are counted at the speed of C.
_CHARSET = "cp1252"
_UNDEFINED = "\ufffd"


def _bytes_of(wanted: str) -> bytes:
    """The bytes whose character is a letter ("w"), glues ("g") or is something else ("o")."""
    kinds = {byte: _kind(bytes([byte]).decode(_CHARSET, "replace")) for byte in range(256)}
    return bytes(byte for byte, kind in kinds.items() if kind == wanted)


def _kind(char: str) -> str:
    if char.isalnum():
        return "w"
    if char in _GLUE or char == "_":
        return "g"
    return " " if char == " " or char == _UNDEFINED else "o"


_WORD_BYTES, _GLUE_BYTES, _OTHER_BYTES = _bytes_of("w"), _bytes_of("g"), _bytes_of("o")
_PLAIN_BYTES = _WORD_BYTES + _GLUE_BYTES + b" "
_SHAPE = bytes.maketrans(
    _WORD_BYTES + _OTHER_BYTES, b"w" * len(_WORD_BYTES) + b" " * len(_OTHER_BYTES)
)  # what remains is deleted or a blank
_GLUED = re.compile(
    b"[%b][%b]+[%b]" % ((re.escape(_GLUE_BYTES), re.escape(_OTHER_BYTES), re.escape(_GLUE_BYTES)))
)


def spaced(text: str) -> str:
    """The text with a plain space for every blank."""
    return text if text.isprintable() else _TO_SPACE.sub(" ", text)


def count(text: str) -> int:
    """The words of a text whose blanks are plain spaces."""
    known = _count_bytes(text)
    return len(_words(text)) if known is None else known[0]


def measure(text: str) -> tuple[int, int, int]:
    """Words, words on full lines and full lines of a text whose blanks are plain spaces.

    Text of less than a line is one line.
    """
    known = _count_bytes(text)
    if known is None:
        words = _words(text)
        return _wrap(" ".join(words), len(words))
    number, others = known
    if len(text) + others <= LINE_LENGTH:  # where a token ends without a blank, a line has one more
        return number, number, 1
    if not others and text.count(" ") + 1 == number:  # as it stands, words with one space between
        return _wrap(text, number)
    return _wrap(" ".join(_words(text)), number)


def _count_bytes(text: str) -> tuple[int, int] | None:
    """The number of words and of characters that end tokens without a blank; None where it is not sure."""
    try:
        data = text.encode(_CHARSET)
    except UnicodeEncodeError:
        return None
    others = data.translate(None, _PLAIN_BYTES)
    if others and _GLUED.search(data):
        return None
    shape = data.translate(_SHAPE, _GLUE_BYTES)
    return shape.count(b" w") + shape.startswith(b"w"), len(others)


def _words(text: str) -> list[str]:
    return [token for token in _TOKEN.findall(text) if token.isalnum() or _LETTER.search(token)]


def _wrap(text: str, words: int) -> tuple[int, int, int]:
    """Wrap words that one space divides."""
    if not text.isascii():
        text = _ASTRAL.sub(r"\g<0>\g<0>", text)
    start = lines = 0
    while len(text) - start > LINE_LENGTH:
        cut = text.rfind(" ", start, start + LINE_LENGTH + 1)
        if cut < 0:  # a word longer than a line; the original counts an empty line before the first
            lines += start == 0
            cut = text.find(" ", start)
            if cut < 0:
                break
        lines += 1
        start = cut + 1
    if not lines:
        return words, words, 1
    full = words - text.count(" ", start) - 1
    return (words, full, lines) if full else (words, words, 1)
