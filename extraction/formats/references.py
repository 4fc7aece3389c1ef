"""The addresses that a captured page or style sheet may load, to find what lies beside it in its archive.

Found by patterns, without parsing: whatever is no address of the archive is looked up in vain.
"""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urldefrag, urljoin

_ATTRIBUTE = re.compile(
    r"\b(?:href|src|data-src|data-srcset|srcset|poster|background)\s*=\s*(?:\"([^\"]{1,4000})\"|'([^']{1,4000})'|([^\s\"'>]{1,2000}))",
    re.IGNORECASE,
)
_CSS = re.compile(r"url\(\s*[\"']?([^\"')]{1,2000})|@import\s+[\"']([^\"']{1,2000})", re.IGNORECASE)
_BASE = re.compile(r"<base\b[^>]{0,500}?\bhref\s*=\s*[\"']?([^\"'\s>]{1,2000})", re.IGNORECASE)


def of_page(raw: bytes, url: str) -> Iterator[str]:
    """Absolute addresses that a page refers to, in its order; each once."""
    text = raw.decode("latin-1")
    base = _BASE.search(text)
    address = _absolute(url, unescape(base[1])) if base else url
    found = (
        value for match in _ATTRIBUTE.finditer(text) for value in _values(next(filter(None, match.groups())))
    )
    yield from _distinct([*found, *_css_values(text)], address or url)


def of_sheet(raw: bytes, url: str) -> Iterator[str]:
    """Absolute addresses that a style sheet refers to; each once."""
    yield from _distinct(_css_values(raw.decode("latin-1")), url)


def _values(value: str) -> Iterator[str]:
    """The addresses of an attribute: itself, and the candidates where it is a `srcset`."""
    yield value
    if "," in value or " " in value.strip():
        yield from (part.split()[0] for part in value.split(",") if part.strip())


def _css_values(text: str) -> Iterator[str]:
    return (match[1] or match[2] for match in _CSS.finditer(text))


def _distinct(values: list[str] | Iterator[str], base: str) -> Iterator[str]:
    absolute = (_absolute(base, unescape(value).strip()) for value in values)
    yield from dict.fromkeys(address for address in absolute if address)


def _absolute(base: str, reference: str) -> str:
    try:
        address = urldefrag(urljoin(base, reference)).url
    except ValueError:
        return ""
    return address if address.startswith(("http://", "https://")) else ""
