"""Figures of a release and of the corpus report, as screens show them; no database."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotator.releases.datasheet import COEFFICIENTS
from annotator.releases.splits import SPLITS
from extraction.composition import Amount


class Row(NamedTuple):
    """A label's blocks, words and tokens, each with its share; `number` 0: boilerplate."""

    name: str
    number: int
    amounts: list[tuple[int, float | None]]


class Place(NamedTuple):
    """A language's or site's pages and share of boilerplate, of all characters and as the mean of pages."""

    name: str
    pages: int
    pooled: float | None
    mean: float | None


class Table(NamedTuple):
    pages: int
    rows: list[Row]
    total: list[int]
    boilerplate: Place
    languages: list[Place]
    sites: list[Place]
    effective: float | None


class Agreed(NamedTuple):
    """Figures of one kind of unit."""

    of: str | Promise
    pages: int
    figures: list[dict[str, Any]]


UNITS = {
    "character": _("characters"),
    "word": _("words"),
    "block": _("blocks"),
    "article": _("article or not, characters"),
}
COUNTED = 3  # blocks, words, tokens


def report(found: Mapping[str, Any], numbers: Mapping[str, int]) -> Table:
    """The corpus report; `numbers` are those of the labels."""
    width = len(Amount._fields)
    rows = [
        Row(name, numbers.get(name, 0), [(of[at], of[at + width]) for at in range(COUNTED)])
        for name, *of in found["labels"]
    ]
    return Table(
        found["pages"],
        rows,
        found["total"][:COUNTED],
        _place("", found["pages"], found["boilerplate"]),
        [_place(*row) for row in found["languages"]],
        [_place(*row) for row in found["sites"]],
        found.get("effective"),
    )


def agreement(found: Mapping[str, Any]) -> dict[str, list[Agreed]]:
    """Of pairs shown nothing and of all pairs, a row for each kind of unit."""
    return {
        pairs: [
            Agreed(title, of[unit]["observed"]["n"], [of[unit][name] for name in COEFFICIENTS])
            for unit, title in UNITS.items()
        ]
        for pairs in ("blind", "all")
        if (of := found[pairs])
    }


def splits(pages: Mapping[str, int]) -> list[tuple[str, int]]:
    """Pages of each split, in their order."""
    return [(split, pages[split]) for split in SPLITS]


def _place(name: str, pages: int, shares: Mapping[str, float | None]) -> Place:
    return Place(name, pages, shares["pooled"], shares["mean"])
