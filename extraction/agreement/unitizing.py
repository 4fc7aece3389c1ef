"""Krippendorff's alpha_U: do annotators find the same units in a continuum, with the same edges?

After Krippendorff, "On the reliability of unitizing continuous data", Sociological Methodology 25 (1995), as
given in Content Analysis (2nd edition, 2004). Pages are laid end to end with a break between: no unit and no
gap runs over the edge of a page. For each label a page is units and the gaps between them; other labels are
gaps.

The observed disagreement is a sum over pages. The expected one is of all units with all units and gaps of the
pages; as it is made of products of sums, it too is had without each page in turn at little cost.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from extraction.agreement.coefficients import Numbers, ratio
from extraction.agreement.counts import Lengths, PageTables, View, packed
from extraction.agreement.intervals import jackknifed

Pages = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Disagreement:
    """Observed and expected disagreement under one view: of all pages, then without each page in turn.

    `cubes` is what each page's units add to the expected one by meeting other units: it goes with the cubes
    of their lengths, so that a page longer than any of these may outweigh them all.
    """

    observed: Numbers
    expected: Numbers
    cubes: Numbers

    @property
    def alpha(self) -> Numbers:
        """1 - observed / expected; NaN where nobody has a unit, or where nothing else would be possible."""
        return 1 - ratio(self.observed, self.expected)


def together(labels: Sequence[Disagreement]) -> Disagreement:
    """The disagreement over several labels: their sums."""
    return Disagreement(
        np.sum([one.observed for one in labels], axis=0),
        np.sum([one.expected for one in labels], axis=0),
        np.sum([one.cubes for one in labels], axis=0),
    )


def disagreement(pages: Sequence[PageTables], view: View, weights: Numbers | None = None) -> Disagreement:
    """How two or more annotators of each page differ in their units under one view.

    Pages may have different numbers of annotators; each pair of m weighs 1 / (m (m - 1)). `weights` says how
    often each page counts.
    """
    each = np.ones(len(pages)) if weights is None else weights
    length = each * np.array([page.length for page in pages], dtype=np.float64)
    annotators = np.array([len(page.annotators) for page in pages], dtype=np.float64)
    squared = each * np.array([_squared(page, view) for page in pages])
    units = _of_pages([_units(page, view) for page in pages])
    gaps = _of_pages([_gaps(page, view) for page in pages])
    continuum = jackknifed(length)
    chance = _Chance(units, gaps, each)
    return Disagreement(
        ratio(jackknifed(squared), continuum**2),
        chance.expected(continuum, jackknifed(annotators * length)),
        (chance.count.sum() - 1) / 3 * chance.moved,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Segments:
    """Units or gaps of all pages: which page each is of, and how long it is."""

    page: Pages
    length: Numbers


@dataclass(frozen=True, eq=False)
class _Chance:
    """The units and gaps of pages, and how often each page counts."""

    units: _Segments
    gaps: _Segments
    weights: Numbers

    def expected(self, continuum: Numbers, given: Numbers) -> Numbers:
        """The expected disagreement; `given` is the continuum once for each annotator of a page."""
        length = self.units.length
        count, moved = jackknifed(self.count), jackknifed(self.moved)
        own = jackknifed(self._of_units(length * (length - 1)))
        return ratio(2 * ((count - 1) / 3 * moved + self._in_gaps()), continuum * (given * (given - 1) - own))

    @cached_property
    def count(self) -> Numbers:
        """How many units each page has."""
        return self._of_units(np.ones_like(self.units.length))

    @cached_property
    def moved(self) -> Numbers:
        """For each page, by how much its units differ from one of their own length in every position where
        they overlap: two units that meet by chance are taken to be of one length, one in a gap is counted
        exactly."""
        length = self.units.length
        return self._of_units(2 * length**3 - 3 * length**2 + length)

    def _of_units(self, values: Numbers) -> Numbers:
        """The sum over the units of each page."""
        weighted = self.weights[self.units.page] * values
        return np.bincount(self.units.page, weighted, len(self.weights)).astype(np.float64)

    def _in_gaps(self) -> Numbers:
        """Squared lengths of all units, each as often as it has room in a gap."""
        rows = self._of_units(self.units.length**2 * self._room(self.units.length))
        held = self.weights[self.gaps.page] * self._held(self.gaps.length)
        columns = np.bincount(self.gaps.page, held, len(self.weights))
        without = rows.sum() - rows - columns + self._inside()
        return np.concatenate([[rows.sum()], without])

    def _room(self, length: Numbers) -> Numbers:
        """In how many positions of all gaps a unit of each length can lie."""
        order = np.argsort(self.gaps.length)
        gaps, weight = self.gaps.length[order], self.weights[self.gaps.page][order]
        first = np.searchsorted(gaps, length)
        return np.asarray(_tail(weight * gaps)[first] - (length - 1) * _tail(weight)[first])

    def _held(self, gap: Numbers) -> Numbers:
        """For each gap, the squared lengths of all units times the positions that it has for them."""
        order = np.argsort(self.units.length)
        units, weight = self.units.length[order], self.weights[self.units.page][order]
        last = np.searchsorted(units, gap, side="right")
        return np.asarray((gap + 1) * _head(weight * units**2)[last] - _head(weight * units**3)[last])

    def _inside(self) -> Numbers:
        """For each page, the same of its own units in its own gaps."""
        pages = np.arange(len(self.weights) + 1)
        of_units, of_gaps = np.searchsorted(self.units.page, pages), np.searchsorted(self.gaps.page, pages)
        found = np.zeros(len(self.weights))
        for page in np.unique(self.units.page):
            units = self.units.length[of_units[page] : of_units[page + 1], None]
            gaps = self.gaps.length[None, of_gaps[page] : of_gaps[page + 1]]
            found[page] = (units**2 * np.maximum(0, gaps - units + 1)).sum()
        return np.asarray(found * self.weights**2)


def _tail(values: Numbers) -> Numbers:
    """Sums from each position to the end."""
    return np.append(np.cumsum(values[::-1])[::-1], 0.0)


def _head(values: Numbers) -> Numbers:
    """Sums up to each position."""
    return np.concatenate([[0.0], np.cumsum(values)])


def _of_pages(lengths: Sequence[array[int]]) -> _Segments:
    page = np.repeat(np.arange(len(lengths)), [len(each) for each in lengths])
    return _Segments(page, np.array(_joined(lengths), dtype=np.float64))


def _units(page: PageTables, view: View) -> array[int]:
    return _joined(found.units for found in page.lengths.get(view, {}).values())


def _gaps(page: PageTables, view: View) -> array[int]:
    """The gaps of all annotators; one who did not use the view has a single one."""
    found = page.lengths.get(view, {})
    whole = Lengths(packed(()), packed([page.length] if page.length else []))
    return _joined(found.get(name, whole).gaps for name in page.annotators)


def _joined(parts: Iterable[array[int]]) -> array[int]:
    result = packed(())
    for part in parts:
        result.extend(part)
    return result


def _squared(page: PageTables, view: View) -> float:
    meetings = [pair.meetings[view] for pair in page.pairs if view in pair.meetings]
    readers = len(page.annotators)
    return 2 * sum(meeting.squared for meeting in meetings) / (readers * (readers - 1)) if meetings else 0.0
