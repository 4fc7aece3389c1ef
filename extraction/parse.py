"""Raw bytes -> Document."""

import hashlib

from extraction.decode import decode
from extraction.document import PARSER_VERSION, Document
from extraction.errors import ParseError
from extraction.text import canonicalise
from extraction.tree import read_tree

__all__ = ["ParseError", "parse"]


def parse(raw: bytes, charset: str | None = None) -> Document:
    """The document of a page; `charset` is what the HTTP headers declared, if that is known."""
    decoded = decode(raw, charset)
    tree = read_tree(decoded.text)
    canonical = canonicalise(tree.events)
    return Document(
        text=canonical.text,
        sha256=hashlib.sha256(canonical.text.encode()).hexdigest(),
        blocks=canonical.blocks,
        events=tree.events,
        nodes=canonical.nodes,
        styles=tree.styles,
        encoding=decoded.encoding,
        encoding_source=decoded.source,
        repairs=(),
        quirks=False,
        title="",
        version=PARSER_VERSION,
    )
