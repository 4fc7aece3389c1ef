"""Detect the encoding of bytes without a declared one.

charset-normalizer ranks the candidates. Encodings that browsers do not support (DOS, Mac) are left out. Where
windows-1252 fits about as well as the best candidate, it is chosen: most such pages are western, and ties
were otherwise broken by name, which chose windows-1250 for 164 of 181 of them. The exception is a page that
declares a language that windows-1252 cannot represent.
"""

import re
from typing import NamedTuple

import webencodings

SAMPLE = 200_000  # bytes
FALLBACK = "windows-1252"

_MORE_CHAOS = 0.01  # shares, as charset-normalizer counts odd characters ...
_LESS_COHERENCE = 0.05  # ... and letters that are as frequent as in some language
# Python's names for what the Encoding standard reads under another one.
_WEB_NAMES = {
    "big5hkscs": "big5",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "euc_jis_2004": "euc-jp",
    "euc_jisx0213": "euc-jp",
    "shift_jis_2004": "shift_jis",
    "shift_jisx0213": "shift_jis",
    "utf_16_be": "utf-16be",
    "utf_16_le": "utf-16le",
}
_CENTRAL_EUROPEAN = re.compile(
    rb"""<html\b[^>]*\slang\s*=\s*["']?(?:bs|cs|hr|hu|pl|ro|sk|sl|sq)\b""", re.IGNORECASE
)
_HEAD = 4096  # bytes in which the page's language is looked for


class _Candidate(NamedTuple):
    name: str  # of the Encoding standard
    chaos: float
    coherence: float


def detect(raw: bytes) -> str | None:
    """The likeliest encoding, by its name in the Encoding standard; None if there is no candidate."""
    candidates = _candidates(raw[:SAMPLE])
    if not candidates:
        return None
    best = candidates[0]
    western = next((candidate for candidate in candidates if candidate.name == FALLBACK), None)
    if western and _is_as_good(western, best) and not _CENTRAL_EUROPEAN.search(raw[:_HEAD]):
        return western.name
    return best.name


def _candidates(sample: bytes) -> list[_Candidate]:
    # Imported here because it is slow to load and few pages need it.
    from charset_normalizer import from_bytes

    return [
        _Candidate(web_name, match.chaos, match.coherence)
        for match in from_bytes(sample)
        for name in match.could_be_from_charset
        if (web_name := _web_name(name)) is not None
    ]


def _is_as_good(candidate: _Candidate, best: _Candidate) -> bool:
    return (
        candidate.chaos <= best.chaos + _MORE_CHAOS
        and candidate.coherence >= best.coherence - _LESS_COHERENCE
    )


def _web_name(name: str) -> str | None:
    found = webencodings.lookup(_WEB_NAMES.get(name, name.replace("_", "-")))
    return str(found.name) if found else None
