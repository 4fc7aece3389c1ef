"""All figures of agreement over many pages, from the counts of each.

Any selection of pages makes a pool: those of a corpus, a site, a week, a pair of annotators. Pages are one
axis of arrays, so that a figure and its interval are a few operations on all pages at once.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from extraction.agreement import coefficients as of
from extraction.agreement.coefficients import Coefficient, Coincidences, Numbers, ratio
from extraction.agreement.counts import PageTables, View, packed
from extraction.agreement.figures import Basis, Figure, counted
from extraction.agreement.intervals import BEYOND_CHANCE, SHARE, Scale, jackknifed
from extraction.agreement.stacked import Mask, Stacked, grouped
from extraction.agreement.unitizing import disagreement, together
from extraction.metrics.page_weights import effective, weights_of
from extraction.spans import CONTENT, LABEL_SETS

ALONE = "fewer than two annotators"
UNUSED = "nobody marked it"
NO_VERDICT = "without two verdicts"

_ONE_VALUE = "undefined: everything has one value"
_UNMARKED = "undefined: nobody marked anything"
_COEFFICIENTS: dict[str, tuple[Coefficient, Coefficient, Scale]] = {
    "observed": (of.observed, of.by_chance, SHARE),
    "cohen_kappa": (of.cohen_kappa, of.by_chance, BEYOND_CHANCE),
    "gwet_ac1": (of.gwet_ac1, of.ac1_by_chance, BEYOND_CHANCE),
}
Figures = dict[str, Figure]


class Pool:
    """Pages with the counts of two or more annotators each; others are left out, and counted.

    `labels` are those that could be given, where that is more than were: AC1 depends on how many there are.
    `weights` says how often each page counts, where pages were not drawn with equal probability. `left_out`
    counts pages that the caller has left out already, by reason: every figure says so.
    """

    def __init__(
        self,
        pages: Sequence[PageTables],
        *,
        labels: Collection[str] = (),
        sets: Mapping[str, Collection[str]] = LABEL_SETS,
        weights: Sequence[float] | None = None,
        left_out: Mapping[str, int] | None = None,
    ) -> None:
        given = [1.0] * len(pages) if weights is None else weights
        kept = [(page, weight) for page, weight in zip(pages, given, strict=True) if page.pairs]
        self.pages = [page for page, _ in kept]
        self.weights: Numbers = weights_of([weight for _, weight in kept], len(kept))
        self.excluded = counted({**(left_out or {}), ALONE: len(pages) - len(kept)})
        used = {label for page in self.pages for label in page.labels}
        self.labels = ["", *sorted((used | {*labels}) - {""})]
        self.sets = sets
        self._stacked: dict[str, Stacked] = {}

    @cached_property
    def views(self) -> list[View]:
        """Each label that was used, then each label set of which a label was used."""
        used = {view for page in self.pages for view in page.lengths}
        all_views = [("label", label) for label in self.labels[1:]] + [("set", name) for name in self.sets]
        return [view for view in all_views if view in used]

    def units(self, level: str, view: View | None = None) -> Figures:
        """The figures of characters, words or blocks: of all labels, or of those of a view against all else.

        `f1` is `positive_agreement`, by its other name: of what is labelled at all, whichever the label.
        """
        stacked, groups = self._level(level), self._groups(view)
        pairs, coincidences = grouped(stacked.pairs, groups), grouped(stacked.coincidences, groups)
        marked: Mask = pairs.sum(axis=(1, 2)) > pairs[:, 0, 0]
        basis = replace(
            stacked.basis(self.excluded), used=int(marked.sum()) if view else None, agreed=_alike(pairs)
        )
        found = Coincidences(jackknifed(coincidences), np.ones(len(pairs) + 1))
        alpha = basis.figure(
            of.alpha(found), BEYOND_CHANCE, chance=of.alpha_by_chance(found), undefined=_ONE_VALUE
        )
        # A page on which nobody marked anything says nothing of these, and does not make n larger.
        without = stacked.basis(self.excluded, marked)
        unused = counted({UNUSED: len(pairs) - without.pages})
        both = int(pairs[:, 1:, 1:].any(axis=(1, 2)).sum())
        positive = _positive(pairs[marked], replace(without, excluded=without.excluded | unused, agreed=both))
        return _corrected(pairs, basis) | {
            "krippendorff_alpha": alpha,
            "positive_agreement": positive,
            "f1": positive,
        }

    def spans(self, view: View | None = None) -> Figures:
        """Pairwise F1 of whole spans: the same edges and label; or one label, and a character in common."""
        sums = np.array([_met(page, self._chosen(view)) for page in self.pages]).reshape(-1, 5)
        there = sums[:, 0] > 0
        unused = counted({UNUSED: int((~there).sum())})
        basis = Basis(
            int(there.sum()),
            int(sums[:, 0].sum()),
            self.excluded | unused,
            effective=effective(self.weights[there]),
        )
        spans, exact, partial, exact_chance, partial_chance = jackknifed(
            sums[there] * self.weights[there, None]
        ).T
        agreed = (sums[:, 1:3] > 0).sum(axis=0).tolist()
        return {
            name: replace(basis, agreed=pages).figure(
                ratio(hits, spans), SHARE, chance=ratio(chance, spans), undefined="no page to compare"
            )
            for name, hits, chance, pages in (
                ("exact_f1", exact, exact_chance, agreed[0]),
                ("partial_f1", partial, partial_chance, agreed[1]),
            )
        }

    def unitizing(self, view: View | None = None) -> Figures:
        """Krippendorff's alpha of unitizing: of 1995, over all labels or of one view, and as revised in 2016.

        `chance` is the expected disagreement for the first, which compares squares of lengths, and the
        expected agreement for the second. `units` counts the spans of all annotators.
        """
        stacked, chosen = self._level("character"), self._chosen(view)
        lengths = [_lengths(page, chosen) for page in self.pages]
        used = sum(map(bool, lengths)) if view else None
        met = grouped(stacked.coincidences, self._groups(view))
        basis = replace(
            stacked.basis(self.excluded), units=sum(map(len, lengths)), used=used, agreed=_alike(met)
        )
        if not any(lengths):
            nothing = basis.nothing(_UNMARKED if basis.pages else "no page to compare")
            return {"alpha_u": nothing, "alpha_u_2016": nothing}
        pages = [page for page, there in zip(self.pages, stacked.there.tolist(), strict=True) if there]
        weights = self.weights[stacked.there]
        differ = together([disagreement(pages, each, weights) for each in chosen])
        # A unit cannot meet itself, so it counts with its squared length; of a gap, which is no unit, only no
        # character can.
        squares = np.array(
            [sum(length * (length - 1) for length in each) for each in lengths], dtype=np.float64
        )
        own = jackknifed(squares[stacked.there] * weights)
        tables = jackknifed(met)
        revised = Coincidences(tables, 1 + np.nan_to_num(ratio(own, of.total(tables))))
        return {
            "alpha_u": basis.figure(
                differ.alpha,
                BEYOND_CHANCE,
                chance=differ.expected,
                undefined=_ONE_VALUE,
                added=differ.cubes,
            ),
            "alpha_u_2016": basis.figure(
                of.alpha(revised), BEYOND_CHANCE, chance=of.alpha_by_chance(revised), undefined=_ONE_VALUE
            ),
        }

    def verdicts(self) -> Figures:
        """Agreement on the verdict; a page is one unit."""
        given = [[pair.verdicts for pair in page.pairs if pair.verdicts] for page in self.pages]
        names = sorted({verdict for pairs in given for pair in pairs for verdict in pair})
        tables = np.zeros((len(given), len(names), len(names)))
        for page, pairs in enumerate(given):
            for one, other in pairs:
                tables[page, names.index(one), names.index(other)] += self.weights[page]
        there = tables.any(axis=(1, 2))
        pages = int(there.sum())
        missing = counted({NO_VERDICT: len(given) - pages})
        basis = Basis(pages, pages, self.excluded | missing, effective=effective(self.weights[there]))
        return _corrected(tables[there], basis)

    def _level(self, level: str) -> Stacked:
        if level not in self._stacked:
            self._stacked[level] = Stacked(self.pages, level, self.labels, self.weights)
        return self._stacked[level]

    def _groups(self, view: View | None) -> Mask:
        """Which labels stay apart: all of them, or those of the view against all others."""
        if view is None:
            return np.eye(len(self.labels), dtype=np.bool_)
        kind, name = view
        members = {name} if kind == "label" else {*self.sets[name], CONTENT}
        return np.array([[label not in members, label in members] for label in self.labels])

    def _chosen(self, view: View | None) -> list[View]:
        return [each for each in self.views if each[0] == "label"] if view is None else [view]


def _alike(pages: Numbers) -> int:
    """On how many pages two gave a unit the same label."""
    return int((np.trace(pages, axis1=1, axis2=2) > pages[:, 0, 0]).sum())


def _corrected(pages: Numbers, basis: Basis) -> Figures:
    """Only kappa rests on what two both marked: the others count what both left unmarked as agreement."""
    tables = jackknifed(pages)
    everywhere = replace(basis, agreed=None)
    return {
        name: (basis if name == "cohen_kappa" else everywhere).figure(
            coefficient(tables), scale, chance=chance(tables), undefined=_ONE_VALUE
        )
        for name, (coefficient, chance, scale) in _COEFFICIENTS.items()
    }


def _positive(pages: Numbers, basis: Basis) -> Figure:
    tables = jackknifed(pages)
    return basis.figure(of.positive(tables), SHARE, chance=of.positive_by_chance(tables), undefined=_UNMARKED)


def _met(page: PageTables, views: Sequence[View]) -> tuple[float, ...]:
    """Spans of both, those that are exact and those that overlap, and both of these by chance."""
    found = [pair.meetings[view] for pair in page.pairs for view in views if view in pair.meetings]
    return (
        sum(each.first + each.second for each in found),
        sum(2 * each.exact for each in found),
        sum(each.first_hits + each.second_hits for each in found),
        sum(2 * each.chance_exact for each in found),
        sum(each.chance_hits for each in found),
    )


def _lengths(page: PageTables, views: Sequence[View]) -> array[int]:
    """The lengths of all annotators' units."""
    found = (page.lengths.get(view, {}).values() for view in views)
    return packed(length for annotators in found for each in annotators for length in each.units)
