"""Small example pages with marks that illustrate the clauses; never pages of a corpus.

A file has its title, its verdict, a rule, and a line for each block of the page:

    A story with everything around it
    article
    ---
    headline#title | headline: Ferry returns to the island
    byline#byline | supplemental: By Nora Whitlock | -: Share

A line has the look of the block and its anchor, then its text in pieces, each with its label or `-`.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings

FOLDER = Path(__file__).parent / "texts"


@cache
def default_texts() -> dict[str, str]:
    """Its Markdown, by language."""
    languages = (code for code, _name in settings.LANGUAGES)
    files = {code: FOLDER / f"{code}.md" for code in languages}
    return {code: path.read_text(encoding="utf-8") for code, path in files.items() if path.exists()}


PAGES = FOLDER / "examples"
LOOKS = frozenset({
    "site", "nav", "kicker", "headline", "standfirst", "byline", "share", "picture", "caption", "text",
    "subheading", "item", "row", "quote", "pull", "ad", "box", "button", "link", "comment", "meta", "notice",
    "foot",
})  # fmt: skip
UNMARKED = "-"


@dataclass(frozen=True)
class ExamplePiece:
    """Some text of a block; an unmarked piece has an empty label."""

    label: str
    text: str


@dataclass(frozen=True)
class ExampleBlock:
    look: str
    anchor: str
    pieces: tuple[ExamplePiece, ...]

    @property
    def labels(self) -> list[str]:
        return list(dict.fromkeys(piece.label for piece in self.pieces if piece.label))


@dataclass(frozen=True)
class Example:
    """One page. `verdict` is a value of `Verdict`, `reason` one of `NotArticleReason` or empty."""

    name: str
    language: str
    title: str
    verdict: str
    reason: str
    blocks: tuple[ExampleBlock, ...]


@cache
def examples(language: str) -> dict[str, Example]:
    """All pages in a language, by name."""
    files = sorted((PAGES / language).glob("*.txt"))
    found = (parse(path.stem, language, path.read_text(encoding="utf-8")) for path in files)
    return {example.name: example for example in found}


def example(name: str, language: str) -> Example | None:
    """The page in this language, or in English."""
    return examples(language).get(name) or examples("en").get(name)


def addresses() -> set[str]:
    """All that a clause can link to: `name`, and `name#anchor`."""
    return {
        address
        for page in examples("en").values()
        for address in (page.name, *(f"{page.name}#{block.anchor}" for block in page.blocks if block.anchor))
    }


def parse(name: str, language: str, text: str) -> Example:
    """Parse a file. Raises ValueError with the line that is wrong."""
    head, _rule, body = text.partition("\n---\n")
    title, verdict_line = head.strip().splitlines()
    verdict, _space, reason = verdict_line.partition(" ")
    return Example(
        name, language, title, verdict, reason, tuple(_block(line) for line in body.strip().splitlines())
    )


def _block(line: str) -> ExampleBlock:
    first, *pieces = line.split(" | ")
    look, _hash, anchor = first.strip().partition("#")
    if look not in LOOKS or not pieces:
        raise ValueError(f"not a block: {line}")
    return ExampleBlock(look, anchor, tuple(_piece(piece) for piece in pieces))


def _piece(piece: str) -> ExamplePiece:
    label, colon, text = piece.partition(": ")
    if not colon or not label.strip():
        raise ValueError(f"a piece without label: {piece}")
    return ExamplePiece("" if label.strip() == UNMARKED else label.strip(), text.strip())
