"""The style sheets and images that were captured with a page, by address, for its view."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

from extraction.assets.data_urls import asset_of

_Found = TypeVar("_Found")

MAX_SHEETS = 6_000_000  # code points of a page's sheets together, with what they import
MAX_IMPORTS = 5  # sheets that import one another

_BLANKS = re.compile(r"[\t\n\r]")
_LONG_DATA = re.compile(r"data:[^\"'()<>\s\\]{200,}", re.IGNORECASE)
_DIGEST = re.compile(r"data:,[0-9a-f]{64}")
_IN_PATH = "%/:@!$&'()*+,;=~"
_IN_QUERY = _IN_PATH + "?[]|"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The text of a style sheet, and the address against which its own addresses are resolved."""

    css: str
    base: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """An image as it is served: the digest by which, and its size in CSS pixels, if it has one."""

    digest: str
    width: int | None = None
    height: int | None = None


@dataclass
class CapturedAssets:
    """What a page's capture holds, and which of it the view used; `base` is the address of the page."""

    base: str
    sheets: Mapping[str, str]
    images: Mapping[str, Picture]
    max_sheets: int = MAX_SHEETS
    used_sheets: set[str] = field(default_factory=set)
    missing_sheets: dict[str, None] = field(default_factory=dict)
    missing_images: dict[str, None] = field(default_factory=dict)
    used_images: set[str] = field(default_factory=set)
    _open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sheets = {canonical(url): css for url, css in self.sheets.items()}
        self.images = {canonical(url): picture for url, picture in self.images.items()}

    def rebase(self, reference: str) -> None:
        """Resolve addresses as a `base` element says."""
        address = resolve(self.base, reference)
        if address.startswith(("http:", "https:")):
            self.base = address

    def sheet(self, reference: str, base: str) -> Sheet | None:
        """The style sheet that a page or another sheet names; one that is not here is noted as missing."""
        address = resolve(base, reference)
        embedded = _embedded_sheet(address)
        if embedded is not None:
            return Sheet(embedded, base)
        css = _at(self.sheets, address)
        if css is None or len(css) > self.max_sheets:
            if address:
                self.missing_sheets[address] = None
            return None
        self.used_sheets.add(address)
        self.max_sheets -= len(css)
        # What an archive renamed has its addresses resolved against the page.
        return Sheet(css, base if address.startswith("cid:") else address)

    def has_sheet(self, reference: str) -> bool:
        """Whether a sheet that the page names is here."""
        return _at(self.sheets, resolve(self.base, reference)) is not None

    @contextmanager
    def imported(self, reference: str, base: str) -> Iterator[Sheet | None]:
        """The same for an import, within which a sheet that imports itself is not here."""
        address = resolve(base, reference)
        if not address or address in self._open or len(self._open) >= MAX_IMPORTS:
            yield None
            return
        self._open.append(address)
        try:
            yield self.sheet(reference, base)
        finally:
            self._open.pop()

    def find(self, reference: str, base: str | None = None) -> Picture | None:
        """The image that the page names, or a sheet with the address `base`; None if it is not here."""
        address = resolve(self.base if base is None else base, reference)
        return _at(self.images, address) if address else None

    def miss(self, reference: str, base: str | None = None) -> None:
        """Note an image that is not here."""
        address = resolve(self.base if base is None else base, reference)
        if address and not address.startswith("data:"):
            self.missing_images[address] = None

    def background(self, reference: str, base: str) -> str | None:
        """The digest of the image that a sheet names; one that is not here is noted as missing."""
        found = self.find(reference, base)
        if found is None:
            self.miss(reference, base)
            return None
        self.used_images.add(found.digest)
        return found.digest


def _at(found: Mapping[str, _Found], address: str) -> _Found | None:
    """What has this address, be it under http or https."""
    return found.get(address, found.get(other_scheme(address)))


def resolve(base: str, reference: str) -> str:
    """The address that is meant, as `canonical` writes it; "" for a part of the page, and for none."""
    reference = _BLANKS.sub("", reference).strip()
    if not reference or reference.startswith("#"):
        return ""
    if reference[:5].lower() == "data:":
        if _DIGEST.fullmatch(reference):
            return reference
        if reference[5:].lower().startswith("text/css"):
            return reference
        asset = asset_of(reference)
        return asset.url if asset else ""
    try:
        return canonical(urljoin(base, reference))
    except ValueError:
        return ""


def shortened(css: str) -> str:
    """A sheet in which long `data:` addresses go by their digests."""
    return _LONG_DATA.sub(_by_digest, css)


def _by_digest(found: re.Match[str]) -> str:
    asset = asset_of(found[0])
    return asset.url if asset and asset.media_type.startswith("image/") else "data:,"


def canonical(url: str) -> str:
    """The one spelling of an address, without its fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    if parts.scheme not in ("http", "https"):
        return url.partition("#")[0] if parts.scheme != "data" else url
    path = quote(parts.path or "/", safe=_IN_PATH)
    return urlunsplit((parts.scheme, parts.netloc.lower(), path, quote(parts.query, safe=_IN_QUERY), ""))


def other_scheme(url: str) -> str:
    """The same address under http instead of https, or the other way round."""
    scheme, separator, rest = url.partition("://")
    return {"http": "https", "https": "http"}.get(scheme, scheme) + separator + rest


def _embedded_sheet(address: str) -> str | None:
    if not address.startswith("data:") or address.startswith("data:,"):
        return None
    asset = asset_of(address)
    return asset.raw.decode("utf-8", "replace") if asset else None
