"""Small pages of our own that show what the clauses mean, with their marks; never a page of a corpus.

A file is its title and verdict, a rule, and a line for each block of the page:

    A story with everything around it
    article
    ---
    headline#title | headline: Ferry returns to the island
    byline#byline | supplemental: By Nora Whitlock | -: Share

What the block looks like and the name of its place, then its text in pieces, each with its label or `-`.
"""

from dataclasses import dataclass
from functools import cache

from annotator.corpora.guideline.defaults import FOLDER

PAGES = FOLDER / "examples"
LOOKS = frozenset({
    "site", "nav", "kicker", "headline", "standfirst", "byline", "share", "picture", "caption", "text",
    "subheading", "item", "row", "quote", "pull", "ad", "box", "button", "link", "comment", "meta", "notice",
    "foot",
})  # fmt: skip
UNMARKED = "-"


@dataclass(frozen=True)
class Piece:
    """Some text of a block; an unmarked piece has an empty label."""

    label: str
    text: str


@dataclass(frozen=True)
class Block:
    look: str
    place: str
    pieces: tuple[Piece, ...]

    @property
    def labels(self) -> list[str]:
        return list(dict.fromkeys(piece.label for piece in self.pieces if piece.label))


@dataclass(frozen=True)
class Example:
    """One page. The verdict is a `Verdict`'s value, and the reason a `Reason`'s or empty."""

    name: str
    language: str
    title: str
    verdict: str
    reason: str
    blocks: tuple[Block, ...]


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
    """All that a clause can link to: `name`, and `name#place`."""
    return {
        address
        for page in examples("en").values()
        for address in (page.name, *(f"{page.name}#{block.place}" for block in page.blocks if block.place))
    }


def parse(name: str, language: str, text: str) -> Example:
    """Read a file; ValueError names the line that is wrong."""
    head, _rule, body = text.partition("\n---\n")
    title, judged = head.strip().splitlines()
    verdict, _space, reason = judged.partition(" ")
    return Example(
        name, language, title, verdict, reason, tuple(_block(line) for line in body.strip().splitlines())
    )


def _block(line: str) -> Block:
    first, *pieces = line.split(" | ")
    look, _hash, place = first.strip().partition("#")
    if look not in LOOKS or not pieces:
        raise ValueError(f"no block: {line}")
    return Block(look, place, tuple(_piece(piece) for piece in pieces))


def _piece(piece: str) -> Piece:
    label, colon, text = piece.partition(": ")
    if not colon or not label.strip():
        raise ValueError(f"a piece without label: {piece}")
    return Piece("" if label.strip() == UNMARKED else label.strip(), text.strip())
