"""What showing a suggestion does, by arm: ratios of sums over pages, intervals by leaving out pages."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.agreement.counting import Overlap
from extraction.agreement.figures import Figure
from extraction.agreement.intervals import AMOUNT, DIFFERENCE, SHARE, Scale, bounds, jackknifed

Numbers = NDArray[np.float64]
# Two sums of one page, of which the figure is the ratio.
Sums = dict[int, tuple[float, float]]


@dataclass(frozen=True)
class Observation:
    """One annotation. `changed`: characters that gold labels differently, and that either labels; None: the
    page is not settled."""

    page: int
    shown: int | None
    seconds: int
    overlaps: Mapping[int, Overlap]
    changed: tuple[int, int] | None


@dataclass(frozen=True)
class Arm:
    """Those who were shown one extractor, or nothing (`extractor` None, without the figures about one).

    `own` is their F1 with it; `blind` that of those who were shown nothing, on whatever page; `beside` that
    of the others on the same pages; the pulls are the differences. `other` is their own F1 with what the
    others of the page were shown.
    """

    extractor: int | None
    title: str
    annotations: int
    seconds: Figure
    changed: Figure
    own: Figure | None = None
    blind: Figure | None = None
    pull: Figure | None = None
    beside: Figure | None = None
    pull_beside: Figure | None = None
    other: Figure | None = None


@dataclass(frozen=True)
class Report:
    """`arms` begins with those who were shown nothing, if there are any."""

    pages: int
    annotations: int
    arms: list[Arm]


def report(observations: Sequence[Observation], titles: Mapping[str, str]) -> Report:
    """All arms; `titles` says what an extractor's id is called."""
    shown = {each.shown for each in observations if each.shown is not None}
    order = sorted(shown, key=lambda extractor: titles.get(str(extractor), ""))
    arms = [_arm(observations, extractor, titles.get(str(extractor), "?")) for extractor in order]
    if any(each.shown is None for each in observations):
        arms.insert(0, _without(observations))
    return Report(len({each.page for each in observations}), len(observations), arms)


def _without(observations: Sequence[Observation]) -> Arm:
    mine = [each for each in observations if each.shown is None]
    return Arm(None, "", len(mine), seconds=_seconds(mine), changed=_changed(mine))


def _arm(observations: Sequence[Observation], extractor: int, title: str) -> Arm:
    mine = [each for each in observations if each.shown == extractor]
    pages = {each.page for each in mine}
    blind = [each for each in observations if each.shown is None]
    beside = [each for each in observations if each.page in pages and each.shown != extractor]
    own_f1, blind_f1, beside_f1 = (_with(each, extractor) for each in (mine, blind, beside))
    together = own_f1.keys() & beside_f1.keys()
    return Arm(
        extractor,
        title,
        len(mine),
        seconds=_seconds(mine),
        changed=_changed(mine),
        own=_ratio(own_f1),
        blind=_ratio(blind_f1),
        pull=_difference(own_f1, blind_f1),
        beside=_ratio(beside_f1),
        pull_beside=_difference(_only(own_f1, together), _only(beside_f1, together)),
        other=_ratio(_with_what_others_saw(mine, beside)),
    )


def _seconds(mine: Iterable[Observation]) -> Figure:
    """The mean of active seconds an annotation."""
    return _ratio(_summed((each.page, (each.seconds, 1)) for each in mine), AMOUNT)


def _changed(mine: Iterable[Observation]) -> Figure:
    """Of the characters that the annotation or gold labels, the share that gold labels differently."""
    return _ratio(_summed((each.page, each.changed) for each in mine if each.changed))


def _with(observations: Iterable[Observation], extractor: int) -> Sums:
    """F1 with one extractor, on the pages that have its extraction."""
    return _summed(
        (each.page, _f1(each.overlaps[extractor])) for each in observations if extractor in each.overlaps
    )


def _with_what_others_saw(mine: Iterable[Observation], beside: Iterable[Observation]) -> Sums:
    shown: dict[int, set[int]] = defaultdict(set)
    for each in beside:
        if each.shown is not None:
            shown[each.page].add(each.shown)
    return _summed(
        (each.page, _f1(each.overlaps[extractor]))
        for each in mine
        for extractor in shown[each.page]
        if extractor in each.overlaps
    )


def _f1(overlap: Overlap) -> tuple[float, float]:
    return 2 * overlap.both, overlap.annotator + overlap.extractor


def _summed(rows: Iterable[tuple[int, tuple[float, float]]]) -> Sums:
    """Page by page, without those that have nothing to divide by."""
    found: dict[int, tuple[float, float]] = {}
    for page, (part, whole) in rows:
        before = found.get(page, (0.0, 0.0))
        found[page] = (before[0] + part, before[1] + whole)
    return {page: sums for page, sums in found.items() if sums[1]}


def _only(sums: Sums, pages: Iterable[int]) -> Sums:
    return {page: sums[page] for page in pages}


def _ratio(sums: Sums, scale: Scale = SHARE) -> Figure:
    table = np.array([sums[page] for page in sorted(sums)], dtype=np.float64).reshape(-1, 2)
    return _figure(table, lambda all_: all_[:, 0] / all_[:, 1], scale, len(sums))


def _difference(one: Sums, other: Sums) -> Figure:
    """The first ratio less the second, on the pages of both; `n` is that of the smaller."""
    if not one or not other:
        return Figure(None, None, None, min(len(one), len(other)), "no page to compare")
    nothing = (0.0, 0.0)
    table = np.array(
        [(*one.get(page, nothing), *other.get(page, nothing)) for page in sorted({*one, *other})],
        dtype=np.float64,
    )
    return _figure(
        table,
        lambda all_: all_[:, 0] / all_[:, 1] - all_[:, 2] / all_[:, 3],
        DIFFERENCE,
        min(len(one), len(other)),
    )


def _figure(table: Numbers, measure: Callable[[Numbers], Numbers], scale: Scale, pages: int) -> Figure:
    if not len(table):
        return Figure(None, None, None, 0, "no page to compare")
    with np.errstate(divide="ignore", invalid="ignore"):
        estimates = measure(jackknifed(table))
    low, high, withheld = bounds(estimates, scale, used=pages)
    return Figure(float(estimates[0]), low, high, pages, withheld)
