"""Document: the result of parsing a page with one parser version.

Offsets are code points of `Document.text`; nothing else is called an offset. The tree is stored as
a flat pre-order list of events (`docs/decisions/0002-events.md`), and held as the parallel lists of
`extraction.documents.structure`; its text nodes know their offsets in the canonical text.
"""

import json
import zlib
from dataclasses import dataclass, field
from functools import cached_property

from lxml import etree
from selectolax import __version__ as _selectolax_version

from extraction.documents.canonical_text import Block
from extraction.documents.structure import Event, Structure

__all__ = ["PARSER_VERSION", "Block", "Document", "Event"]

# Our part goes up with every change of a golden page's output; the rest names the parsing library.
PARSER_VERSION = f"6+selectolax-{_selectolax_version}"


@dataclass(frozen=True)
class Document:
    """The canonical text of a page, its blocks, and the tree that it came from.

    `events` lists every element in document order: a string is a text node as decoded, `[tag, attributes]`
    a start, None the end of the innermost open element (every start has one, `br` too). `nodes` has one entry
    for each of these strings: its `[start, end)` in `text`, or (-1, -1) where it left nothing there.
    """

    text: str
    sha256: str
    blocks: list[Block]
    structure: Structure
    nodes: list[tuple[int, int]]
    styles: list[str]  # the body of each `style` element, in order, as written
    encoding: str
    encoding_source: str
    repairs: tuple[str, ...]
    quirks: bool
    title: str
    version: str
    # The page as captured, if known, for programs that parse it themselves.
    raw: bytes | None = field(default=None, compare=False, repr=False)

    @cached_property
    def events(self) -> list[Event]:
        """The tree as events, computed on first use."""
        return self.structure.events()

    def pack(self) -> bytes:
        """Compressed JSON, for storage; the same document gives the same bytes."""
        fields = {
            "text": self.text,
            "sha256": self.sha256,
            "blocks": [offset for block in self.blocks for offset in block],
            "events": self.events,
            "nodes": [offset for node in self.nodes for offset in node],
            "styles": self.styles,
            "encoding": self.encoding,
            "encoding_source": self.encoding_source,
            "repairs": self.repairs,
            "quirks": self.quirks,
            "title": self.title,
            "version": self.version,
        }
        return zlib.compress(json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode(), 4)

    @classmethod
    def unpack(cls, data: bytes, raw: bytes | None = None) -> "Document":
        """The document that `pack` stored; the page's bytes are not packed with it."""
        fields = json.loads(zlib.decompress(data))
        blocks, nodes = fields["blocks"], fields["nodes"]
        fields["structure"] = Structure.of(fields.pop("events"))
        fields["blocks"] = list(map(Block, blocks[::2], blocks[1::2]))
        fields["nodes"] = list(zip(nodes[::2], nodes[1::2], strict=True))
        fields["repairs"] = tuple(fields["repairs"])
        return cls(**fields, raw=raw)

    def to_lxml(self) -> etree._Element:
        """A fresh lxml tree of every element; the n-th string of `events` is its n-th text or tail."""
        from extraction.documents.lxml_tree import build  # most callers never need it

        return build(self.events)
