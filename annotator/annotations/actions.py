"""Writes of annotating, by verb: rounds are opened, slots claimed, drafts saved, annotations handed in.

Each of them holds rows in this order, or two that meet would wait for each other: the person, the round, the
annotation, the slot (several by their keys), the page. What is out of it is passed over where another has it
(SKIP LOCKED).
"""

from annotator.annotations.claiming import (
    claim_next,
    claim_on,
    claim_practice,
    heartbeat,
    open_own,
    open_slot,
    release,
    release_all,
    release_reserves,
    reserve_next,
    take_up,
)
from annotator.annotations.finishing import reopen, skip, submit
from annotator.annotations.rounds import open_round
from annotator.annotations.saving import Draft, StaleSave, handed_in, latest, save, state_of

__all__ = [
    "Draft",
    "StaleSave",
    "claim_next",
    "claim_on",
    "claim_practice",
    "handed_in",
    "heartbeat",
    "latest",
    "open_own",
    "open_round",
    "open_slot",
    "release",
    "release_all",
    "release_reserves",
    "reopen",
    "reserve_next",
    "save",
    "skip",
    "state_of",
    "submit",
    "take_up",
]
