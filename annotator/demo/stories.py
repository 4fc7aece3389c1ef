"""Reads the articles of the invented sites: text files in `stories/`, one a site.

A file begins with lines `key: value` about the site; each article follows a line `=== slug`, with such lines
of its own, a blank line, and its blocks, separated by blank lines. The first characters of a block say what
it is (`_MARKS`), or a word in brackets does, with an argument: `[comment Ann | 2 hours ago] The text`.
Without either it is a paragraph.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "stories"

# The beginning of a block, and its kind.
_MARKS = {
    "# ": "subhead",
    "> ": "pull",
    "- ": "list",
    "1. ": "numbers",
    "| ": "table",
    "! ": "figure",
    "+ ": "also",
    "? ": "question",
}
_ROWS = frozenset({"list", "numbers", "table", "points"})
_BRACKET = re.compile(r"\[([a-z]+)(?: ([^\]]*))?\] ?")
_BULLET = re.compile(r"(?:- |\d+\. )")
_SEPARATOR = re.compile(r"^=== (\S+)\n", re.MULTILINE)


@dataclass(frozen=True)
class StoryBlock:
    """One block; `note` is the argument of its bracket, `rows` are the lines of a list or table."""

    kind: str
    text: str = ""
    note: str = ""
    rows: tuple[str, ...] = ()

    @property
    def cells(self) -> list[list[str]]:
        """The rows of a table."""
        return [[cell.strip() for cell in row.strip("| ").split("|")] for row in self.rows]

    @property
    def parts(self) -> list[str]:
        """The note's parts, which stand between bars."""
        return [part.strip() for part in self.note.split("|")]


@dataclass(frozen=True)
class Story:
    """One article, or page that is none, and the site that prints it."""

    site: str
    slug: str
    about_site: dict[str, str]
    about: dict[str, str]
    blocks: tuple[StoryBlock, ...] = field(repr=False)

    @property
    def verdict(self) -> str:
        return self.about.get("verdict", "article")

    @property
    def reason(self) -> str:
        return self.about.get("reason", "")

    @property
    def template(self) -> str:
        """The template that composes it, in the folder of its site."""
        return f"{self.site}/{self.about.get('layout', 'article')}.html"

    @property
    def url(self) -> str:
        pattern = self.about.get("address", self.about_site["address"])
        return pattern.format(slug=self.slug, date=self.about["date"][:10].replace("-", "/"))

    @property
    def body(self) -> list[StoryBlock]:
        """What stands between the title and the end of the article."""
        return [block for block in self.blocks if block.kind not in _AFTER]

    @property
    def comments(self) -> list[StoryBlock]:
        return [block for block in self.blocks if block.kind in ("comment", "reply")]

    @property
    def related(self) -> list[StoryBlock]:
        return [block for block in self.blocks if block.kind == "related"]


_AFTER = frozenset({"comment", "reply", "related", "author"})


@cache
def read_stories() -> tuple[Story, ...]:
    """All articles, by site and in the order of their files."""
    return tuple(story for path in sorted(FOLDER.glob("*.txt")) for story in _read(path))


def _read(path: Path) -> Iterator[Story]:
    head, *sections = _SEPARATOR.split(path.read_text(encoding="utf-8"))
    about_site = _pairs(head)
    for slug, section in zip(sections[::2], sections[1::2], strict=True):
        about, _, rest = section.partition("\n\n")
        chunks = re.split(r"\n\s*\n", rest.strip())
        blocks = tuple(_block(chunk) for chunk in chunks if chunk)
        yield Story(path.stem, slug, about_site, _pairs(about), blocks)


def _pairs(text: str) -> dict[str, str]:
    lines = (line.partition(": ") for line in text.splitlines() if line.strip())
    return {key.strip(): value.strip() for key, _, value in lines}


def _block(chunk: str) -> StoryBlock:
    kind, note, text = "text", "", chunk
    if bracket := _BRACKET.match(chunk):
        kind, note, text = bracket[1], bracket[2] or "", chunk[bracket.end() :]
    else:
        for mark, name in _MARKS.items():
            if chunk.startswith(mark):
                kind, text = name, chunk if name in _ROWS else chunk.removeprefix(mark)
    if kind in _ROWS:
        return StoryBlock(kind, "", note, tuple(_BULLET.sub("", line, count=1) for line in text.splitlines()))
    if kind == "figure":
        note, _, text = text.partition(" | ")
    return StoryBlock(kind, text.strip(), note)
