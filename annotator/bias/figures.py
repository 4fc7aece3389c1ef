"""What showing a suggestion does, by arm: ratios of sums over pages, intervals by leaving out pages."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.agreement.counting import Overlap
from extraction.agreement.figures import Figure
from extraction.agreement.intervals import AMOUNT, DIFFERENCE, SHARE, Scale, bounds, jackknifed
from extraction.weights import effective, weights_of

Numbers = NDArray[np.float64]


class PageSums(NamedTuple):
    """Two sums of one page, of which the figure is the ratio, and how often the page counts."""

    part: float
    whole: float
    weight: float


Sums = dict[int, PageSums]


@dataclass(frozen=True)
class Observation:
    """One annotation. `changed`: characters that gold labels differently, and that either labels; None: the
    page is not settled. `weight` says for how many pages of the corpus its page stands."""

    page: int
    shown: int | None
    seconds: int
    overlaps: Mapping[int, Overlap]
    changed: tuple[int, int] | None
    weight: float = 1.0


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

    @property
    def is_weighted(self) -> bool:
        return any(arm.seconds.effective is not None for arm in self.arms)

    def to_json(self) -> dict[str, Any]:
        """An object that `from_json` reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Report":
        """The report that `to_json` wrote."""
        return cls(value["pages"], value["annotations"], [_arm_from_json(arm) for arm in value["arms"]])


def report(observations: Sequence[Observation], titles: Mapping[str, str]) -> Report:
    """All arms; `titles` says what an extractor's id is called."""
    shown = {each.shown for each in observations if each.shown is not None}
    order = sorted(shown, key=lambda extractor: titles.get(str(extractor), ""))
    arms = [_arm(observations, extractor, titles.get(str(extractor), "?")) for extractor in order]
    if any(each.shown is None for each in observations):
        arms.insert(0, _without(observations))
    return Report(len({each.page for each in observations}), len(observations), arms)


def _arm_from_json(value: Mapping[str, Any]) -> Arm:
    figures = {name: Figure(**found) for name, found in value.items() if isinstance(found, dict)}
    return Arm(**{**value, **figures})


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
    return _ratio(_summed((each, (each.seconds, 1)) for each in mine), AMOUNT)


def _changed(mine: Iterable[Observation]) -> Figure:
    """Of the characters that the annotation or gold labels, the share that gold labels differently."""
    return _ratio(_summed((each, each.changed) for each in mine if each.changed))


def _with(observations: Iterable[Observation], extractor: int) -> Sums:
    """F1 with one extractor, on the pages that have its extraction."""
    return _summed(
        (each, _f1(each.overlaps[extractor])) for each in observations if extractor in each.overlaps
    )


def _with_what_others_saw(mine: Iterable[Observation], beside: Iterable[Observation]) -> Sums:
    shown: dict[int, set[int]] = defaultdict(set)
    for each in beside:
        if each.shown is not None:
            shown[each.page].add(each.shown)
    return _summed(
        (each, _f1(each.overlaps[extractor]))
        for each in mine
        for extractor in shown[each.page]
        if extractor in each.overlaps
    )


def _f1(overlap: Overlap) -> tuple[float, float]:
    return 2 * overlap.both, overlap.annotator + overlap.extractor


def _summed(rows: Iterable[tuple[Observation, tuple[float, float]]]) -> Sums:
    """Page by page, without those that have nothing to divide by."""
    found: Sums = {}
    for each, (part, whole) in rows:
        before = found.get(each.page, PageSums(0.0, 0.0, each.weight))
        found[each.page] = PageSums(before.part + part, before.whole + whole, each.weight)
    return {page: sums for page, sums in found.items() if sums.whole}


def _only(sums: Sums, pages: Iterable[int]) -> Sums:
    return {page: sums[page] for page in pages}


def _ratio(sums: Sums, scale: Scale = SHARE) -> Figure:
    rows = [sums[page] for page in sorted(sums)]
    table = np.array([row[:2] for row in rows], dtype=np.float64).reshape(-1, 2)
    weights = weights_of([row.weight for row in rows], len(rows))
    return _figure(table, weights, lambda all_: all_[:, 0] / all_[:, 1], scale, len(sums))


def _difference(one: Sums, other: Sums) -> Figure:
    """The first ratio less the second, on the pages of both; `n` is that of the smaller."""
    if not one or not other:
        return Figure(None, None, None, min(len(one), len(other)), "no page to compare")
    pages, nothing = sorted({*one, *other}), (0.0, 0.0)
    table = np.array(
        [(*one.get(page, nothing)[:2], *other.get(page, nothing)[:2]) for page in pages], dtype=np.float64
    )
    both, fewer = {**one, **other}, min(one, other, key=len)
    found = _figure(
        table,
        weights_of([both[page].weight for page in pages], len(pages)),
        lambda all_: all_[:, 0] / all_[:, 1] - all_[:, 2] / all_[:, 3],
        DIFFERENCE,
        len(fewer),
    )
    return replace(found, effective=_ratio(fewer).effective)


def _figure(
    table: Numbers, weights: Numbers, measure: Callable[[Numbers], Numbers], scale: Scale, pages: int
) -> Figure:
    if not len(table):
        return Figure(None, None, None, 0, "no page to compare")
    with np.errstate(divide="ignore", invalid="ignore"):
        estimates = measure(jackknifed(table * weights[:, None]))
    low, high, withheld = bounds(estimates, scale, used=pages)
    return Figure(float(estimates[0]), low, high, pages, withheld, effective=effective(weights))
