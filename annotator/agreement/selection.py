"""Which figures of agreement are shown: pairs, unit, labels and measure, and a slice of the pages."""

from dataclasses import dataclass, replace
from typing import Self

from django.http import QueryDict
from django.utils.http import urlencode

from extraction.agreement.counts import View
from extraction.spans import LABEL_SETS

# Which annotators of a page are compared: those who were shown nothing; all, on pages where at least one was
# shown a suggestion; all.
BLIND, SHOWN, ALL = "blind", "shown", "all"
PAIRS = (BLIND, SHOWN, ALL)

ALPHA, F1 = "krippendorff_alpha", "f1"
UNIT_MEASURES = (ALPHA, "cohen_kappa", "gwet_ac1", F1, "observed")
SPAN_MEASURES = ("exact_f1", "partial_f1", "alpha_u_2016", "alpha_u")
MEASURES = {"character": UNIT_MEASURES, "word": UNIT_MEASURES, "block": UNIT_MEASURES, "span": SPAN_MEASURES}
UNITS = tuple(MEASURES)
EVERY = "every"

# What the pages can be grouped by.
SLICES = ("language", "site", "guideline", "pair", "arm", "week")


@dataclass(frozen=True)
class ReportSelection:
    """What the figures are of. `view` is a label or label set against everything else; None: each label."""

    pairs: str = BLIND
    unit: str = "character"
    view: View | None = ("set", "article")
    measure: str = ALPHA

    @property
    def labels_key(self) -> str:
        return "-".join(self.view) if self.view else EVERY

    @property
    def key(self) -> str:
        """The key of the report that has it, with all measures."""
        return f"{self.pairs}:{self.unit}:{self.labels_key}"

    @classmethod
    def from_key(cls, key: str) -> Self:
        """The selection with this key and the first measure of its unit."""
        pairs, unit, labels = key.split(":")
        return cls(pairs, unit, _view(labels), MEASURES[unit][0])

    def replaced(self, **changes: str | View | None) -> "ReportSelection":
        """The selection with these changes, and the first measure where its unit lacks the present one."""
        changed = replace(self, **changes)  # type: ignore[arg-type]
        known = MEASURES[changed.unit]
        return changed if changed.measure in known else replace(changed, measure=known[0])

    @property
    def parameters(self) -> dict[str, str]:
        """The URL parameters, all of them: what is shown without one differs between corpora."""
        return {"pairs": self.pairs, "unit": self.unit, "labels": self.labels_key, "measure": self.measure}

    @property
    def query(self) -> str:
        """The URL query of the selection."""
        return f"?{urlencode(self.parameters)}"

    def pages_query(self, by: str, value: str) -> str:
        """The URL query of the pages in one cell of a slice."""
        return f"?{urlencode({**self.parameters, 'by': by, 'value': value})}"


@dataclass(frozen=True)
class SliceCell:
    """One value of a slice, such as the site news.example; without a slice: all pages."""

    by: str = ""
    value: str = ""


def usual_selection(labels: list[str]) -> ReportSelection:
    """What is shown first: the article, or all labels where the corpus has none of an article."""
    return ReportSelection() if LABEL_SETS["article"] & set(labels) else ReportSelection(view=("set", "any"))


def selection_from(query: QueryDict, labels: list[str]) -> ReportSelection:
    """The selection of a URL; unknown values are replaced by the usual ones."""
    pairs, unit = query.get("pairs", ""), query.get("unit", "")
    usual = usual_selection(labels)
    key = query.get("labels", "")
    known = {EVERY, *(f"label-{name}" for name in labels), *(f"set-{name}" for name in LABEL_SETS)}
    made = ReportSelection(
        pairs if pairs in PAIRS else usual.pairs,
        unit if unit in MEASURES else usual.unit,
        _view(key) if key in known else usual.view,
        query.get("measure", "") or usual.measure,
    )
    return made.replaced()


def slice_cell_from(query: QueryDict) -> SliceCell:
    """The cell of a URL; all pages where it names none."""
    by = query.get("by", "")
    return SliceCell(by, query.get("value", "")) if by in SLICES else SliceCell()


def _view(key: str) -> View | None:
    if key == EVERY:
        return None
    kind, _, name = key.partition("-")
    return kind, name
