"""The pages behind a figure: who was compared, what each was shown, and how far they agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotator.agreement import figures, queries, titles
from annotator.agreement.selection import ReportSelection, SliceCell
from annotator.agreement.slices import MIXED, NOTHING, ComparedRound, Names, restricted
from annotator.common.templatetags.names import language_title
from annotator.pages.models import Page


@dataclass(frozen=True)
class AgreementPageRow:
    """A compared page. `extractor` is one that has a score on it, to link to; None while there is none."""

    page: Page
    # Each compared annotator, and what they were shown; "" for nothing.
    people: list[tuple[str, str]]
    same_verdict: bool
    figure: dict[str, Any]
    extractor: int | None

    @property
    def why(self) -> str:
        """Why there is no figure of this page."""
        return titles.withheld_title(self.figure["withheld"])


def rows(
    found: Sequence[tuple[int, Names]],
    selection: ReportSelection,
    labels: Sequence[str],
    names: Mapping[str, str],
    extractors: Mapping[str, str],
) -> list[AgreementPageRow]:
    """The rows of the found comparisons, in their order."""
    return [
        AgreementPageRow(
            page=row.round.page,
            people=_people(record, compared, names, extractors),
            same_verdict=bool(row.same_verdict),
            figure=_figure(record, compared, selection, labels),
            extractor=row.scored_extractor,
        )
        for row, record, compared in queries.load_comparisons(found)
    ]


def cell_title(cell: SliceCell, names: Mapping[str, str], extractors: Mapping[str, str]) -> str:
    """The title of a cell; empty for all pages."""
    value = cell.value
    if cell.by == "pair":
        return " · ".join(names.get(pk, "?") for pk in value.split("-"))
    if cell.by == "arm":
        shown = _("Shown %(name)s") % {"name": extractors.get(value, "?")}
        return _("Without suggestion") if value == NOTHING else shown
    if cell.by == "guideline":
        return _("Different guidelines") if value == MIXED else _("Guideline %(n)s") % {"n": value}
    if cell.by == "week":
        return _("Week of %(day)s") % {"day": value}
    if cell.by == "language":
        return language_title(value) if value else _("Unknown")
    return value


def _people(
    record: ComparedRound, compared: Names, names: Mapping[str, str], extractors: Mapping[str, str]
) -> list[tuple[str, str]]:
    return [
        (names.get(each.key, "?"), extractors.get(str(each.shown), "?") if each.shown else "")
        for each in record.participants
        if each.key in compared
    ]


def _figure(
    record: ComparedRound, compared: Names, selection: ReportSelection, labels: Sequence[str]
) -> dict[str, Any]:
    if record.counts is None:
        return {}
    return figures.of_page(restricted(record.counts, compared), selection, labels)
