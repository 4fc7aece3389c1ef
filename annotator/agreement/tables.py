"""The tables of the agreement screen: the title of each figure, its axis and the link to its pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from annotator.agreement import titles
from annotator.agreement.selection import MEASURES, PAIRS, UNITS, ReportSelection
from annotator.agreement.slices import MIXED, NOTHING
from annotator.common.axis import FEW_TICKS, Axis, axis_for
from annotator.common.templatetags.layout import date
from annotator.common.templatetags.names import language_title

Figure = dict[str, Any]
STEPS = 5  # shades of the matrix


@dataclass(frozen=True)
class AgreementFigureRow:
    """One cell of a slice. `number` is that of a label, else 0."""

    title: str
    figure: Figure
    query: str
    number: int = 0

    @property
    def short_why(self) -> str:
        """As `why`, in one word where pages are too few, as their number is shown beside it."""
        if self.figure["withheld"] == "no interval below 30 pages":
            return _("withheld")
        return self.why

    @property
    def why(self) -> str:
        return titles.withheld_title(self.figure["withheld"])

    @property
    def excluded(self) -> str:
        """Excluded pages by reason."""
        return titles.reasons(self.figure["excluded"])


@dataclass(frozen=True)
class AgreementTable:
    rows: list[AgreementFigureRow]

    @property
    def axis(self) -> Axis:
        shown = [row.figure[name] for row in self.rows for name in ("value", "low", "high")]
        return axis_for(shown, reach=1.0, most=FEW_TICKS)


@dataclass(frozen=True)
class PairCell:
    """Two annotators; `step` is the shade, 0 without an interval. No figure: they share no page."""

    figure: Figure | None = None
    query: str = ""
    title: str = ""
    step: int = 0

    @property
    def half_interval(self) -> float | None:
        if self.figure is None or self.figure["low"] is None:
            return None
        return float(self.figure["high"] - self.figure["low"]) / 2


@dataclass(frozen=True)
class PairMatrix:
    names: list[str]
    rows: list[tuple[str, list[PairCell]]]
    low: float | None
    high: float | None

    @property
    def counted(self) -> list[AgreementFigureRow]:
        """The pairs that share a page."""
        cells = [cell for _name, line in self.rows for cell in line]
        return [AgreementFigureRow(cell.title, cell.figure, cell.query) for cell in cells if cell.figure]


def head(found: Mapping[str, Any], selection: ReportSelection) -> list[AgreementFigureRow]:
    """The selected pairs first, then the others."""
    order = [selection.pairs, *(pairs for pairs in PAIRS if pairs != selection.pairs)]
    return [
        AgreementFigureRow(
            str(titles.PAIRS[pairs]),
            found["pairs"][pairs][selection.measure],
            selection.replaced(pairs=pairs).query,
        )
        for pairs in order
    ]


def by_label(
    found: Mapping[str, Any], selection: ReportSelection, numbers: Mapping[str, int]
) -> AgreementTable:
    rows = []
    for kind, name, figures in found["labels"]:
        narrowed = selection.replaced(view=(kind, name))
        number = numbers.get(name, 0) if kind == "label" else 0
        rows.append(
            AgreementFigureRow(
                titles.labels_title(narrowed), figures[selection.measure], narrowed.query, number
            )
        )
    return AgreementTable(rows)


def by_arm(
    found: Mapping[str, Any], selection: ReportSelection, extractors: Mapping[str, str]
) -> AgreementTable:
    titles = {NOTHING: _("None"), **extractors}
    rows = _rows(found, "arm", selection, titles)
    return AgreementTable(sorted(rows, key=lambda row: row.title != titles[NOTHING]))


def by_language(found: Mapping[str, Any], selection: ReportSelection) -> AgreementTable:
    codes = [value for value, _figures in found["language"]]
    titles = {code: language_title(code) if code else _("Unknown") for code in codes}
    return AgreementTable(_rows(found, "language", selection, titles))


def by_site(found: Mapping[str, Any], selection: ReportSelection) -> list[AgreementFigureRow]:
    """All sites, those with most pages first."""
    rows = _rows(found, "site", selection, {"": _("Unknown")})
    return sorted(rows, key=lambda row: -row.figure["n"])


def by_guideline(found: Mapping[str, Any], selection: ReportSelection) -> AgreementTable:
    rows = _rows(found, "guideline", selection, {MIXED: _("Mixed")})
    return AgreementTable(sorted(rows, key=lambda row: (not row.title.isdigit(), len(row.title), row.title)))


def by_week(found: Mapping[str, Any], selection: ReportSelection) -> AgreementTable:
    days = [value for value, _figures in found["week"]]
    # Non-breaking spaces, as the column is narrow.
    titles = {day: date(datetime.fromisoformat(day), "j M Y").replace(" ", "\xa0") for day in days}
    return AgreementTable(_rows(found, "week", selection, titles))


def by_pair(found: Mapping[str, Any], selection: ReportSelection, names: Mapping[str, str]) -> PairMatrix:
    """The lower triangle of a matrix of annotators, in the order of `names`."""
    cells = {tuple(value.split("-")): figures[selection.measure] for value, figures in found["pair"]}
    people = [pk for pk in names if any(pk in pair for pair in cells)]
    shown = [figure["value"] for figure in cells.values() if figure["low"] is not None]
    low, high = min(shown, default=None), max(shown, default=None)
    rows = []
    for index, one in enumerate(people[1:], start=1):
        line = []
        for other in people[:index]:
            pair = sorted((one, other), key=int)
            figure = cells.get((pair[0], pair[1]))
            line.append(_matrix_cell(figure, selection, pair, (names[one], names[other]), low, high))
        rows.append((names[one], line))
    return PairMatrix([names[pk] for pk in people[:-1]], rows, low, high)


def of_units(found: Mapping[str, Any]) -> list[tuple[str, list[AgreementFigureRow | None]]]:
    """Every measure with its figure for each unit, None where the unit lacks it."""
    names = [*MEASURES["character"], *MEASURES["span"]]
    return [
        (str(titles.MEASURES[name]), [_measured(name, unit, found["units"][unit]) for unit in UNITS])
        for name in names
    ]


def of_verdict(found: Mapping[str, Any]) -> list[AgreementFigureRow]:
    """Agreement on the verdict, where the unit is the page."""
    titles = {"cohen_kappa": _("Verdict, Cohen’s κ"), "gwet_ac1": _("Verdict, Gwet’s AC1")}
    return [AgreementFigureRow(title, found["verdict"][name], "") for name, title in titles.items()]


def _measured(name: str, unit: str, figures: Mapping[str, Figure]) -> AgreementFigureRow | None:
    if name not in figures:
        return None
    return AgreementFigureRow(f"{titles.MEASURES[name]}, {titles.UNITS[unit]}", figures[name], "")


def _rows(
    found: Mapping[str, Any], by: str, selection: ReportSelection, titles: Mapping[str, str]
) -> list[AgreementFigureRow]:
    return [
        AgreementFigureRow(
            titles.get(value, value), figures[selection.measure], selection.pages_query(by, value)
        )
        for value, figures in found[by]
    ]


def _matrix_cell(
    figure: Figure | None,
    selection: ReportSelection,
    pair: Sequence[str],
    names: tuple[str, str],
    low: float | None,
    high: float | None,
) -> PairCell:
    if figure is None:
        return PairCell()
    return PairCell(
        figure,
        selection.pages_query("pair", "-".join(pair)),
        _("%(one)s and %(other)s") % {"one": names[0], "other": names[1]},
        _step(figure, low, high),
    )


def _step(figure: Figure, low: float | None, high: float | None) -> int:
    if figure["low"] is None or low is None or high is None:
        return 0
    share = (figure["value"] - low) / (high - low) if high > low else 1.0
    return min(STEPS, 1 + int(share * STEPS))
