"""Which extractor's suggestion each slot shows at first: drawn, not chosen (law 5).

The draw is a pure function of the corpus's seed, the place of the page in the draw, and what could be drawn;
all three are stored, so that anybody can draw again and see the same.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Draw:
    """What the slots of one round show: an extractor's key each, or None for nothing."""

    blind: bool
    arms: tuple[int | None, ...]


def draw_arms(
    *, seed: int, place: int, slots: int, blind_share: float, blind_before: int, extractors: Sequence[int]
) -> Draw:
    """Draw for the round at `place` (0, 1, ...), `blind_before` rounds of those before it being blind.

    A page is blind with probability `blind_share`, and always when the blind pages would otherwise be fewer
    than that share: "at least a fifth" holds after every single page. On the others each slot gets another
    extractor, or nothing when there are fewer extractors than slots.
    """
    dice = random.Random(f"{seed}:{place}")
    drawn_blind = dice.random() < blind_share
    due = blind_before < blind_share * (place + 1)
    if drawn_blind or due or not extractors:
        return Draw(blind=True, arms=(None,) * slots)
    offered: list[int | None] = list(dice.sample(sorted(extractors), min(slots, len(extractors))))
    offered += [None] * (slots - len(offered))
    dice.shuffle(offered)
    return Draw(blind=False, arms=tuple(offered))
