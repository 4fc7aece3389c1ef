"""The features of each architecture on real pages: finite, and as many as the description says."""

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
import pytest

from extraction.documents.document import Document
from extraction.extractors.boilernet.features import Vocabulary, leaves
from extraction.extractors.crf.blocks import blocks
from extraction.extractors.crf.features import symbols
from extraction.extractors.mss_supervised.tokens import page_tokens
from extraction.extractors.web2text.features import page_features
from extraction.formats import READERS, PageRecord
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse
from tests.extraction.corpora import EXAMPLE, PUBLISHED

CORPORA = PUBLISHED.parent
SOURCES = (
    ("cleaneval", "cleaneval/final"),
    ("wcxb", "wcxb"),
    ("dragnet", "dragnet"),
    ("scrapinghub", "scrapinghub"),
)


def documents(count: int) -> Iterator[Document]:
    """Pages of each corpus that is there, as many of one as of another; else one of ours."""
    there = [(name, CORPORA / folder) for name, folder in SOURCES if (CORPORA / folder).is_dir()]
    for name, path in there:
        for record in islice(READERS[name].read(path), count // len(there)):
            if isinstance(record, PageRecord):
                try:
                    yield parse(record.raw)
                except ParseError:
                    continue
    if not there:
        yield parse(EXAMPLE.encode())


def web2text(document: Document) -> None:
    page = page_features(document)
    assert page.blocks.shape == (len(page.nodes), 128)
    assert page.edges.shape == (max(len(page.nodes) - 1, 0), 25)
    assert np.isfinite(page.blocks).all()
    assert np.isfinite(page.edges).all()
    assert page.nodes == sorted(set(page.nodes))
    assert all(document.structure.node_texts[node].strip() for node in page.nodes)


def crf(document: Document) -> None:
    page = blocks(document)
    found = symbols(page)
    assert found.shape == (len(page), 262)
    assert ((found >= 0) & (found < 262 * 4096)).all()
    assert all(block.text.strip() for block in page)
    inside = [block.place for block in page if block.place[0] >= 0]
    assert all(start < end <= len(document.text) for start, end in inside)


VOCABULARY = Vocabulary.of(["the", "of", ".", ","], ["html", "body", "div", "p", "a"])


def boilernet(document: Document) -> None:
    page = leaves(document)
    found = VOCABULARY.rows(page)
    assert (found.size, VOCABULARY.width) == (len(page.nodes), 11)
    assert np.isfinite(found.values).all()
    assert (found.values >= 1).all()
    assert ((found.columns >= 0) & (found.columns < 11)).all()
    # All words and all tags are counted.
    assert found.values.sum() == sum(count.total() for count in (*page.words, *page.tags))


def mss_supervised(document: Document) -> None:
    found = page_tokens(document)
    assert found.trigrams.shape == found.tags.shape == found.nodes.shape
    assert found.nodes.max(initial=-1) < len(document.structure.node_texts)
    words = found.nodes[found.nodes >= 0]
    assert (np.diff(words) >= 0).all()


CHECKS: tuple[Callable[[Document], None], ...] = (web2text, crf, boilernet, mss_supervised)


@pytest.mark.parametrize("count", [52, pytest.param(520, marks=pytest.mark.long)])
def test_features_of_real_pages_are_finite_and_complete(count: int) -> None:
    seen = 0
    for document in documents(count):
        seen += 1
        for check in CHECKS:
            check(document)
    assert seen >= (count * 0.96 if any((CORPORA / folder).is_dir() for _, folder in SOURCES) else 1)
