"""Storing a document, and deriving an lxml tree from it."""

import pytest
from hypothesis import given
from lxml import etree

from extraction.documents.canonical_text import UNWANTED
from extraction.documents.document import Document
from extraction.parsing.parse import parse
from tests.extraction.soup import raw_soup


def lxml_texts(root: etree._Element) -> list[str]:
    texts = root.xpath("//text()")
    assert isinstance(texts, list)
    return [str(text) for text in texts if text]


@given(raw_soup)
def test_unpacking_gives_back_what_was_packed(raw: bytes) -> None:
    document = parse(raw)
    again = Document.unpack(document.pack())
    assert again == document
    assert type(again.blocks) is list
    assert all(type(block) is type(document.blocks[0]) for block in again.blocks)
    assert all(type(node) is tuple for node in again.nodes)


def test_packing_is_deterministic() -> None:
    assert parse(b"<p>a").pack() == parse(b"<p>a").pack()


@given(raw_soup)
def test_lxml_holds_every_text_in_order(raw: bytes) -> None:
    document = parse(raw)
    expected = [
        UNWANTED.sub("", event).replace("\f", " ") for event in document.events if isinstance(event, str)
    ]
    assert lxml_texts(document.to_lxml()) == [text for text in expected if text]


def test_lxml_holds_every_element_and_attribute() -> None:
    root = parse(b'<p class="a b" @click=x>a<br>b<svg><title>t</title></svg>c').to_lxml()
    assert [element.tag for element in root.iter()] == ["html", "head", "body", "p", "br", "svg", "title"]
    assert root.find(".//p").attrib == {"class": "a b", "@click": "x"}
    assert root.find(".//br").tail == "b"


@pytest.mark.parametrize(
    "raw",
    [
        b'<p><a"b\'c=d "e=f>g',
        b"<a:b c:d=e>g",
        b"<p/x>g",
        b"<a<b>g",
        b"<x{y} {z}>g",
        b"<p {{class}} {b={c {}>g",
        b"<svg><x{ y:z=1 xlink:href=2>g",
    ],
)
def test_lxml_survives_names_that_it_cannot_hold(raw: bytes) -> None:
    assert lxml_texts(parse(raw).to_lxml()) == ["g"]


def test_each_call_gives_a_tree_of_its_own() -> None:
    document = parse(b"<p>a")
    document.to_lxml().clear()
    assert lxml_texts(document.to_lxml()) == ["a"]
