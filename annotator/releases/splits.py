"""Train, dev and test: pages in groups that may not be torn apart, the groups drawn; no database.

A group is what sites and near-duplicate clusters hold together. Where a group goes is drawn once, and stands:
a later release keeps it, whatever has been added.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

TRAIN, DEV, TEST = "train", "dev", "test"
SPLITS = (TRAIN, DEV, TEST)
SHARES = {TRAIN: 0.8, DEV: 0.1, TEST: 0.1}


class Member(NamedTuple):
    """A page: its digest, its site ("" when it is not known), its cluster, its language."""

    digest: str
    site: str
    cluster: str
    language: str


class Placed(NamedTuple):
    """Where a page is: its split, its group (the smallest digest of its pages), and from where it moved."""

    split: str
    group: str
    moved_from: str = ""


def groups_of(members: Iterable[Member]) -> dict[str, list[Member]]:
    """The pages by group, each under the smallest digest in it."""
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


def place(members: Iterable[Member], *, before: Mapping[str, str], seed: str) -> dict[str, Placed]:
    """Every page's split, by digest. `before` are the splits of pages in earlier releases.

    A group with pages from before stays where most of them are; where it was two groups in two splits, the
    smaller one moves, and says from where. New groups come in an order drawn by the seed, each to the split
    that its language lacks most.
    """
    groups = groups_of(members)
    chosen = {name: _kept(group, before) for name, group in groups.items()}
    strata = defaultdict(list)
    for name, group in groups.items():
        strata[language_of(group)].append(name)
    for names in strata.values():
        _draw(sorted(names, key=lambda name: _drawn(seed, name)), groups, chosen)
    return {
        member.digest: Placed(chosen[name], name, _moved(before.get(member.digest, ""), chosen[name]))
        for name, group in groups.items()
        for member in group
    }


def language_of(group: Sequence[Member]) -> str:
    """The language of most of its pages; of two as frequent, the first by name."""
    return _most(Counter(member.language for member in group))


def _kept(group: Sequence[Member], before: Mapping[str, str]) -> str:
    held = Counter(before[member.digest] for member in group if member.digest in before)
    return _most(held, SPLITS) if held else ""


def _most(counted: Counter[str], order: Sequence[str] = ()) -> str:
    places = {name: at for at, name in enumerate(order)}
    return min(counted, key=lambda name: (-counted[name], places.get(name, 0), name))


def _draw(names: Sequence[str], groups: Mapping[str, Sequence[Member]], chosen: dict[str, str]) -> None:
    pages = sum(len(groups[name]) for name in names)
    lacking = {split: SHARES[split] * pages for split in SPLITS}
    for name in names:
        if chosen[name]:
            lacking[chosen[name]] -= len(groups[name])
    for name in names:
        if not chosen[name]:
            chosen[name] = max(SPLITS, key=lambda split: lacking[split])
            lacking[chosen[name]] -= len(groups[name])


def _drawn(seed: str, name: str) -> str:
    return sha256(f"{seed}:{name}".encode()).hexdigest()


def _moved(before: str, now: str) -> str:
    return before if before != now else ""
