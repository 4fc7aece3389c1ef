"""Which extractor's suggestion each slot shows at first: drawn, not chosen (law 5).

The draw is a pure function of the design's seed, the place of the page in the draw, what could be drawn, and
the account of the draws before it; all are stored, so that anybody can draw again and see the same.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# Steps in which the account is kept: the same sums on every machine.
STEP = 6


@dataclass(frozen=True)
class Draw:
    """What the slots of one round show: an extractor's key each, or None for nothing.

    `credit` is the account after it: how many showings each extractor is behind its share.
    """

    blind: bool
    arms: tuple[int | None, ...]
    credit: Mapping[int, float] = field(default_factory=dict)


def draw_arms(
    *,
    seed: int,
    place: int,
    slots: int,
    blind_share: float,
    blind_before: int,
    extractors: Sequence[int] | Mapping[int, float],
    credit: Mapping[int, float] | None = None,
) -> Draw:
    """Draw for the round at `place` (0, 1, ...), `blind_before` rounds of those before it being blind.

    A page is blind with probability `blind_share`, and always when the blind pages would otherwise be fewer
    than that share: "at least a fifth" holds after every single page. On the others each slot gets another
    extractor, or nothing when there are fewer extractors than slots. Extractors may have weights; who is
    behind its share comes sooner, so that the shares hold after every page too, but for a few showings.
    """
    account = dict(credit or {})
    dice = random.Random(f"{seed}:{place}")
    drawn_blind = dice.random() < blind_share
    due = blind_before < blind_share * (place + 1)
    shares = shares_of(extractors, slots)
    if drawn_blind or due or not shares:
        return Draw(blind=True, arms=(None,) * slots, credit=account)
    account = {key: round(account.get(key, 0.0) + share, STEP) for key, share in shares.items()}
    luck = {key: dice.random() for key in sorted(account)}
    chosen = sorted(account, key=lambda key: account[key] + luck[key], reverse=True)[:slots]
    for key in chosen:
        account[key] = round(account[key] - 1, STEP)
    offered: list[int | None] = [*chosen, *[None] * (slots - len(chosen))]
    dice.shuffle(offered)
    return Draw(blind=False, arms=tuple(offered), credit=account)


def shares_of(extractors: Sequence[int] | Mapping[int, float], slots: int) -> dict[int, float]:
    """Extractor -> the share of pages that are not blind on which one of so many slots shows it.

    No extractor comes twice on a page: what a large weight cannot have goes to the others.
    """
    weights = dict(extractors) if isinstance(extractors, Mapping) else dict.fromkeys(extractors, 1.0)
    left = {key: float(weight) for key, weight in weights.items() if weight > 0}
    shares: dict[int, float] = {}
    places = float(min(slots, len(left)))
    while left:
        total = sum(left.values())
        full = [key for key, weight in left.items() if weight * places >= total * (1 - 1e-9)]
        if not full:
            return shares | {key: weight * places / total for key, weight in left.items()}
        for key in full:
            shares[key] = 1.0
            del left[key]
        places -= len(full)
    return shares
