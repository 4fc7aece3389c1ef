"""Reading captured style sheets and images in a persistent child process that can be killed.

As `extraction.sandbox` reads pages. A request is a header as JSON and a body. `prepare` reads one asset, and
answers what it is and the image that is made of it; `build_view` builds the view of a document with its
sheets and images. An answer is a header and a body, or else nothing and a message.

    with AssetSandbox() as sandbox:
        prepared = sandbox.prepare(raw, "image/png")
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tinycss2.bytes import decode_stylesheet_bytes
from webencodings import lookup

from extraction import child_process as child
from extraction.assets import images, svg
from extraction.assets.errors import AssetRefused
from extraction.child_process import DONE, REFUSED, ChildGone, LimitedChild, Reply
from extraction.documents.document import Document
from extraction.documents.view.build import build_view, packed
from extraction.documents.view.captured_assets import CapturedAssets, Picture

SHEET, IMAGE = "sheet", "image"
SHEET_TYPES = ("text/css", "text/plain", "application/octet-stream", "")

_MAX_NAMED = 1_000  # missing assets


@dataclass(frozen=True, slots=True)
class PreparedAsset:
    """What an asset is, sheet or image; of an image, what is served in its place."""

    kind: str
    data: bytes = b""
    media_type: str = ""
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class CapturedSheet:
    """A style sheet as captured, and its address."""

    url: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class BuiltView:
    """A view with its own sheets and images, as gzipped JSON; how many there are, and which are not here."""

    view: bytes
    sheets: int
    images: int
    missing_sheets: tuple[str, ...]
    missing_images: tuple[str, ...]


class AssetSandbox(LimitedChild):
    """A child process that reads one asset after the other.

    For one thread of one process. After an asset that broke its limits the child is replaced.
    """

    module = "extraction.asset_sandbox"
    cpu_seconds = 20  # of one asset or view
    memory_bytes = 3 << 30
    wall_seconds = 300.0  # that an answer is waited for, on however busy a machine

    def prepare(self, raw: bytes, media_type: str = "") -> PreparedAsset:
        """Read one asset; raises AssetRefused for one that cannot be used.

        Raises TimeoutError and ChildProcessError as `LimitedChild.ask`; they say nothing about the asset.
        """
        header, data = self._ask({"act": "prepare", "type": media_type}, raw)
        return PreparedAsset(data=data, **header)

    def build_view(
        self,
        packed: bytes,
        *,
        url: str,
        encoding: str,
        sheets: Iterable[CapturedSheet],
        pictures: Mapping[str, Picture],
    ) -> BuiltView:
        """The view of a packed document with these sheets and images; raises as `prepare`.

        `encoding` is the document's, which sheets have that do not say otherwise.
        """
        sheets = list(sheets)
        header = {
            "act": "build_view",
            "url": url,
            "encoding": encoding,
            "sheets": [(sheet.url, len(sheet.raw)) for sheet in sheets],
            "pictures": {
                address: (each.digest, each.width, each.height) for address, each in pictures.items()
            },
        }
        found, view = self._ask(header, b"".join([*(sheet.raw for sheet in sheets), packed]))
        for name in ("missing_sheets", "missing_images"):
            found[name] = tuple(found[name])
        return BuiltView(view=view, **found)

    def _ask(self, header: Mapping[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
        try:
            answer = self.ask(json.dumps(header).encode(), body)
        except ChildGone as gone:
            reason = "it took more CPU time than it may" if gone.reason == "time" else "its reader broke"
            raise AssetRefused(reason) from None
        if answer.status == DONE:
            return json.loads(answer.first), answer.second
        if answer.first == b"broken":
            self.close()  # the asset may have left the child in any state
        raise AssetRefused(answer.second.decode("utf-8", "replace")[:200])


def _answer(header: bytes, body: bytes) -> Reply:
    try:
        request = json.loads(header)
        found, data = _ACTS[request["act"]](request, body)
        return Reply(DONE, json.dumps(found).encode(), data)
    except AssetRefused as refusal:
        return Reply(REFUSED, b"", str(refusal).encode("utf-8", "replace"))
    except MemoryError:
        return Reply(REFUSED, b"broken", b"it needs more memory than it may have")
    except Exception as error:  # noqa: BLE001 - whatever a hostile asset breaks is an answer, too
        return Reply(REFUSED, b"broken", f"{type(error).__name__}: {error}".encode("utf-8", "replace"))


def _prepare(request: dict[str, Any], raw: bytes) -> tuple[dict[str, Any], bytes]:
    media_type = request["type"]
    if images.is_image(raw):
        made = images.remake(raw)
    elif media_type != "text/css" and svg.is_svg(raw):
        made = svg.remake(raw)
    elif media_type in SHEET_TYPES and b"\x00" not in raw[:4096]:
        return {"kind": SHEET}, b""
    else:
        raise AssetRefused("it is neither a style sheet nor an image that is known here")
    found = {"kind": IMAGE, "media_type": made.media_type, "width": made.width, "height": made.height}
    return found, made.data


def _build_view(request: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
    texts: dict[str, str] = {}
    at = 0
    encoding = lookup(request["encoding"])
    for url, length in request["sheets"]:
        text, _ = decode_stylesheet_bytes(body[at : at + length], environment_encoding=encoding)
        texts[url] = str(text)
        at += length
    document = Document.unpack(body[at:])
    pictures = {address: Picture(*each) for address, each in request["pictures"].items()}
    assets = CapturedAssets(request["url"], texts, pictures)
    view = packed(build_view(document, assets))
    found = {
        "sheets": len(assets.used_sheets),
        "images": len(assets.used_images),
        "missing_sheets": _some(list(assets.missing_sheets)),
        "missing_images": _some(list(assets.missing_images)),
    }
    return found, view


def _some(addresses: Sequence[str]) -> list[str]:
    return [address for address in addresses if len(address) <= 4_000][:_MAX_NAMED]


_ACTS = {"prepare": _prepare, "build_view": _build_view}


if __name__ == "__main__":
    child.answer_parent(_answer)
