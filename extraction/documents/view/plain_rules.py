"""The rules of a style sheet one by one, those that could stay as they are told apart from the others.

Nine rules of ten hold only names, numbers, strings and functions, without an escape; read as tokens and
written again they would be the same. What is in them decides whether they may stay.

Where a rule of the others ends is found as browsers find it. A mistake in this would change how a page looks,
but let nothing through: each of the others is cleaned by itself, and what is cleaned is closed.
"""

import re
from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import NamedTuple


class SheetPieceKind(Enum):
    """What a piece of a sheet is."""

    RULE = auto()  # a plain one: selectors and a block of declarations
    AS_IS = auto()  # has no selectors: keyframes, the start and the end of a group, what is between rules
    OTHER = auto()  # to be read by tokens


class SheetPiece(NamedTuple):
    """A piece of a sheet, and how many groups it is in."""

    kind: SheetPieceKind
    text: str
    depth: int


# Spelled out, as sets of characters are faster than `\w` and `\s`.
_WORD, _BLANK = r"a-zA-Z0-9_", r" \t\n"
_STRING = r"""
      " (?>(?: [^"\\<{}\x00-\x1f\x7f]++ | \\[0-9a-fA-F] )*) "
    | ' (?>(?: [^'\\<{}\x00-\x1f\x7f]++ | \\[0-9a-fA-F] )*) '
"""
_SIMPLE = rf"[{_WORD}{_BLANK}.\#,:;%!+*=>-]++ | /(?!\*) | {_STRING}"
_INNERMOST = rf" \( (?>(?: {_SIMPLE} )*) \) "
_INNER = rf" \( (?>(?: {_SIMPLE} | {_INNERMOST} )*) \) "
_ARGUMENTS = rf" \( (?>(?: {_SIMPLE} | {_INNER} )*) \) "
_SELECTORS = rf"""
    (?>(?: [{_WORD}{_BLANK}.\#>+~*,:|&-]++ | \\[:/.%@!,\#&*+]
      | \[ (?>(?: [{_WORD}{_BLANK}=~|^$*:.-]++ | {_STRING} )*) \] | \( [{_WORD}{_BLANK}.\#>+~*,:|&-]*+ \) )+)
"""
_BLOCK = rf" \{{ (?>(?: {_SIMPLE} | {_ARGUMENTS} )*) \}} "
_GROUPS = "container layer media starting-style supports"  # whose blocks hold rules
_NAMED = re.VERBOSE | re.ASCII | re.IGNORECASE

_RULE = re.compile(_SELECTORS + _BLOCK, re.VERBOSE)
_KEYFRAMES = re.compile(
    rf"@(?:-[a-z]++-)?keyframes \s++ [\w-]++ \s*+ \{{ (?>(?: [\w\s.,%]++ {_BLOCK} )*) \s*+ \}}", _NAMED
)
_GROUP = re.compile(
    rf"@(?:{'|'.join(_GROUPS.split())})(?![\w-]) (?>(?: [\w\s.,:<>=/-]++ | {_ARGUMENTS} )*) \{{", _NAMED
)
_BETWEEN = re.compile(
    r" (?P<blanks> \s++ ) | (?P<comment> /\*.*?(?:\*/|\Z) ) | <!-- | --> ", re.VERBOSE | re.DOTALL | re.ASCII
)
_TOKEN = re.compile(
    r"""
      /\*.*?(?:\*/|\Z)
    | " (?>(?: [^"\\\n]++ | \\. )*) "?+ | ' (?>(?: [^'\\\n]++ | \\. )*) '?+
    | url\( \s*+ (?!["']) (?>(?: [^)\\]++ | \\. )*) (?>\)?)
    | (?>(?: [\w-] | [^\x00-\x7f] )+) (?>(?P<function> \( )?) | \\.
    | (?P<sign> [()\[\]{};] ) | [^\w\\()\[\]{};"'/-]++ | .
    """,
    _NAMED | re.DOTALL,
)
_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}


def pieces(css: str, may_stay: Callable[[str], bool], max_depth: int) -> Iterator[SheetPiece]:
    """The pieces of a sheet whose lines end with line feeds; together they are all of it but comments' words.

    `may_stay` says of a plain one whether all that is in it is harmless. Of groups in groups, `max_depth` are
    entered; what lies deeper is one piece.
    """
    at = depth = 0
    while at < len(css):
        start = at
        if found := _BETWEEN.match(css, at):
            at = found.end()
            yield SheetPiece(
                SheetPieceKind.AS_IS, found["blanks"] or ("/**/" if found["comment"] else " "), depth
            )
        elif depth and css[at] == "}":
            at, depth = at + 1, depth - 1
            yield SheetPiece(SheetPieceKind.AS_IS, "}", depth)
        elif found := _RULE.match(css, at):
            at = found.end()
            kind = SheetPieceKind.RULE if may_stay(found[0]) else SheetPieceKind.OTHER
            yield SheetPiece(kind, found[0], depth)
        elif (found := _KEYFRAMES.match(css, at)) and may_stay(found[0]):
            at = found.end()
            yield SheetPiece(SheetPieceKind.AS_IS, found[0], depth)
        elif depth < max_depth and (found := _GROUP.match(css, at)) and may_stay(found[0]):
            at = found.end()
            yield SheetPiece(SheetPieceKind.AS_IS, found[0], depth)
            depth += 1
        else:
            at = _end(css, at, in_group=depth > 0)
            yield SheetPiece(SheetPieceKind.OTHER, css[start:at], depth)
    if depth:
        yield SheetPiece(SheetPieceKind.AS_IS, "}" * depth, 0)


def _end(css: str, start: int, *, in_group: bool) -> int:
    """Where the rule that starts there ends: behind its block or semicolon, or where its group does."""
    closing: list[str] = []
    for token in _TOKEN.finditer(css, start):
        sign = token["function"] or token["sign"]
        if sign in _CLOSED_BY:
            closing.append(_CLOSED_BY[sign])
        elif closing and sign == closing[-1]:
            closing.pop()
            if sign == "}" and not closing:
                return token.end()
        elif not closing and sign == ";":
            return token.end()
        elif not closing and sign == "}" and in_group:
            return token.start()
    return len(css)
