"""A release and the corpus report as screens show them; no database."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from annotator.releases.datasheet import COEFFICIENTS, UNITS
from annotator.releases.splits import MOVES, SPLITS
from extraction.metrics.composition import TextAmount


class LabelAmounts(NamedTuple):
    """A label's blocks, words and tokens, each with its share. Boilerplate has the `number` 0."""

    name: str
    number: int
    amounts: list[tuple[int, float | None]]


class BoilerplateShare(NamedTuple):
    """The share of boilerplate in a language or site, over all characters and as the mean of pages."""

    name: str
    pages: int
    pooled: float | None
    mean: float | None


class ReportTable(NamedTuple):
    pages: int
    rows: list[LabelAmounts]
    total: list[int]
    boilerplate: BoilerplateShare
    languages: list[BoilerplateShare]
    sites: list[BoilerplateShare]
    effective: float | None


class AgreementRow(NamedTuple):
    """The coefficients of one kind of unit."""

    unit: Promise
    pages: int
    figures: list[dict[str, Any]]


SHOWN_AMOUNTS = 3  # blocks, words, tokens


def report(found: Mapping[str, Any], numbers: Mapping[str, int]) -> ReportTable:
    """Return the corpus report; `numbers` are the display numbers of the labels."""
    width = len(TextAmount._fields)
    rows = [
        LabelAmounts(name, numbers.get(name, 0), [(row[at], row[at + width]) for at in range(SHOWN_AMOUNTS)])
        for name, *row in found["labels"]
    ]
    return ReportTable(
        found["pages"],
        rows,
        found["total"][:SHOWN_AMOUNTS],
        BoilerplateShare("", found["pages"], **found["boilerplate"]),
        [BoilerplateShare(name, pages, **shares) for name, pages, shares in found["languages"]],
        [BoilerplateShare(name, pages, **shares) for name, pages, shares in found["sites"]],
        found.get("effective"),
    )


def agreement(found: Mapping[str, Any]) -> dict[str, list[AgreementRow]]:
    """Return a row per kind of unit, for pairs without suggestions and for all pairs."""
    return {
        pairs: [
            AgreementRow(title, of[unit]["observed"]["n"], [of[unit][name] for name in COEFFICIENTS])
            for unit, title in UNITS.items()
        ]
        for pairs in ("blind", "all")
        if (of := found[pairs])
    }


def splits(pages: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the number of pages of each split."""
    return [(split, pages[split]) for split in SPLITS]


def erratum(description: str) -> str:
    """Return the description of an erratum, in the language of the screen if building a release wrote it."""
    if description not in MOVES:
        return description
    before, split = MOVES[description]
    moved = _("Moved from %(before)s to %(split)s: shares a site or near duplicates with it.")
    return moved % {"before": before, "split": split}
