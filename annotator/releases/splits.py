"""Assigns pages to train, dev and test; no database.

Pages of a site, and near duplicates, form groups that are not divided. A group is assigned at random once;
later releases keep its split.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import permutations
from typing import NamedTuple

TRAIN, DEV, TEST = "train", "dev", "test"
SPLITS = (TRAIN, DEV, TEST)
SHARES = {TRAIN: 0.8, DEV: 0.1, TEST: 0.1}
# The description of an erratum for a page that is in another split than before, as files have it.
MOVED = "moved from {before} to {split}: shares a site or near duplicates with it"
# Each of them, with the split before and the one since.
MOVES = {
    MOVED.format(before=before, split=split): (before, split) for before, split in permutations(SPLITS, 2)
}


class SplitPage(NamedTuple):
    """A page by its digest. `site` and `cluster` are empty if unknown."""

    digest: str
    site: str
    cluster: str
    language: str


class SplitAssignment(NamedTuple):
    """The split of a page, and its group (the smallest digest of its pages)."""

    split: str
    group: str


def groups_of(members: Iterable[SplitPage]) -> dict[str, list[SplitPage]]:
    """Return the pages by group; a group is named by the smallest digest in it."""
    members = sorted(members)
    root = {member.digest: member.digest for member in members}

    def find(digest: str) -> str:
        while root[digest] != digest:
            root[digest] = root[root[digest]]
            digest = root[digest]
        return digest

    first: dict[tuple[str, str], str] = {}
    for member in members:
        for kind, name in (("site", member.site), ("cluster", member.cluster)):
            if name:
                one, other = sorted(
                    (find(member.digest), find(first.setdefault((kind, name), member.digest)))
                )
                root[other] = one
    groups = defaultdict(list)
    for member in members:
        groups[find(member.digest)].append(member)
    return dict(groups)


def assign_splits(
    members: Iterable[SplitPage], *, before: Mapping[str, str], seed: str
) -> dict[str, SplitAssignment]:
    """Return every page's split, by digest. `before` maps digests to splits in earlier releases.

    A group with pages of earlier releases stays where most of them are; pages that were elsewhere move. New
    groups are taken in an order drawn by the seed, each to the split that its language lacks most; between
    splits that lack the same, as dev and test at first, to the one that all languages together lack most. A
    split that would stay empty, as with few sites, gets the smallest new group that leaves none empty.
    """
    groups = groups_of(members)
    chosen = {name: _previous_split(group, before) for name, group in groups.items()}
    strata = defaultdict(list)
    for name, group in groups.items():
        strata[language_of(group)].append(name)
    new = sorted((name for name in groups if not chosen[name]), key=lambda name: _random_key(seed, name))
    overall = _lacking(groups, groups, chosen)
    for names in strata.values():
        _assign_new(sorted(names, key=lambda name: _random_key(seed, name)), groups, chosen, overall)
    _fill_empty(new, groups, chosen)
    return {
        member.digest: SplitAssignment(chosen[name], name)
        for name, group in groups.items()
        for member in group
    }


def language_of(group: Sequence[SplitPage]) -> str:
    """Return the most frequent language of the pages; in a tie the first by name."""
    return _most_frequent(Counter(member.language for member in group))


def _previous_split(group: Sequence[SplitPage], before: Mapping[str, str]) -> str:
    held = Counter(before[member.digest] for member in group if member.digest in before)
    return _most_frequent(held, SPLITS) if held else ""


def _most_frequent(counted: Counter[str], order: Sequence[str] = ()) -> str:
    ranks = {name: at for at, name in enumerate(order)}
    return min(counted, key=lambda name: (-counted[name], ranks.get(name, 0), name))


def _lacking(
    names: Iterable[str], groups: Mapping[str, Sequence[SplitPage]], chosen: Mapping[str, str]
) -> dict[str, float]:
    """How many pages of these groups each split lacks before the new ones are assigned."""
    sizes = {name: len(groups[name]) for name in names}
    lacking = {split: SHARES[split] * sum(sizes.values()) for split in SPLITS}
    for name, size in sizes.items():
        if chosen[name]:
            lacking[chosen[name]] -= size
    return lacking


def _assign_new(
    names: Sequence[str],
    groups: Mapping[str, Sequence[SplitPage]],
    chosen: dict[str, str],
    overall: dict[str, float],
) -> None:
    """Assign the new groups among those of one language; `overall` is what all languages lack, kept up."""
    lacking = _lacking(names, groups, chosen)
    for name in names:
        if not chosen[name]:
            split = max(SPLITS, key=lambda split: (lacking[split], overall[split]))
            chosen[name] = split
            for counted in (lacking, overall):
                counted[split] -= len(groups[name])


def _fill_empty(
    new: Sequence[str], groups: Mapping[str, Sequence[SplitPage]], chosen: dict[str, str]
) -> None:
    for split in SPLITS:
        held = Counter(chosen.values())
        spare = [name for name in new if held[chosen[name]] > 1]
        if spare and not held[split]:
            chosen[min(spare, key=lambda name: len(groups[name]))] = split


def _random_key(seed: str, name: str) -> str:
    return sha256(f"{seed}:{name}".encode()).hexdigest()
