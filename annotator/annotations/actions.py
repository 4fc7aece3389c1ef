"""Writes of annotating: rounds are opened, slots claimed, drafts saved, annotations submitted.

Each of them locks rows in this order, as otherwise two of them could deadlock: the person, the round, the
annotation, the slot (several by their keys), the page. A row that has to be locked out of order is passed
over where another transaction has it (SKIP LOCKED).
"""

from annotator.annotations.revisions.saving import (
    Draft,
    SlotKey,
    StaleSave,
    latest_revision,
    save,
    state_of,
    submitted_revision,
)
from annotator.annotations.revisions.submitting import reopen, skip, submit
from annotator.annotations.rounds.opening import open_round
from annotator.annotations.slots.claiming import claim_next, claim_on, claim_practice, reserve_next, resume
from annotator.annotations.slots.leases import heartbeat, release, release_all, release_reserves
from annotator.annotations.slots.opening import open_own, open_slot

__all__ = [
    "Draft",
    "SlotKey",
    "StaleSave",
    "claim_next",
    "claim_on",
    "claim_practice",
    "heartbeat",
    "latest_revision",
    "open_own",
    "open_round",
    "open_slot",
    "release",
    "release_all",
    "release_reserves",
    "reopen",
    "reserve_next",
    "resume",
    "save",
    "skip",
    "state_of",
    "submit",
    "submitted_revision",
]
