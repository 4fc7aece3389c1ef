"""Raw bytes -> Document: decode, build the tree, write its text; repair what comes out empty."""

import hashlib
import re
from typing import NamedTuple

from extraction.collector import collector_held
from extraction.decode import Decoded, decode
from extraction.doctype import is_quirky
from extraction.document import PARSER_VERSION, Document
from extraction.errors import ParseError
from extraction.limits import check_bytes, check_text
from extraction.repairs import ENOUGH, close_title, gains, unwrap_noscript, without_frames
from extraction.text import UNWANTED, Canonical, Event, canonicalise
from extraction.tree import Tree, read_tree

__all__ = ["ParseError", "parse"]

_RUN = re.compile(r"\s+")


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
    with collector_held():
        draft = _draft(read_tree(_source(raw, decoded)))
        if len(draft.canonical.text) < ENOUGH:
            draft = _repaired(draft, decoded.text)
    canonical = draft.canonical
    check_text(canonical.text)
    return Document(
        text=canonical.text,
        sha256=hashlib.sha256(canonical.text.encode()).hexdigest(),
        blocks=canonical.blocks,
        events=draft.tree.events,
        nodes=canonical.nodes,
        styles=draft.tree.styles,
        encoding=decoded.encoding,
        encoding_source=decoded.source,
        repairs=draft.repairs,
        quirks=is_quirky(decoded.text),
        title=_title(draft.tree.events),
        version=PARSER_VERSION,
        raw=raw,
    )


def _source(raw: bytes, decoded: Decoded) -> str | bytes:
    """What the parser reads: the bytes where they are the text in UTF-8, for it would encode a text again."""
    as_captured = decoded.encoding == "utf-8" and decoded.source != "mark" and "\ufffd" not in decoded.text
    return raw if as_captured else decoded.text


def _draft(tree: Tree, repairs: tuple[str, ...] = ()) -> _Draft:
    return _Draft(tree, canonicalise(tree.events), repairs)


def _repaired(draft: _Draft, source: str) -> _Draft:
    for name, repair in (("unclosed-title", close_title), ("noframes", without_frames)):
        mended = repair(source)
        if mended is not None:
            draft = _better(draft, _draft(read_tree(mended), (*draft.repairs, name)))
    events = unwrap_noscript(draft.tree.events)
    if events is not None and len(draft.canonical.text) < ENOUGH:
        tree = draft.tree._replace(events=events)
        draft = _better(draft, _draft(tree, (*draft.repairs, "noscript")))
    return draft


def _better(before: _Draft, after: _Draft) -> _Draft:
    return after if gains(before.canonical.text, after.canonical.text) else before


def _title(events: list[Event]) -> str:
    """The text of the first title of the page; a drawing in SVG has titles of its own."""
    inside_svg = 0
    for place, event in enumerate(events):
        if event is None:
            inside_svg -= inside_svg > 0
        elif isinstance(event, list):
            if inside_svg or event[0] == "svg":
                inside_svg += 1
            elif event[0] == "title":
                text = events[place + 1]
                return _RUN.sub(" ", UNWANTED.sub("", text)).strip() if isinstance(text, str) else ""
    return ""
