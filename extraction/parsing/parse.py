"""Raw bytes -> Document: decode, build the tree, write its text; repair what comes out empty."""

import hashlib
import re
from typing import NamedTuple

from extraction.documents.canonical_text import UNWANTED, Canonical, canonicalise
from extraction.documents.document import PARSER_VERSION, Document
from extraction.documents.structure import Structure
from extraction.gc_pause import gc_paused
from extraction.parsing.decode import Decoded, decode
from extraction.parsing.doctype import is_quirky
from extraction.parsing.lexbor import Tree, read_tree
from extraction.parsing.limits import check_bytes, check_text
from extraction.parsing.repairs import ENOUGH, close_title, gains, unwrap_noscript, without_frames

_RUN = re.compile(r"\s+")
_DRAWING = frozenset({"svg"})


class _Draft(NamedTuple):
    tree: Tree
    canonical: Canonical
    repairs: tuple[str, ...] = ()


def parse(raw: bytes, charset: str | None = None) -> Document:
    """The document of a page; `charset` is what the HTTP headers declared, if that is known.

    Deterministic for one PARSER_VERSION. Raises ParseError for a page beyond the limits. An untrusted page
    can still cost seconds and gigabytes: in a service use `extraction.sandbox`.
    """
    check_bytes(raw)
    decoded = decode(raw, charset)
    with gc_paused():
        draft = _draft(read_tree(_source(raw, decoded)))
        if len(draft.canonical.text) < ENOUGH:
            draft = _repaired(draft, decoded.text)
    canonical = draft.canonical
    check_text(canonical.text)
    return Document(
        text=canonical.text,
        sha256=hashlib.sha256(canonical.text.encode()).hexdigest(),
        blocks=canonical.blocks,
        structure=draft.tree.structure,
        nodes=canonical.nodes,
        styles=draft.tree.styles,
        encoding=decoded.encoding,
        encoding_source=decoded.source,
        repairs=draft.repairs,
        quirks=is_quirky(decoded.text),
        title=_title(draft.tree.structure),
        version=PARSER_VERSION,
        raw=raw,
    )


def _source(raw: bytes, decoded: Decoded) -> str | bytes:
    """What the parser reads: the bytes where they are the text in UTF-8, for it would encode a text again."""
    as_captured = decoded.encoding == "utf-8" and decoded.source != "mark" and "\ufffd" not in decoded.text
    return raw if as_captured else decoded.text


def _draft(tree: Tree, repairs: tuple[str, ...] = ()) -> _Draft:
    return _Draft(tree, canonicalise(tree.structure), repairs)


def _repaired(draft: _Draft, source: str) -> _Draft:
    for name, repair in (("unclosed-title", close_title), ("noframes", without_frames)):
        repaired = repair(source)
        if repaired is not None:
            draft = _better(draft, _draft(read_tree(repaired), (*draft.repairs, name)))
    structure = unwrap_noscript(draft.tree.structure)
    if structure is not None and len(draft.canonical.text) < ENOUGH:
        tree = draft.tree._replace(structure=structure)
        draft = _better(draft, _draft(tree, (*draft.repairs, "noscript")))
    return draft


def _better(before: _Draft, after: _Draft) -> _Draft:
    return after if gains(before.canonical.text, after.canonical.text) else before


def _title(tree: Structure) -> str:
    """The text of the first title of the page; a drawing in SVG has titles of its own."""
    for element, tag in enumerate(tree.tags):
        if tag == "title" and tree.nearest(element, _DRAWING) < 0:
            return _RUN.sub(" ", UNWANTED.sub("", _first_text(tree, element))).strip()
    return ""


def _first_text(tree: Structure, element: int) -> str:
    """The text that an element begins with."""
    first = tree.first_nodes[element]
    has_child = tree.ends[element] > element + 1
    stop = tree.first_nodes[element + 1] if has_child else tree.end_nodes[element]
    return tree.node_texts[first] if first < stop else ""
