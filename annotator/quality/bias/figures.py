"""What showing a suggestion changes, by arm: ratios of sums, with jackknife intervals over pages."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotator.agreement.comparison import Overlap
from extraction.agreement.figures import Figure
from extraction.agreement.intervals import AMOUNT, DIFFERENCE, SHARE, Scale, bounds, jackknifed
from extraction.metrics.page_weights import effective, weights_of

Numbers = NDArray[np.float64]


class PageSums(NamedTuple):
    """Two sums of one page, whose ratio is the figure, and the weight of the page."""

    part: float
    whole: float
    weight: float


Sums = dict[int, PageSums]


@dataclass(frozen=True)
class Observation:
    """One annotation.

    `changed`: characters that gold labels differently, and those that either labels; None without gold.
    `weight` is the number of pages of the corpus that its page stands for.
    """

    page: int
    shown: int | None
    seconds: int
    overlaps: Mapping[int, Overlap]
    changed: tuple[int, int] | None
    weight: float = 1.0
    # That of the page.
    digest: str = ""


@dataclass(frozen=True)
class Arm:
    """The annotations with one extractor's suggestion, or without (`extractor` None, no figures about one).

    `own` is their F1 with the extractor; `blind` that of annotations without suggestion, on any page; `peers`
    that of other annotations of the same pages. `bias` and `peer_bias` are the differences. `other` is their
    F1 with what the peers were shown.
    """

    extractor: int | None
    title: str
    annotations: int
    seconds: Figure
    changed: Figure
    own: Figure | None = None
    blind: Figure | None = None
    bias: Figure | None = None
    peers: Figure | None = None
    peer_bias: Figure | None = None
    other: Figure | None = None


@dataclass(frozen=True)
class BiasFigures:
    """The figures of a report; the first arm is the one without suggestion, if there is one."""

    pages: int
    annotations: int
    arms: list[Arm]

    @property
    def is_weighted(self) -> bool:
        return any(arm.seconds.effective is not None for arm in self.arms)

    def to_json(self) -> dict[str, Any]:
        """JSON that `from_json` reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "BiasFigures":
        """The figures that `to_json` wrote."""
        return msgspec.convert(value, cls)


def bias_figures(observations: Sequence[Observation], titles: Mapping[str, str]) -> BiasFigures:
    """The figures of all arms; `titles` are those of extractors by id."""
    shown = {each.shown for each in observations if each.shown is not None}
    order = sorted(shown, key=lambda extractor: titles.get(str(extractor), ""))
    arms = [_arm(observations, extractor, titles.get(str(extractor), "?")) for extractor in order]
    if any(each.shown is None for each in observations):
        arms.insert(0, _without(observations))
    return BiasFigures(len({each.page for each in observations}), len(observations), arms)


def _without(observations: Sequence[Observation]) -> Arm:
    own = [each for each in observations if each.shown is None]
    return Arm(None, "", len(own), seconds=_seconds(own), changed=_changed(own))


def _arm(observations: Sequence[Observation], extractor: int, title: str) -> Arm:
    own = [each for each in observations if each.shown == extractor]
    pages = {each.page for each in own}
    blind = [each for each in observations if each.shown is None]
    peers = [each for each in observations if each.page in pages and each.shown != extractor]
    own_f1, blind_f1, peers_f1 = (_with(each, extractor) for each in (own, blind, peers))
    together = own_f1.keys() & peers_f1.keys()
    return Arm(
        extractor,
        title,
        len(own),
        seconds=_seconds(own),
        changed=_changed(own),
        own=_ratio(own_f1),
        blind=_ratio(blind_f1),
        bias=_difference(own_f1, blind_f1),
        peers=_ratio(peers_f1),
        peer_bias=_difference(_only(own_f1, together), _only(peers_f1, together)),
        other=_ratio(_with_suggestions_of_peers(own, peers)),
    )


def _seconds(own: Iterable[Observation]) -> Figure:
    """The mean active seconds per annotation."""
    return _ratio(_summed((each, (each.seconds, 1)) for each in own), AMOUNT)


def _changed(own: Iterable[Observation]) -> Figure:
    """The share that gold labels differently, of the characters that either labels."""
    return _ratio(_summed((each, each.changed) for each in own if each.changed))


def _with(observations: Iterable[Observation], extractor: int) -> Sums:
    """Sums for the F1 with one extractor, on the pages that have its extraction."""
    return _summed(
        (each, _f1(each.overlaps[extractor])) for each in observations if extractor in each.overlaps
    )


def _with_suggestions_of_peers(own: Iterable[Observation], peers: Iterable[Observation]) -> Sums:
    shown: dict[int, set[int]] = defaultdict(set)
    for each in peers:
        if each.shown is not None:
            shown[each.page].add(each.shown)
    return _summed(
        (each, _f1(each.overlaps[extractor]))
        for each in own
        for extractor in shown[each.page]
        if extractor in each.overlaps
    )


def _f1(overlap: Overlap) -> tuple[float, float]:
    return 2 * overlap.both, overlap.annotator + overlap.extractor


def _summed(rows: Iterable[tuple[Observation, tuple[float, float]]]) -> Sums:
    """Sums by page, without pages where the denominator is 0."""
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
    """The first ratio minus the second, over the pages of both; `n` is that of the smaller."""
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
