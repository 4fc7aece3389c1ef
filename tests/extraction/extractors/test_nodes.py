"""Text nodes become the spans that `bridge` would make of their offsets."""

import random
from pathlib import Path

import pytest

from extraction.extractors.nodes import spans_of
from extraction.parsing.parse import parse
from extraction.spans import CONTENT, Span, bridge, check
from tests.golden import PAGES


@pytest.mark.parametrize("folder", PAGES, ids=lambda folder: folder.name)
def test_spans_of_any_nodes_are_their_offsets_bridged(folder: Path) -> None:
    document = parse((folder / "source.html").read_bytes())
    draw = random.Random(3)
    for share in (0.1, 0.5, 0.9, 1.0):
        nodes = [node for node in range(len(document.nodes)) if draw.random() < share]
        indices = [document.nodes[node] for node in nodes]
        spans = [Span(start, end, CONTENT) for start, end in indices if start < end]
        found = spans_of(document, reversed(nodes))
        assert found == bridge(spans, document.blocks, document.text)
        check(found, document)


def test_blank_and_hidden_nodes_leave_nothing() -> None:
    document = parse("<p>\xa0</p><select><option>x</select><p>y</p>".encode())
    texts = [document.text[span.start : span.end] for span in spans_of(document, range(len(document.nodes)))]
    assert texts == ["y"]
