"""What one page adds to every figure of agreement, in small numbers that can be stored and pooled.

Coefficients need no text and no spans, only these counts: for every pair of annotators a table of units by
the two labels at each level, how their spans meet, and their verdicts; for every annotator the lengths of
units and gaps.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from extraction.agreement.meeting import Meeting, meet
from extraction.agreement.units import ContentUnits
from extraction.metrics.character_labels import joint
from extraction.spans import CONTENT, LABEL_SETS, Interval, Span, relevant

Counts = NDArray[np.int64]
#: ("label", name) or ("set", name).
View = tuple[str, str]


class Lengths(NamedTuple):
    """The lengths of one annotator's units on a page, and of the gaps around them, in characters."""

    units: array[int]
    gaps: array[int]


def packed(lengths: Iterable[int]) -> array[int]:
    """Lengths in four bytes each: a corpus has millions of them, and as objects they fill its memory."""
    return array("I", [*lengths])  # of a list it takes just the room that it needs


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """Two annotators of one page. `tables[level][i, j]` counts the units to which the first gave label i and
    the second label j; `meetings` has the views that one of them used."""

    first: str
    second: str
    tables: dict[str, Counts]
    meetings: dict[View, Meeting]
    verdicts: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PageTables:
    """One page. `labels` names rows and columns of the tables and starts with "", the unlabelled; `lengths`
    has the views that were used, and for each the annotators who used it."""

    length: int
    labels: tuple[str, ...]
    annotators: tuple[str, ...]
    pairs: tuple[PairCounts, ...]
    lengths: dict[View, dict[str, Lengths]]

    def to_json(self) -> dict[str, Any]:
        """An object that `from_json` reads."""
        return {
            "length": self.length,
            "labels": list(self.labels),
            "annotators": list(self.annotators),
            "pairs": [_pair_to_json(pair) for pair in self.pairs],
            "lengths": [[*view, _lengths_to_json(found)] for view, found in self.lengths.items()],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> PageTables:
        """The counts that `to_json` wrote."""
        return cls(
            value["length"],
            tuple(value["labels"]),
            tuple(value["annotators"]),
            tuple(_pair_from_json(pair) for pair in value["pairs"]),
            {
                (kind, name): {
                    who: Lengths(packed(units), packed(gaps)) for who, (units, gaps) in found.items()
                }
                for kind, name, found in value["lengths"]
            },
        )


def count_page(
    annotations: Mapping[str, Sequence[Span]],
    units: ContentUnits,
    *,
    verdicts: Mapping[str, str] | None = None,
    sets: Mapping[str, Collection[str]] = LABEL_SETS,
) -> PageTables:
    """Count one page that any number of annotators marked; spans are in normal form.

    Annotators are taken in the order of their names, so that who is the first of a pair is the same on every
    page. A label set has `content` beside its own labels.
    """
    names = sorted(annotations)
    spans = {name: units.counted(annotations[name]) for name in names}
    labels = ("", *sorted({span.label for found in spans.values() for span in found}))
    codes = {name: units.codes(spans[name], labels) for name in names}
    views = {name: _views(annotations[name], units, sets) for name in names}
    given = verdicts or {}
    pairs = tuple(
        PairCounts(
            one,
            other,
            {level: _table(codes[one][level], codes[other][level], len(labels)) for level in codes[one]},
            _meetings(views[one], views[other], units.length),
            (given[one], given[other]) if one in given and other in given else None,
        )
        for one, other in combinations(names, 2)
    )
    return PageTables(units.length, labels, tuple(names), pairs, _lengths(views, units.length))


def _table(one: NDArray[np.intp], other: NDArray[np.intp], size: int) -> Counts:
    return joint(one, other, size).astype(np.int64)


def _views(
    spans: Sequence[Span], units: ContentUnits, sets: Mapping[str, Collection[str]]
) -> dict[View, list[Interval]]:
    """The intervals of each label, and of each label set, in which labels are one: what touches is joined."""
    found: dict[View, list[Interval]] = {}
    for span in units.counted(spans):
        found.setdefault(("label", span.label), []).append(span[:2])
    used = {label for _, label in found}
    for name, labels in sets.items():
        if used & {*labels, CONTENT}:
            joined = [Span(start, end, name) for start, end in relevant(spans, labels)]
            found["set", name] = [span[:2] for span in units.counted(joined)]
    return found


def _meetings(
    one: Mapping[View, list[Interval]], other: Mapping[View, list[Interval]], length: int
) -> dict[View, Meeting]:
    return {
        view: meet(one.get(view, ()), other.get(view, ()), length) for view in dict.fromkeys([*one, *other])
    }


def _lengths(
    views: Mapping[str, Mapping[View, list[Interval]]], length: int
) -> dict[View, dict[str, Lengths]]:
    found: dict[View, dict[str, Lengths]] = {}
    for name, by_view in views.items():
        for view, intervals in by_view.items():
            found.setdefault(view, {})[name] = lengths_of(intervals, length)
    return found


def lengths_of(intervals: Sequence[Interval], length: int) -> Lengths:
    """The lengths of sorted, disjoint intervals, and of the gaps around them that are not empty."""
    edges = [(0, 0), *intervals, (length, length)]
    gaps = (start - end for (_, end), (start, _) in pairwise(edges))
    return Lengths(packed(end - start for start, end in intervals), packed(gap for gap in gaps if gap))


def _lengths_to_json(found: Mapping[str, Lengths]) -> dict[str, list[list[int]]]:
    return {name: [each.units.tolist(), each.gaps.tolist()] for name, each in found.items()}


def _pair_to_json(pair: PairCounts) -> list[Any]:
    tables = {level: table.tolist() for level, table in pair.tables.items()}
    meetings = [[*view, *meeting] for view, meeting in pair.meetings.items()]
    return [pair.first, pair.second, tables, meetings, pair.verdicts and list(pair.verdicts)]


def _pair_from_json(value: Sequence[Any]) -> PairCounts:
    first, second, tables, meetings, verdicts = value
    return PairCounts(
        first,
        second,
        {level: np.array(table, dtype=np.int64) for level, table in tables.items()},
        {(kind, name): Meeting(*numbers) for kind, name, *numbers in meetings},
        (verdicts[0], verdicts[1]) if verdicts else None,
    )
