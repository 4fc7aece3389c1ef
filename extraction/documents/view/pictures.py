"""Which captured image an `img` shows: browsers choose by `picture` and `srcset`, scripts load late."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from extraction.documents.view.captured_assets import CapturedAssets, Picture

# Scripts move these to `src` and `srcset` when the image is about to be seen.
_LAZY = (
    "data-src",
    "data-lazy-src",
    "data-original",
    "data-lazy",
    "data-url",
    "data-hi-res-src",
    "data-image",
)
_LAZY_SETS = ("data-srcset", "data-lazy-srcset", "data-original-set")
MAX_CANDIDATES = 40

_CANDIDATE = re.compile(r"\s*,*\s*([^\s,](?:\S*[^\s,])?)(?:\s+(\d[\d.]{0,9}[wx]))?\s*(?:,|$)")
_SIZES = re.compile(r"[\w\s(),:.%<>=/+*-]{1,500}")
_DOT = 4  # pixels
_FEATURE = re.compile(r"\(\s*(min|max)-(width|height)\s*:\s*(\d{1,5}(?:\.\d{1,3})?)(px|em|rem)?\s*\)")
WINDOW = {"width": 1280, "height": 900}  # CSS pixels


class ImageCandidate(NamedTuple):
    """An address of an image, its descriptor in a `srcset` (2x, 800w), and the `sizes` that go with that.

    `frame` holds width and height of the `source` that it comes from, where that has any.
    """

    address: str
    descriptor: str = ""
    sizes: str = ""
    frame: tuple[str | None, str | None] | None = None


def candidates(attributes: dict[str, str], sources: list[dict[str, str]]) -> Iterator[ImageCandidate]:
    """Where an `img` may come from: first what a browser would prefer, last what a script would load."""
    sources = [source for source in sources if is_for_window(source.get("media", ""))]
    for source in sources:
        for each in _of_set(source.get("srcset", ""), source.get("sizes", attributes.get("sizes", ""))):
            yield each._replace(frame=_frame(source))
    yield from _of_set(attributes.get("srcset", ""), attributes.get("sizes", ""))
    if "src" in attributes:
        yield ImageCandidate(attributes["src"])
    for source in (*sources, attributes):
        for name in _LAZY_SETS:
            yield from _of_set(source.get(name, ""), source.get("sizes", ""))
    for name in _LAZY:
        if name in attributes:
            yield ImageCandidate(attributes[name])


def _of_set(srcset: str, sizes: str) -> Iterator[ImageCandidate]:
    at = 0
    while found := _CANDIDATE.match(srcset, at):
        descriptor = found[2] or ""
        is_width = descriptor.endswith("w")
        kept = sizes if is_width and _SIZES.fullmatch(sizes) else ""
        yield ImageCandidate(found[1], descriptor, kept)
        at = found.end()


def captured(
    assets: CapturedAssets, attributes: dict[str, str], sources: list[dict[str, str]]
) -> dict[str, str | None]:
    """Attributes of an image that is here: its digest, its density or width; none if it is not.

    None in the place of an attribute that it must not have.
    """
    named = list(islice(candidates(attributes, sources), MAX_CANDIDATES))
    here = [(candidate, picture) for candidate in named if (picture := assets.find(candidate.address))]
    # A dot stands in for an image that a script would have loaded.
    seen = [(candidate, picture) for candidate, picture in here if not _is_dot(picture)]
    if not seen and named:
        assets.miss(_wanted(named).address)
    if not here:
        return {}
    candidate, picture = (seen or here)[0]
    assets.used_images.add(picture.digest)
    found: dict[str, str | None] = {
        "data-asset": picture.digest,
        "data-density": candidate.descriptor,
        "data-sizes": candidate.sizes,
    }
    shown: dict[str, str | None] = {name: value for name, value in found.items() if value}
    if candidate.frame:
        shown |= dict(zip(("width", "height"), candidate.frame, strict=True))
    return shown


def is_for_window(media: str) -> bool:
    """Whether a media query holds for a window of 1,280 × 900 pixels; what is not known here does."""
    queries = [query.strip().lower() for query in media.split(",")]
    return not media.strip() or any(_holds(query) for query in queries)


def _holds(query: str) -> bool:
    if query.startswith("not "):
        return not _holds(query[4:])
    if re.match(r"(?:only\s+)?(?:print|speech)\b", query) or "portrait" in query:
        return False
    return all(
        WINDOW[side] >= _pixels(value, unit) if limit == "min" else WINDOW[side] <= _pixels(value, unit)
        for limit, side, value, unit in _FEATURE.findall(query)
    )


def _pixels(value: str, unit: str) -> float:
    return float(value) * (16 if unit in ("em", "rem") else 1)


def _frame(source: dict[str, str]) -> tuple[str | None, str | None] | None:
    sides = [source.get(side, "").strip() for side in ("width", "height")]
    width, height = (side if side.isascii() and side.isdigit() and len(side) < 5 else None for side in sides)
    return (width, height) if width or height else None


def _is_dot(picture: Picture) -> bool:
    return (picture.width or _DOT) * (picture.height or _DOT) < _DOT


def _wanted(named: list[ImageCandidate]) -> ImageCandidate:
    """The one to ask for where none is here: the plainest address that is not part of the page itself."""
    elsewhere = [each for each in named if not each.address.lower().lstrip().startswith("data:")]
    return next((each for each in elsewhere if not each.descriptor), (elsewhere or named)[0])
