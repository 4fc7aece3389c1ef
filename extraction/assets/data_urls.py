"""What pages carry in `data:` addresses: SingleFile and our extension put style sheets and images there.

Such an asset goes by the digest of its bytes, `data:,<SHA-256>`, as its own address can have megabytes.
"""

import base64
import binascii
import re
from collections.abc import Iterator
from hashlib import sha256
from urllib.parse import unquote_to_bytes

from extraction.formats.records import Asset

_MAX_DECODED = 12 * 1024 * 1024
# Names and values of types and parameters, and then everything that no quote, bracket or tag ends.
_IMAGE = re.compile(rb"data:image/[\w.+-]{1,40}(?:;[\w=.-]{1,60}){0,4},[^\"'()<>\s\\]{16,}", re.IGNORECASE)
_PARTS = re.compile(r"data:([^,;]*)((?:;[^,;]*)*),(.*)", re.IGNORECASE | re.DOTALL)
# As SingleFile and our extension begin the files that they save.
_SAVED_WHOLE = re.compile(rb"<!--\s*Page saved with (?:SingleFile|Goldpan)")
_HEAD = 64 * 1024


def is_saved_whole(raw: bytes) -> bool:
    """Whether this page was saved with its images in it, by SingleFile or by our extension."""
    return _SAVED_WHOLE.search(raw[:_HEAD]) is not None


def images_in(raw: bytes) -> Iterator[Asset]:
    """The images in a page's `data:` addresses, each once."""
    seen: set[str] = set()
    for found in _IMAGE.finditer(raw):
        asset = asset_of(found[0].decode("ascii", "ignore").replace("&amp;", "&"))
        if asset and asset.url not in seen:
            seen.add(asset.url)
            yield asset


def asset_of(url: str) -> Asset | None:
    """What a `data:` address holds, under the address of its digest; None for none that can be decoded."""
    parts = _PARTS.match(url)
    if parts is None:
        return None
    data = unquote_to_bytes(parts[3])
    if parts[2].lower().replace(" ", "").endswith(";base64"):
        try:
            data = base64.b64decode(data.translate(None, b" \t\r\n\f") + b"==", validate=False)
        except (binascii.Error, ValueError):
            return None
    if not data or len(data) > _MAX_DECODED:
        return None
    return Asset(f"data:,{sha256(data).hexdigest()}", data, parts[1].strip().lower())
