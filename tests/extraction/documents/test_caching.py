"""What is kept with a document."""

from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.parsing.parse import parse


def test_once_makes_a_thing_once_for_each_document() -> None:
    computed: list[str] = []

    @cached_on_document
    def shout(document: Document) -> str:
        computed.append(document.text)
        return document.text.upper()

    first, second = parse(b"<p>one"), parse(b"<p>two")
    assert [shout(first), shout(second), shout(first)] == ["ONE", "TWO", "ONE"]
    assert computed == ["one", "two"]


def test_once_keeps_none_as_well() -> None:
    computed: list[str] = []

    @cached_on_document
    def nothing(document: Document) -> None:
        computed.append(document.text)

    page = parse(b"<p>one")
    assert (nothing(page), nothing(page), computed) == (None, None, ["one"])


def test_once_tells_functions_apart() -> None:
    @cached_on_document
    def one(document: Document) -> int:
        return 1

    page = parse(b"<p>x")
    first = one

    @cached_on_document
    def two(document: Document) -> int:
        return 2

    assert (first(page), two(page)) == (1, 2)
    assert page == parse(b"<p>x")
    assert page.pack() == parse(b"<p>x").pack()
