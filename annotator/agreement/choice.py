"""What is asked of the agreement page: pairs, unit, labels and measure, and a slice of the pages."""

from dataclasses import dataclass, replace
from typing import Self

from django.http import QueryDict
from django.utils.http import urlencode

from extraction.agreement.counts import View
from extraction.spans import LABEL_SETS

# Which annotators of a page are compared: those who were shown nothing; all, where somebody was shown
# something; all.
BLIND, SHOWN, ALL = "blind", "shown", "all"
PAIRS = (BLIND, SHOWN, ALL)

ALPHA, F1 = "krippendorff_alpha", "f1"
OF_UNITS = (ALPHA, "cohen_kappa", "gwet_ac1", F1, "observed")
OF_SPANS = ("exact_f1", "partial_f1", "alpha_u_2016", "alpha_u")
MEASURES = {"character": OF_UNITS, "word": OF_UNITS, "block": OF_UNITS, "span": OF_SPANS}
UNITS = tuple(MEASURES)
EVERY = "every"

# By what the pages are told apart.
SLICES = ("language", "site", "guideline", "pair", "arm", "week")


@dataclass(frozen=True)
class Choice:
    """`view` is a label or a label set against all else; None: every label by itself."""

    pairs: str = BLIND
    unit: str = "character"
    view: View | None = ("set", "article")
    measure: str = ALPHA

    @property
    def what(self) -> str:
        return "-".join(self.view) if self.view else EVERY

    @property
    def key(self) -> str:
        """The report that has it; every measure is in one report."""
        return f"{self.pairs}:{self.unit}:{self.what}"

    @classmethod
    def of_key(cls, key: str) -> Self:
        """The choice of a report, its measure being the first."""
        pairs, unit, what = key.split(":")
        return cls(pairs, unit, _view(what), MEASURES[unit][0])

    def but(self, **changes: str | View | None) -> "Choice":
        """The choice with something else instead; the measure is one that its unit has."""
        changed = replace(self, **changes)  # type: ignore[arg-type]
        known = MEASURES[changed.unit]
        return changed if changed.measure in known else replace(changed, measure=known[0])

    @property
    def given(self) -> dict[str, str]:
        """What differs from the usual choice, as parameters of an address."""
        usual = Choice()
        mine = {"pairs": self.pairs, "unit": self.unit, "what": self.what, "measure": self.measure}
        other = {"pairs": usual.pairs, "unit": usual.unit, "what": usual.what, "measure": usual.measure}
        return {name: value for name, value in mine.items() if value != other[name]}

    @property
    def query(self) -> str:
        """The choice as the end of an address; empty for the usual one."""
        return f"?{urlencode(self.given)}" if self.given else ""

    def behind(self, by: str, value: str) -> str:
        """The end of the address of the pages behind a cell."""
        return f"?{urlencode({**self.given, 'by': by, 'value': value})}"


@dataclass(frozen=True)
class Cell:
    """One value of a slice, such as the site news.example; no slice: all pages."""

    by: str = ""
    value: str = ""

    @property
    def given(self) -> dict[str, str]:
        return {"by": self.by, "value": self.value} if self.by else {}


def choice_of(query: QueryDict, labels: list[str]) -> Choice:
    """What an address asks for; what is not understood is left at its default."""
    pairs, unit = query.get("pairs", ""), query.get("unit", "")
    usual = Choice()
    made = Choice(
        pairs if pairs in PAIRS else usual.pairs,
        unit if unit in MEASURES else usual.unit,
        _asked_view(query.get("what", ""), labels, usual.view),
        query.get("measure", "") or usual.measure,
    )
    return made.but()


def cell_of(query: QueryDict) -> Cell:
    """The slice that an address asks for."""
    by = query.get("by", "")
    return Cell(by, query.get("value", "")) if by in SLICES else Cell()


def _asked_view(what: str, labels: list[str], usual: View | None) -> View | None:
    known = {EVERY, *(f"label-{name}" for name in labels), *(f"set-{name}" for name in LABEL_SETS)}
    return _view(what) if what in known else usual


def _view(what: str) -> View | None:
    if what == EVERY:
        return None
    kind, _, name = what.partition("-")
    return kind, name
