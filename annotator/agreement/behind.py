"""The pages behind a figure as rows: who was compared there, after what, and how far they agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotator.agreement import figures, queries, wording
from annotator.agreement.choice import Cell, Choice
from annotator.agreement.slices import MIXED, NOTHING, Names, Record, restricted
from annotator.common.templatetags.goldpan import language_title
from annotator.pages.models import Page


@dataclass(frozen=True)
class Person:
    """One of those who are compared, and what she was shown; "" for nothing."""

    name: str
    shown: str


@dataclass(frozen=True)
class PageRow:
    """`extractor` is one under whose glass the page can be laid; None where it is not scored yet."""

    page: Page
    people: list[Person]
    same_verdict: bool
    figure: dict[str, Any]
    extractor: int | None

    @property
    def why(self) -> str:
        """Why there is no figure of this page alone."""
        return wording.withheld_title(self.figure["withheld"])


def rows(
    found: Sequence[tuple[int, Names]],
    choice: Choice,
    labels: Sequence[str],
    names: Mapping[str, str],
    extractors: Mapping[str, str],
) -> list[PageRow]:
    """The comparisons of one sheet, in their order."""
    return [
        PageRow(
            page=row.round.page,
            people=_people(record, compared, names, extractors),
            same_verdict=bool(row.same_verdict),
            figure=_figure(record, compared, choice, labels),
            extractor=row.scored_extractor,
        )
        for row, record, compared in queries.with_pages(found)
    ]


def cell_title(cell: Cell, names: Mapping[str, str], extractors: Mapping[str, str]) -> str:
    """What a slice's cell is called; nothing for all pages."""
    value = cell.value
    if cell.by == "pair":
        return " · ".join(names.get(pk, "?") for pk in value.split("-"))
    if cell.by == "arm":
        shown = _("Shown %(name)s") % {"name": extractors.get(value, "?")}
        return _("Shown nothing") if value == NOTHING else shown
    if cell.by == "guideline":
        return _("Guidelines not the same") if value == MIXED else _("Guideline %(n)s") % {"n": value}
    if cell.by == "week":
        return _("Week of %(day)s") % {"day": value}
    if cell.by == "language":
        return language_title(value) if value else _("not known")
    return value


def _people(
    record: Record, compared: Names, names: Mapping[str, str], extractors: Mapping[str, str]
) -> list[Person]:
    parts = [part for part in record.parts if part.name in compared]
    return [
        Person(names.get(part.name, "?"), extractors.get(str(part.shown), "?") if part.shown else "")
        for part in parts
    ]


def _figure(record: Record, compared: Names, choice: Choice, labels: Sequence[str]) -> dict[str, Any]:
    if record.counts is None:
        return {}
    return figures.of_page(restricted(record.counts, compared), choice, labels)
