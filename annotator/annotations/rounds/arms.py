"""Which extractor's suggestion each slot shows at first: drawn, not chosen (invariant 5).

The draw is a pure function of the design's seed, the number of the draw, the possible arms, and the account
of the draws before it; all are stored, so that every draw can be reproduced.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

# Decimal places of the account: the same sums on every machine.
DECIMALS = 6


@dataclass(frozen=True)
class Draw:
    """What the slots of one round show: an extractor's key each, or None for nothing.

    `credit` is the account after it: by how many showings each extractor is behind its share.
    """

    blind: bool
    arms: tuple[int | None, ...]
    credit: Mapping[int, float] = field(default_factory=dict)


def draw_arms(
    *,
    seed: int,
    number: int,
    slots: int,
    blind_share: float,
    blind_before: int,
    extractors: Mapping[int, float],
    credit: Mapping[int, float],
) -> Draw:
    """Make draw `number` (0, 1, ...), where `blind_before` of the rounds before it are blind.

    A page is blind with probability `blind_share`, and always when the blind pages would otherwise be fewer
    than that share: "at least a fifth" holds after every single page. On the others each slot gets another
    extractor, or nothing when there are fewer extractors than slots. `extractors` have weights; one that is
    behind its share comes sooner, so that the shares hold after every page too, but for a few showings. One
    that this page may not show keeps its account: its share is of the pages that may show it.
    """
    account = dict(credit)
    rng = random.Random(f"{seed}:{number}")
    drawn_blind = rng.random() < blind_share
    due = blind_before < blind_share * (number + 1)
    shares = shares_of(extractors, slots)
    if drawn_blind or due or not shares:
        return Draw(blind=True, arms=(None,) * slots, credit=account)
    account |= {key: round(account.get(key, 0.0) + share, DECIMALS) for key, share in shares.items()}
    luck = {key: rng.random() for key in sorted(shares)}
    chosen = sorted(luck, key=lambda key: account[key] + luck[key], reverse=True)[:slots]
    for key in chosen:
        account[key] = round(account[key] - 1, DECIMALS)
    offered: list[int | None] = [*chosen, *[None] * (slots - len(chosen))]
    rng.shuffle(offered)
    return Draw(blind=False, arms=tuple(offered), credit=account)


def shares_of(weights: Mapping[int, float], slots: int) -> dict[int, float]:
    """Extractor -> the share of the pages that are not blind on which one of the slots shows it.

    No extractor comes twice on a page: what exceeds one showing a page goes to the others.
    """
    left = {key: float(weight) for key, weight in weights.items() if weight > 0}
    shares: dict[int, float] = {}
    free = float(min(slots, len(left)))
    while left:
        total = sum(left.values())
        full = [key for key, weight in left.items() if weight * free >= total * (1 - 1e-9)]
        if not full:
            return shares | {key: weight * free / total for key, weight in left.items()}
        for key in full:
            shares[key] = 1.0
            del left[key]
        free -= len(full)
    return shares
