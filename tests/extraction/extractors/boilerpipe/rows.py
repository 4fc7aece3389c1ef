"""Blocks by hand: rows instead of pages."""

from collections.abc import Iterable
from typing import NamedTuple

from extraction.extractors.boilerpipe.blocks import Blocks
from extraction.extractors.boilerpipe.text_blocks import TextBlocks


class Row(NamedTuple):
    """One block; `at` is its index among the text blocks, of which those without a row are missing."""

    text: str = "x"
    words: int = 0
    linked: int = 0
    density: int | None = None
    at: int | None = None
    level: int = 0
    heading: int = 0
    item: int = 0
    content: bool = False
    labels: Iterable[str] = ()


def page_of(*rows: Row, title: str = "") -> Blocks:
    """A page of these blocks, as a step finds it."""
    indices = [number if row.at is None else row.at for number, row in enumerate(rows)]
    by_index = dict(zip(indices, rows, strict=True))
    all_rows = [by_index.get(index, Row("missing")) for index in range(max(indices, default=-1) + 1)]
    features = TextBlocks(
        title=title,
        texts=[row.text for row in all_rows],
        words=[row.words for row in all_rows],
        linked_words=[row.linked for row in all_rows],
        wrapped_words=[row.words if row.density is None else row.density for row in all_rows],
        lines=[1] * len(all_rows),
        levels=[row.level for row in all_rows],
        items=[row.item for row in all_rows],
        headings=[row.heading for row in all_rows],
    )
    page = Blocks(features, indices, range(len(indices) + 1), [row.content for row in rows])
    for index, row in by_index.items():
        for label in row.labels:
            page.label(label, [index])
    return page


def texts_of(page: Blocks) -> list[str]:
    """Each block's text, its parts divided by line breaks."""
    return [
        "\n".join(page.text_blocks.texts[part] for part in page.parts(block)) for block in range(len(page))
    ]


def kept(page: Blocks) -> list[str]:
    """The texts of the content."""
    return [text for text, is_content in zip(texts_of(page), page.content, strict=True) if is_content]
