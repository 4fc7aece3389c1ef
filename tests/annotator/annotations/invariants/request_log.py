"""What browsers sent and what they were answered; the database must tell the same story (invariant 6)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tests.annotator.annotations.invariants.checks import ask

# Who, where: an annotator's key and a slot's.
PersonSlot = tuple[int, UUID]


@dataclass(frozen=True)
class Sent:
    """A save as a browser sent it; `spans` as they are kept."""

    operation: UUID
    person: int
    slot: UUID
    based_on: int
    spans: tuple[tuple[int, int, str], ...]
    verdict: str
    reason: str
    note: str

    @property
    def content(self) -> tuple[Any, ...]:
        return self.spans, self.verdict, self.reason, self.note


@dataclass
class RequestLog:
    """Requests and answers; threads write into it, each row once."""

    sent: dict[UUID, Sent] = field(default_factory=dict)
    # Acknowledged saves, as revisions of such a number.
    kept: dict[UUID, int] = field(default_factory=dict)
    refused: set[UUID] = field(default_factory=set)
    # Pages that the annotator asked to see.
    opened: set[PersonSlot] = field(default_factory=set)
    # What they asked to submit, by the number of its revision; and what was acknowledged.
    requested: set[tuple[PersonSlot, int]] = field(default_factory=set)
    submitted: set[tuple[PersonSlot, int]] = field(default_factory=set)

    def differences(self) -> list[str]:
        """Everything in which the database differs."""
        revisions, refused = _revisions(), _refused()
        return [
            *self._of_revisions(revisions),
            *self._of_refusals(refused),
            *self._of_submissions(),
            *self._of_annotations(),
        ]

    def _of_revisions(self, revisions: dict[UUID, "StoredSave"]) -> Iterator[str]:
        for operation, number in self.kept.items():
            row = revisions.get(operation)
            if row is None or row.number != number:
                yield f"an acknowledged save is not there as revision {number}: {self.sent[operation]}"
        for operation, row in revisions.items():
            sent = self.sent.get(operation)
            if sent is None:
                yield from _of_copy(row, revisions)
            elif (sent.person, sent.slot, *sent.content) != (row.person, row.slot, *row.content):
                yield f"a revision is not what was sent: {row}, {sent}"
            elif sent.based_on != row.number - 1:
                yield f"a save was kept that built on {sent.based_on}, as revision {row.number}"

    def _of_refusals(self, refused: dict[UUID, "StoredSave"]) -> Iterator[str]:
        for operation in self.refused - refused.keys():
            yield f"what was offered and refused is not kept: {self.sent[operation]}"
        for operation, row in refused.items():
            sent = self.sent.get(operation)
            if sent is None or (sent.person, sent.slot, *sent.content) != (
                row.person,
                row.slot,
                *row.content,
            ):
                yield f"a refused save is not what was offered: {row}, {sent}"

    def _of_submissions(self) -> Iterator[str]:
        found = {((person, slot), number) for person, slot, number in ask(_SUBMISSIONS)}
        newest = dict(sorted(found))
        for key, number in self.submitted:
            # Another window of the same person may have submitted what was saved there later.
            if number > newest.get(key, -1):
                yield f"acknowledged, and not submitted: revision {number} of {key}"
        for unasked in found - self.requested:
            yield f"submitted, and nobody asked for it: {unasked}"

    def _of_annotations(self) -> Iterator[str]:
        for key in {(person, slot) for person, slot in ask(_ANNOTATIONS)} - self.opened:
            yield f"counted as shown, and nobody asked for it: {key}"


@dataclass(frozen=True)
class StoredSave:
    """A revision or refused save as it is kept."""

    person: int
    slot: UUID
    round: int
    number: int
    saved_at: Any
    content: tuple[Any, ...]


def drafts_of(person: int, slot: UUID) -> list[tuple[Any, ...]]:
    """What this person saved in the slot's round, in whichever slot; the last at the end."""
    (round_,) = ask("select round_id from annotator_slot where key = %s", slot)[0]
    own = [row for row in _revisions().values() if (row.person, row.round) == (person, round_)]
    return [row.content for row in sorted(own, key=lambda row: row.saved_at)]


def _of_copy(row: StoredSave, revisions: dict[UUID, StoredSave]) -> Iterator[str]:
    """What nobody sent goes on with a draft of theirs from another slot of the round, and nothing else."""
    earlier = [
        each
        for each in revisions.values()
        if (each.person, each.round) == (row.person, row.round) and each.slot != row.slot
        and each.saved_at < row.saved_at
    ]  # fmt: skip
    if not earlier or max(earlier, key=lambda each: each.saved_at).content != row.content:
        yield f"a revision that nobody sent: {row}"


_MARKS = """
    select m.operation, a.annotator_id, s.key, s.round_id, {number}, m.saved_at, m.spans, m.verdict,
        m.reason, m.note
    from annotator_{table} m join annotator_annotation a on a.id = m.annotation_id
        join annotator_slot s on s.id = a.slot_id
"""
_SUBMISSIONS = """
    select a.annotator_id, s.key, v.number from annotator_submission u
        join annotator_revision v on v.id = u.revision_id
        join annotator_annotation a on a.id = v.annotation_id
        join annotator_slot s on s.id = a.slot_id
"""
_ANNOTATIONS = """
    select a.annotator_id, s.key from annotator_annotation a join annotator_slot s on s.id = a.slot_id
"""


def _revisions() -> dict[UUID, StoredSave]:
    return _rows(_MARKS.format(number="m.number", table="revision"))


def _refused() -> dict[UUID, StoredSave]:
    return _rows(_MARKS.format(number="m.based_on", table="refusedsave"))


def _rows(query: str) -> dict[UUID, StoredSave]:
    saves = {}
    for operation, person, slot, round_, number, saved_at, *content in ask(query):
        saves[operation] = StoredSave(person, slot, round_, number, saved_at, marks(*content))
    return saves


def marks(spans: Any, verdict: str, reason: str, note: str) -> tuple[Any, ...]:
    """What a save holds, as one value that can be compared."""
    read = json.loads(spans) if isinstance(spans, str) else spans
    return tuple(tuple(span) for span in read), verdict, reason, note
