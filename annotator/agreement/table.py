"""The agreement page as rows: what each figure is called, how it is drawn, and where its pages are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from annotator.agreement import wording
from annotator.agreement.choice import MEASURES, PAIRS, UNITS, Choice
from annotator.agreement.slices import MIXED, NOTHING
from annotator.common.axis import FEW_TICKS, Axis, axis_for
from annotator.common.templatetags.goldpan import date, language_title

Figure = dict[str, Any]
STEPS = 5  # of the colours of the matrix


@dataclass(frozen=True)
class Row:
    """One cell of a slice. `number` is a label's, 0 for what is none."""

    title: str
    figure: Figure
    query: str
    number: int = 0

    @property
    def short_why(self) -> str:
        """As `why`, in a word where it is for want of pages: their number stands beside."""
        if self.figure["withheld"] == "no interval below 30 pages":
            return _("withheld")
        return self.why

    @property
    def why(self) -> str:
        return wording.withheld_title(self.figure["withheld"])

    @property
    def left_out(self) -> str:
        """Pages that are not in the figure, by reason."""
        return wording.reasons(self.figure["excluded"])


@dataclass(frozen=True)
class Table:
    rows: list[Row]

    @property
    def axis(self) -> Axis:
        return axis_of([row.figure for row in self.rows])


@dataclass(frozen=True)
class MatrixCell:
    """Two annotators; `step` is the colour, 0 where no interval is shown; no figure: never on one page."""

    figure: Figure | None = None
    query: str = ""
    title: str = ""
    step: int = 0

    @property
    def reach(self) -> float | None:
        """Half of the interval."""
        if self.figure is None or self.figure["low"] is None:
            return None
        return float(self.figure["high"] - self.figure["low"]) / 2


@dataclass(frozen=True)
class Matrix:
    names: list[str]
    rows: list[tuple[str, list[MatrixCell]]]
    low: float | None
    high: float | None

    @property
    def counted(self) -> list[Row]:
        """The pairs that are on a page together, each with what its figure rests on."""
        cells = [cell for _name, line in self.rows for cell in line]
        return [Row(cell.title, cell.figure, cell.query) for cell in cells if cell.figure]


def axis_of(figures: Iterable[Figure], *, reach: float = 1.0, most: int = FEW_TICKS) -> Axis:
    shown = [figure[name] for figure in figures for name in ("value", "low", "high")]
    return axis_for(shown, reach=reach, most=most)


def head(found: Mapping[str, Any], choice: Choice) -> list[Row]:
    """The chosen pairs first, the others beside them."""
    order = [choice.pairs, *(pairs for pairs in PAIRS if pairs != choice.pairs)]
    return [
        Row(str(wording.PAIRS[pairs]), found["pairs"][pairs][choice.measure], choice.but(pairs=pairs).query)
        for pairs in order
    ]


def by_label(found: Mapping[str, Any], choice: Choice, numbers: Mapping[str, int]) -> Table:
    rows = []
    for kind, name, figures in found["labels"]:
        narrowed = choice.but(view=(kind, name))
        number = numbers.get(name, 0) if kind == "label" else 0
        rows.append(Row(wording.what_title(narrowed), figures[choice.measure], narrowed.query, number))
    return Table(rows)


def by_arm(found: Mapping[str, Any], choice: Choice, extractors: Mapping[str, str]) -> Table:
    titles = {NOTHING: _("Nothing"), **extractors}
    rows = _rows(found, "arm", choice, titles)
    return Table(sorted(rows, key=lambda row: row.title != titles[NOTHING]))


def by_language(found: Mapping[str, Any], choice: Choice) -> Table:
    codes = [value for value, _figures in found["language"]]
    titles = {code: language_title(code) if code else _("not known") for code in codes}
    return Table(_rows(found, "language", choice, titles))


def by_site(found: Mapping[str, Any], choice: Choice) -> Table:
    return Table(_rows(found, "site", choice, {"": _("not known")}))


def by_guideline(found: Mapping[str, Any], choice: Choice) -> Table:
    rows = _rows(found, "guideline", choice, {MIXED: _("not the same")})
    return Table(sorted(rows, key=lambda row: (not row.title.isdigit(), len(row.title), row.title)))


def by_week(found: Mapping[str, Any], choice: Choice) -> Table:
    days = [value for value, _figures in found["week"]]
    # Not to be broken into lines, as the column is narrow.
    titles = {day: date(datetime.fromisoformat(day), "j M Y").replace(" ", "\xa0") for day in days}
    return Table(_rows(found, "week", choice, titles))


def by_pair(found: Mapping[str, Any], choice: Choice, names: Mapping[str, str]) -> Matrix:
    """The lower half of a matrix of annotators, by name."""
    cells = {tuple(value.split("-")): figures[choice.measure] for value, figures in found["pair"]}
    people = sorted({pk for pair in cells for pk in pair}, key=lambda pk: (names.get(pk, ""), int(pk)))
    shown = [figure["value"] for figure in cells.values() if figure["low"] is not None]
    low, high = min(shown, default=None), max(shown, default=None)
    rows = []
    for at, one in enumerate(people[1:], start=1):
        line = []
        for other in people[:at]:
            pair = sorted((one, other), key=int)
            figure = cells.get((pair[0], pair[1]))
            line.append(_matrix_cell(figure, choice, pair, (names[one], names[other]), low, high))
        rows.append((names[one], line))
    return Matrix([names[pk] for pk in people[:-1]], rows, low, high)


def of_units(found: Mapping[str, Any]) -> list[tuple[str, list[Row | None]]]:
    """Every measure of every unit that has it."""
    names = [*MEASURES["character"], *MEASURES["span"]]
    return [
        (str(wording.MEASURES[name]), [_measured(name, unit, found["units"][unit]) for unit in UNITS])
        for name in names
    ]


def of_verdict(found: Mapping[str, Any]) -> list[Row]:
    """Agreement on the verdict, of which a page is the unit."""
    titles = {"cohen_kappa": _("Verdict, Cohen’s κ"), "gwet_ac1": _("Verdict, Gwet’s AC1")}
    return [Row(title, found["verdict"][name], "") for name, title in titles.items()]


def _measured(name: str, unit: str, figures: Mapping[str, Figure]) -> Row | None:
    if name not in figures:
        return None
    return Row(f"{wording.MEASURES[name]}, {wording.UNITS[unit]}", figures[name], "")


def _rows(found: Mapping[str, Any], by: str, choice: Choice, titles: Mapping[str, str]) -> list[Row]:
    return [
        Row(titles.get(value, value), figures[choice.measure], choice.behind(by, value))
        for value, figures in found[by]
    ]


def _matrix_cell(
    figure: Figure | None,
    choice: Choice,
    pair: Sequence[str],
    names: tuple[str, str],
    low: float | None,
    high: float | None,
) -> MatrixCell:
    if figure is None:
        return MatrixCell()
    return MatrixCell(
        figure,
        choice.behind("pair", "-".join(pair)),
        _("%(one)s and %(other)s") % {"one": names[0], "other": names[1]},
        _step(figure, low, high),
    )


def _step(figure: Figure, low: float | None, high: float | None) -> int:
    if figure["low"] is None or low is None or high is None:
        return 0
    share = (figure["value"] - low) / (high - low) if high > low else 1.0
    return min(STEPS, 1 + int(share * STEPS))
