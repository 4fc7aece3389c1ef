"""Gold in the page itself, as marks on its elements: read, and written into a copy."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from extraction.documents.canonical_text import WHITESPACE
from extraction.documents.document import Document
from extraction.documents.tags import DROPS_FIRST_BREAK, RAW_TEXT, VOID
from extraction.formats.gold import GoldRecord
from extraction.formats.records import FormatError, PageRecord
from extraction.formats.writing import Loss, Sink, spans_of
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse
from extraction.spans import Span, bridge

#: The attributes of an element -> its label, "" for boilerplate, None when it is not marked.
Mark = Callable[[dict[str, str]], str | None]


def gold_of(raw: bytes, mark: Mark, labels: frozenset[str]) -> GoldRecord:
    """The gold that a marked page holds, as spans of its own text; the innermost mark of a text counts.

    Raises `FormatError` for a page that cannot be parsed.
    """
    try:
        document = parse(raw)
    except ParseError as error:
        raise FormatError(f"the annotated page cannot be parsed: {error}") from error
    spans = bridge(_marked(document, mark), document.blocks, document.text)
    return GoldRecord(spans=tuple(spans), base=document.text, labels=labels)


def write_copies(
    records: Iterable[PageRecord],
    sink: Sink,
    folders: tuple[str, str],
    marks: Callable[[PageRecord], Sequence[Span]],
    opening: Callable[[str], str],
) -> None:
    """Write each page and its copy with `marks` into the two folders, by digest."""
    for record in records:
        copy = marked_copy(tree_of(record), marks(record), opening)
        for folder, data in zip(folders, (record.raw, copy), strict=True):
            sink.write(f"{folder}/{record.sha256}.html", data)


def _marked(document: Document, mark: Mark) -> list[Span]:
    tree = document.structure
    labels: list[str] = []
    for attributes, parent in zip(tree.attributes, tree.parents, strict=True):
        label = mark(attributes)
        inherited = labels[parent] if parent >= 0 else ""
        labels.append(inherited if label is None else label)
    texts = zip(tree.node_parents, document.nodes, strict=True)
    return [
        Span(start, end, labels[parent]) for parent, (start, end) in texts if start >= 0 and labels[parent]
    ]


# ---- writing ----

# Elements in which none of ours can stand: a parser would take it for text, or move it elsewhere.
_CLOSED = RAW_TEXT | {"math", "option", "select", "svg", "textarea", "title"}


def tree_of(record: PageRecord) -> Document:
    """The page with its elements, parsed here if it does not come along; raises as `gold_of` does."""
    try:
        return record.tree or parse(record.raw, record.charset)
    except ParseError as error:
        raise FormatError(f"the page cannot be parsed: {error}") from error


#: The attributes of the element around text with a label; "" for boilerplate.
Opening = Callable[[str], str]


def marked_copy(document: Document, spans: Sequence[Span], opening: Opening) -> bytes:
    """The page in UTF-8 with its visible texts in `span` elements that tell their labels.

    `opening` gives the attributes of such an element, as HTML. The tree is written as it was parsed.
    """
    doctype = "" if document.quirks else "<!DOCTYPE html>"
    return ("\ufeff" + doctype + "".join(_written(document, spans, opening))).encode()


def _written(document: Document, spans: Sequence[Span], opening: Opening) -> Iterator[str]:
    tags: list[str] = []
    closed, node, at = 0, 0, 0
    for event in document.events:
        if event is None:
            tag = tags.pop()
            closed -= tag in _CLOSED
            if tag not in VOID:
                yield f"</{tag}>"
        elif isinstance(event, str):
            start, end = document.nodes[node]
            node += 1
            while at < len(spans) and spans[at].end <= start:
                at += 1
            inner = tags[-1] if tags else ""
            if inner in DROPS_FIRST_BREAK and event.startswith("\n"):
                yield "\n"
            if start < 0 or closed:
                yield event if inner in RAW_TEXT else _escaped(event)
            else:
                yield from _pieces(event, start, end, spans[at:], document.text, opening)
        else:
            tag, attributes = event
            tags.append(tag)
            closed += tag in _CLOSED
            yield f"<{tag}{''.join(_attribute(name, value) for name, value in attributes.items())}>"


def _pieces(
    raw: str, start: int, end: int, spans: Sequence[Span], text: str, opening: Opening
) -> Iterator[str]:
    """The text of a node in as many elements as it has labels."""
    inside: list[Span] = []
    for span in spans:
        if span.start >= end:
            break
        inside.append(Span(max(span.start, start), min(span.end, end), span.label))
    if not inside or inside[0][:2] == (start, end):
        yield _element(raw, opening(inside[0].label if inside else ""))
        return
    yield raw[: len(raw) - len(raw.lstrip(WHITESPACE))]
    position = start
    for span in inside:
        if position < span.start:
            yield _element(text[position : span.start], opening(""))
        yield _element(text[span.start : span.end], opening(span.label))
        position = span.end
    if position < end:
        yield _element(text[position:end], opening(""))
    yield raw[len(raw.rstrip(WHITESPACE)) :]


def _element(text: str, attributes: str) -> str:
    return f"<span {attributes}>{_escaped(text)}</span>"


def _escaped(text: str) -> str:
    return escape(text, quote=False)


def _attribute(name: str, value: str) -> str:
    return f' {name}="{escape(value)}"'


def losses_in_copy(record: PageRecord) -> frozenset[Loss]:
    """What of a page's gold its marked copy cannot tell."""
    document, spans = tree_of(record), list(spans_of(record))
    lost = {Loss.ELEMENTS} if any(_unreachable(document, spans)) else set()
    if bridge(spans, document.blocks, document.text) != spans:
        lost.add(Loss.NEIGHBOURS)
    return frozenset(lost)


def _unreachable(document: Document, spans: Sequence[Span]) -> Iterator[Span]:
    """The marks in elements that cannot hold one of ours."""
    tree = document.structure
    for parent, (start, end) in zip(tree.node_parents, document.nodes, strict=True):
        if start >= 0 and tree.nearest(parent, _CLOSED) >= 0:
            yield from (span for span in spans if span.start < end and start < span.end)
