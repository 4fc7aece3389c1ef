"""Spans as ranges of the page's own text nodes."""

from hypothesis import given
from hypothesis import strategies as st

from extraction.documents.canonical_text import UNWANTED
from extraction.marked_nodes import MarkedNode, MarkedRange, marked_nodes
from extraction.parsing.parse import parse
from extraction.spans import Span
from tests import golden


def painted(node: MarkedNode) -> list[str]:
    units = node.text.encode("utf-16-le")
    return [units[2 * part.start : 2 * part.end].decode("utf-16-le") for part in node.ranges]


def test_a_span_over_several_nodes_is_a_range_in_each() -> None:
    document = parse("<p>One  <b>\U0001d54f two</b>\n three<p>Four".encode())
    start, end = document.text.index("ne"), document.text.index("hree")
    nodes = marked_nodes(document, [Span(start, end, "body")])
    assert [node.text for node in nodes] == ["One  ", "\U0001d54f two", "\n three"]
    assert [painted(node) for node in nodes] == [["ne "], ["\U0001d54f two"], ["\n t"]]
    assert nodes[1].ranges == [MarkedRange("body", 0, 6)]


def test_nothing_is_marked_where_nothing_is_taken() -> None:
    assert marked_nodes(parse(b"<p>One<p>Two"), []) == []


DOCUMENTS = [parse((folder / "source.html").read_bytes()) for folder in golden.PAGES]


@given(st.data())
def test_marked_text_is_the_text_of_the_spans(data: st.DataObject) -> None:
    document = data.draw(st.sampled_from(DOCUMENTS))
    start, end = sorted(data.draw(st.sets(st.integers(0, len(document.text)), min_size=2, max_size=2)))
    nodes = marked_nodes(document, [Span(start, end, "body")])
    marked = "".join("".join(painted(node)) for node in nodes)
    marked = UNWANTED.sub("", marked)
    assert "".join(marked.split()) == "".join(document.text[start:end].split())
