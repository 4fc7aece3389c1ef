"""Style sheets of captured pages, made harmless enough to lay the page out with.

What keeps a sheet from reaching the network is the frame's content security policy; this keeps requests
from being attempted, and keeps a page from covering itself. One pass over tokens: comments and strings are
consumed whole, so that nothing inside them is taken for a rule, and no character is read twice.
"""

import re

from extraction.documents.canonical_text import UNWANTED

MAX_SHEET = 2_000_000  # code points; a longer sheet is left out
MAX_DECLARATIONS = 4_000  # of a style attribute

_REST_OF_STRING = r"""(?:(?<=")(?:[^"\\\n]|\\.)*+|(?<=')(?:[^'\\\n]|\\.)*+)["'\n]?+"""
_STRING = rf"""["']{_REST_OF_STRING}"""
# It begins with a class of characters, because that makes the search for the next token several times faster.
_TOKEN = re.compile(
    rf"""[/"'@(\\<](?:
        (?<=/)(?P<comment>\*.*?(?:\*/|\Z))
        |(?<=["'])(?P<string>{_REST_OF_STRING})
        |(?<=\burl\()(?P<url>[ \t\n\f\r]*+(?:{_STRING})?[^)]*+(?:\)|\Z))
        |(?:(?<=image-set\()|(?<=\bimage\()|(?<=\bsrc\())(?P<source>)
        |(?<=::highlight\()(?P<mark>)
        |(?<=@)(?P<statement>(?:import|charset|namespace)\b(?:{_STRING}|[^;{{}}"'])*+;?)
        |(?<=@)(?P<face>font-face\b[^{{}}]*+(?:\{{(?:{_STRING}|[^}}"'])*+(?:}}|\Z))?)
        |(?<=\\)(?P<escape>[0-9a-z])
        |(?<=<)(?P<markup>!--|/)
    )""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
# What a function gives is not known here, and the position of a box needs none.
_PINNED = re.compile(
    r"([pP][oO](?<![\w-]..)[sS][iI][tT][iI][oO][nN]\s*+:)\s*+(?i:(?:-webkit-)?(?:fixed|sticky)\b|[a-z-]++(?=\())"
)
_SUSPECT = re.compile(r"[(\\@</:\r\f](?:(?<!:)|\s*(?:-webkit-)?(?:fixed|sticky))", re.IGNORECASE)
_REPLACEMENTS = {
    "comment": " ",  # not nothing: u/**/rl( must not become a function
    "url": '("data:,")',  # the rest of the declaration, a background colour perhaps, still counts
    "source": "(!",  # makes the declaration invalid, as no address in a string may be left
    "escape": "_",  # \75rl( spells url(
    "mark": "(!",  # how marks look is ours to say
}


def clean_sheet(css: str) -> str:
    """The sheet without any address, import, font or pinned box; "" if it is too long."""
    if len(css) > MAX_SHEET:
        return ""
    # CSS takes these for the end of a line too, and a string that meets one for ended.
    lines = UNWANTED.sub("", css).replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    return _PINNED.sub(r"\1static", _TOKEN.sub(_replacement, lines))


def clean_declarations(css: str) -> str:
    """The same for the value of a style attribute; "" if it is too long."""
    if len(css) > MAX_DECLARATIONS:
        return ""
    return clean_sheet(css) if _SUSPECT.search(css) else UNWANTED.sub("", css)


def _replacement(token: re.Match[str]) -> str:
    kind = token.lastgroup or ""
    return token[0] if kind == "string" else _REPLACEMENTS.get(kind, "")
