"""What an ideal annotator does on a page, as a person would see it: few plain actions, nothing by luck.

She thinks in blocks. A range by click and shift-click, a kind of block by `i`, then single blocks with a
click each, and the few that are cut by a mark with a drag. Nothing else is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Range = tuple[int, int]
Pieces = tuple[Range, ...]  # what is marked in one block

#: More than any page can take: what cannot be done.
NEVER = 10_000
_KINDS = 4  # at most so many kinds of blocks are marked by `i` on one page
_FEWEST = 3  # blocks of a kind for which anybody thinks of `i`
_TYPED = 200  # as much as the field of find takes


class Act(NamedTuple):
    """One thing done; `cost` counts clicks, drags and keys, not the walk by j and k to its place."""

    what: Literal["click", "shift-click", "drag", "alt-drag", "key", "walk", "stretch", "find"]
    at: Range | int | str
    cost: int = 1


@dataclass(frozen=True)
class Sight:
    """A page as it stands before her: its blocks, which of them can be hit, which are of a kind."""

    blocks: Sequence[Range]
    seen: Sequence[bool]
    kinds: Sequence[int]
    runs: Sequence[Sequence[Range]] = ()  # for each block the runs around it, first and last block, growing
    text: str = ""

    def members(self) -> dict[int, list[int]]:
        """The blocks of each kind."""
        found: dict[int, list[int]] = {}
        for block, kind in enumerate(self.kinds):
            found.setdefault(kind, []).append(block)
        return found


@dataclass(frozen=True)
class Plan:
    """Acts in order, and what they cost together."""

    acts: tuple[Act, ...] = field(default=())

    @property
    def cost(self) -> int:
        """Actions, without moves."""
        return sum(act.cost for act in self.acts)


def pieces(spans: Iterable[Range], sight: Sight) -> list[Pieces]:
    """For each block what of it is marked."""
    every = list(spans)
    out: list[Pieces] = []
    at = 0
    for start, end in sight.blocks:
        while at < len(every) and every[at][1] <= start:
            at += 1
        inside = []
        for span in every[at:]:
            if span[0] >= end:
                break
            inside.append((max(span[0], start), min(span[1], end)))
        out.append(tuple(inside))
    return out


def minus(ones: Pieces, others: Pieces) -> Pieces:
    """What is left of pieces without others."""
    out = []
    for start, end in ones:
        at = start
        for low, high in others:
            if low < end and high > at:
                if low > at:
                    out.append((at, low))
                at = max(at, high)
        if at < end:
            out.append((at, end))
    return tuple(out)


# ---- the mouse: N nothing, M in a marked range, C in a cleared one, MC in a cleared part of a marked one
_N, _M, _C, _MC = range(4)
_ENTER = ((_N, _M), (_N, _C), (_M, _MC))
_LEAVE = {_M: _N, _C: _N, _MC: _M}


class _Mouse:
    def __init__(self, sight: Sight, whole: Sequence[Pieces], target: Sequence[Pieces]) -> None:
        self.sight = sight
        self.whole = whole
        self.target = target

    def mend(self, block: int, now: Pieces) -> list[Act]:
        """One block made right by itself."""
        wanted, whole = self.target[block], self.whole[block]
        if now == wanted:
            return []
        spot = self.sight.blocks[block]
        click = Act("click", spot) if self.sight.seen[block] else Act("click", spot, NEVER)
        if wanted in (whole, ()) and now in (whole, ()):
            return [click]
        if wanted == whole:
            return [click]
        if not wanted:
            return [click, click]
        drags = [Act("alt-drag", piece) for piece in minus(now, wanted)]
        drags += [Act("drag", piece) for piece in minus(wanted, now)]
        round_about = [click, *(Act("alt-drag", piece) for piece in minus(whole, wanted))]
        best = round_about if not now and len(round_about) < len(drags) else drags
        return best if self.sight.seen[block] else [act._replace(cost=NEVER) for act in best]

    def plan(self, start: Sequence[Pieces]) -> Plan:
        """Ranges and single blocks, by the cheapest way through the page from top to bottom."""
        best: list[tuple[int, tuple[tuple[int, int], ...]]] = [(0, ())] + [(NEVER**2, ())] * 3
        for block in range(len(self.target)):
            best = self._step(block, best, start)
        _, way = min(self._closed(best))
        return Plan(tuple(self._acts(way, start)))

    def _step(
        self, block: int, best: list[tuple[int, tuple[tuple[int, int], ...]]], start: Sequence[Pieces]
    ) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
        # A way is the list of its changes of state: (block, state from there on).
        entered = list(best)
        before = block - 1
        for state, outer in ((_MC, _M), (_M, _N), (_C, _N)):
            if before >= 0 and self.sight.seen[before] and best[state][0] < entered[outer][0]:
                entered[outer] = (best[state][0], (*best[state][1], (block, outer)))
        if self.sight.seen[block]:
            for outer, state in _ENTER:
                # Click and shift-click; one more where the click alone would do the opposite.
                is_on = (start[block] if outer == _N else self.whole[block]) == self.whole[block]
                total = entered[outer][0] + (2 if is_on == (state != _M) else 3)
                if total < entered[state][0]:
                    entered[state] = (total, (*entered[outer][1], (block, state)))
        after = []
        for state, (cost, way) in enumerate(entered):
            now = start[block] if state == _N else self.whole[block] if state == _M else ()
            after.append((cost + sum(act.cost for act in self.mend(block, now)), way))
        return after

    def _closed(
        self, best: list[tuple[int, tuple[tuple[int, int], ...]]]
    ) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
        last = len(self.target)
        can_end = not self.target or self.sight.seen[-1]
        closing = [(_N,), (_N,), (_N,), (_M, _N)]
        return [best[_N]] + [
            (best[state][0] if can_end else NEVER**2,
             (*best[state][1], *((last, outer) for outer in closing[state])))
            for state in (_M, _C, _MC)
        ]  # fmt: skip

    def _acts(self, way: Sequence[tuple[int, int]], start: Sequence[Pieces]) -> Iterable[Act]:
        """Ranges first, what lies in them after; then single blocks."""
        now = list(start)
        opened: dict[int, int] = {}
        state = _N
        ranges: list[tuple[int, int, int]] = []
        for block, into in way:
            if _LEAVE.get(state) == into:
                ranges.append((opened.pop(state), block - 1, state))
            else:
                opened[into] = block
            state = into
        for first, last, kind in sorted(ranges, key=lambda each: each[2] == _MC):
            is_on = now[first] == self.whole[first]
            yield Act("click", self.sight.blocks[first])
            if is_on and kind == _M:
                yield Act("click", self.sight.blocks[first])
            yield Act("shift-click", self.sight.blocks[last])
            if not is_on and kind != _M:
                yield Act("key", "0")
            for block in range(first, last + 1):
                now[block] = self.whole[block] if kind == _M else ()
        for block, held in enumerate(now):
            yield from self.mend(block, held)


def by_mouse(
    sight: Sight, start: Sequence[Pieces], whole: Sequence[Pieces], target: Sequence[Pieces]
) -> Plan:
    """The best of ranges and clicks, some kinds of blocks marked by `i` before."""
    mouse = _Mouse(sight, whole, target)
    best, before, now = mouse.plan(start), (), list(start)
    kinds = _promising(sight, whole, target)
    for _ in range(_KINDS):
        tried = []
        for members, is_on in kinds:
            # The click decides: on or off, and all like it follow.
            fit = (block for block in members if sight.seen[block] and (now[block] == whole[block]) != is_on)
            seen = next(fit, None)
            if seen is None:
                continue
            then = list(now)
            for block in members:
                then[block] = whole[block] if is_on else ()
            acts = (*before, Act("click", sight.blocks[seen]), Act("key", "i"))
            tried.append((Plan((*acts, *mouse.plan(then).acts)), acts, then))
        better = min(tried, key=lambda each: each[0].cost, default=None)
        if better is None or better[0].cost >= best.cost:
            break
        best, before, now = better
    return best


# ---- the keyboard: walks by j and k, runs by `]`, kinds by `i`, single blocks by space, cuts by find


class _Keys:
    def __init__(self, sight: Sight, whole: Sequence[Pieces], target: Sequence[Pieces]) -> None:
        self.sight = sight
        self.whole = whole
        self.target = target
        self.runs: dict[
            int, list[tuple[int, int, int]]
        ] = {}  # by first block: last block, from which, presses
        self._gather()

    def _gather(self) -> None:
        found: dict[Range, tuple[int, int]] = {}
        for block, runs in enumerate(self.sight.runs):
            if self.sight.seen[block]:
                for presses, run in enumerate(runs, start=1):
                    if found.get((run[0], run[1]), (0, NEVER))[1] > presses:
                        found[run[0], run[1]] = (block, presses)
        for (first, last), (block, presses) in found.items():
            self.runs.setdefault(first, []).append((last, block, presses))

    def mend(self, block: int, now: Pieces) -> list[Act]:
        """One block made right by itself; a cut in it by finding the words that are too much."""
        wanted, whole = self.target[block], self.whole[block]
        if now == wanted:
            return []
        space = Act("key", "Space") if self.sight.seen[block] else Act("key", "Space", NEVER)
        there = Act("walk", block, 0)
        if wanted in (whole, ()) and now in (whole, ()):
            return [there, space]
        acts = [] if now == whole else [there, space]
        for start, end in minus(whole, wanted):
            words = self.sight.text[start:end].strip()
            # "/", the words, Esc, and 0 for none.
            cost = len(words) + 3 if len(words) <= _TYPED and now in (whole, ()) else NEVER
            acts += [there, Act("find", words, cost), Act("key", "0", 0)]
        return acts

    def plan(self, start: Sequence[Pieces]) -> Plan:
        """Runs and single blocks, the cheapest from the last block back to the first."""
        return Plan(tuple(self._between(0, len(self.target), start, "Space")))

    def _between(self, first: int, end: int, now: Sequence[Pieces], key: str) -> list[Act]:
        """Blocks made right, where runs in them are switched by a key: on by space, off by 0."""
        best: dict[int, tuple[int, list[Act]]] = {end: (0, [])}
        for block in range(end - 1, first - 1, -1):
            acts = self.mend(block, now[block])
            choices = [(sum(act.cost for act in acts) + best[block + 1][0], acts, block + 1)]
            for last, origin, presses in self.runs.get(block, ()):
                if last >= end or (block, last + 1) == (first, end) or origin < first:
                    continue
                inside = self._inside(block, last + 1, key)
                if inside is None:
                    continue
                how = [Act("walk", origin, 0), *[Act("key", "]")] * presses, Act("key", key), *inside]
                choices.append((sum(act.cost for act in how) + best[last + 1][0], how, last + 1))
            cost, acts, then = min(choices, key=lambda each: each[0])
            best[block] = (cost, [*acts, *best[then][1]])
        return best[first][1]

    def _inside(self, first: int, end: int, key: str) -> list[Act] | None:
        """What is left to do in a run that was switched; None where that was clearly the wrong run."""
        is_on = key == "Space"
        right = sum(bool(self.target[block]) == is_on for block in range(first, end))
        if 2 * right < end - first:
            return None
        now: dict[int, Pieces] = {block: self.whole[block] if is_on else () for block in range(first, end)}
        if not is_on:
            return [act for block in range(first, end) for act in self.mend(block, now[block])]
        held = [now.get(block, ()) for block in range(end)]
        return self._between(first, end, held, "0")


def by_keys(sight: Sight, start: Sequence[Pieces], whole: Sequence[Pieces], target: Sequence[Pieces]) -> Plan:
    """The best of runs and single blocks, some kinds of blocks marked by `i` before."""
    keys = _Keys(sight, whole, target)
    best, before, now = keys.plan(start), (), list(start)
    kinds = _promising(sight, whole, target)
    for _ in range(_KINDS):
        tried = []
        for members, is_on in kinds:
            if not is_on:
                continue
            seen = next((block for block in members if sight.seen[block]), None)
            if seen is None:
                continue
            then = list(now)
            for block in members:
                then[block] = whole[block]
            acts = (*before, Act("walk", seen, 0), Act("key", "i"))
            tried.append((Plan((*acts, *keys.plan(then).acts)), acts, then))
        better = min(tried, key=lambda each: each[0].cost, default=None)
        if better is None or better[0].cost >= best.cost:
            break
        best, before, now = better
    return best


def _promising(
    sight: Sight, whole: Sequence[Pieces], target: Sequence[Pieces]
) -> list[tuple[list[int], bool]]:
    """Kinds of which most are to be marked, or none; and which of the two."""
    found = []
    for members in sight.members().values():
        if len(members) < _FEWEST:
            continue
        marked = sum(target[block] == whole[block] for block in members)
        if 2 * marked > len(members) or not any(target[block] for block in members):
            found.append((members, marked > 0))
    return found
