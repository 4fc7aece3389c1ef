"""Signs of readers' comments."""

import pytest

from extraction.extractors.goldpan.measures import BlockMeasures
from extraction.extractors.goldpan.signs import Signs


def sign_of(text: str) -> str:
    signs = Signs.of([text], BlockMeasures.of(text, [(0, len(text))]))
    found = {"heading": signs.headings, "button": signs.buttons, "signature": signs.signatures}
    return " ".join(name for name, flags in found.items() if flags[0])


@pytest.mark.parametrize(
    "text",
    ["Comments", "13 comments:", "Leave a reply", "Kommentare (4)", "3 комментария", "Un comentario", "评论"],
)
def test_headings(text: str) -> None:
    assert sign_of(text) == "heading"


@pytest.mark.parametrize("text", ["Reply", "» Quote", "Antworten", "Répondre", "返信"])
def test_buttons(text: str) -> None:
    assert sign_of(text) == "button"


@pytest.mark.parametrize(
    "text",
    [
        "Ann says:",
        "Ann Lee schrieb",
        "Maria July 7, 2012 at 2:31 pm",
        "7. Juli 2012",
        "3 hours ago",
        "hace 3 días",
        "Peter, 2012-07-07",
        "12 de abril",
    ],
)
def test_signatures(text: str) -> None:
    assert sign_of(text) == "signature"


@pytest.mark.parametrize(
    "text",
    [
        "—",
        "A bridge",
        "The board said so on Tuesday.",
        "Comments on the budget were heard all day in the council, and on its steps.",
        "Twelve",
        "Maria July 7, 2012 " + "and more " * 20,
    ],
)
def test_what_is_no_sign(text: str) -> None:
    assert sign_of(text) == ""
