"""What is kept with a document."""

from extraction.document import Document
from extraction.once import once
from extraction.parse import parse


def test_once_makes_a_thing_once_for_each_document() -> None:
    asked: list[str] = []

    @once
    def shout(document: Document) -> str:
        asked.append(document.text)
        return document.text.upper()

    first, second = parse(b"<p>one"), parse(b"<p>two")
    assert [shout(first), shout(second), shout(first)] == ["ONE", "TWO", "ONE"]
    assert asked == ["one", "two"]


def test_once_keeps_none_as_well() -> None:
    asked: list[str] = []

    @once
    def nothing(document: Document) -> None:
        asked.append(document.text)

    page = parse(b"<p>one")
    assert (nothing(page), nothing(page), asked) == (None, None, ["one"])


def test_once_tells_functions_apart() -> None:
    @once
    def one(document: Document) -> int:
        return 1

    page = parse(b"<p>x")
    first = one

    @once
    def two(document: Document) -> int:
        return 2

    assert (first(page), two(page)) == (1, 2)
    assert page == parse(b"<p>x")
    assert page.pack() == parse(b"<p>x").pack()
