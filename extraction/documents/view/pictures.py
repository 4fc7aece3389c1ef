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


class ImageCandidate(NamedTuple):
    """An address of an image, its descriptor in a `srcset` (2x, 800w), and the `sizes` that go with that."""

    address: str
    descriptor: str = ""
    sizes: str = ""


def candidates(attributes: dict[str, str], sources: list[dict[str, str]]) -> Iterator[ImageCandidate]:
    """Where an `img` may come from: first what a browser would prefer, last what a script would load."""
    return islice(_all(attributes, sources), MAX_CANDIDATES)


def _all(attributes: dict[str, str], sources: list[dict[str, str]]) -> Iterator[ImageCandidate]:
    for source in sources:
        yield from _of_set(source.get("srcset", ""), source.get("sizes", attributes.get("sizes", "")))
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
) -> dict[str, str]:
    """Attributes of an image that is here: its digest, its density or width; none if it is not."""
    named = list(candidates(attributes, sources))
    here = [(candidate, picture) for candidate in named if (picture := assets.find(candidate.address))]
    # A dot stands in for an image that a script would have loaded.
    seen = [(candidate, picture) for candidate, picture in here if not _is_dot(picture)]
    if not seen and named:
        assets.miss(_wanted(named).address)
    if not here:
        return {}
    candidate, picture = (seen or here)[0]
    assets.used_images.add(picture.digest)
    found = {
        "data-asset": picture.digest,
        "data-density": candidate.descriptor,
        "data-sizes": candidate.sizes,
    }
    return {name: value for name, value in found.items() if value}


def _is_dot(picture: Picture) -> bool:
    return (picture.width or _DOT) * (picture.height or _DOT) < _DOT


def _wanted(named: list[ImageCandidate]) -> ImageCandidate:
    """The one to ask for where none is here: the plainest address that is not part of the page itself."""
    elsewhere = [each for each in named if not each.address.lower().lstrip().startswith("data:")]
    return next((each for each in elsewhere if not each.descriptor), (elsewhere or named)[0])
