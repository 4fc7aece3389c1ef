"""The differences between two versions, clause by clause and word by word."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from annotator.corpora.guideline.text import Text

WORDS = re.compile(r"\s+|\w+|[^\w\s]")

KEPT, ADDED, REMOVED = "kept", "added", "removed"


@dataclass(frozen=True)
class ClauseDifference:
    """A part that differs. `how` is added, removed or changed; pieces are (kept, added or removed; text)."""

    number: str
    how: str
    pieces: list[tuple[str, str]]


def differences(old: Text, new: Text) -> list[ClauseDifference]:
    """The parts that differ, in the order of the newer version, removed ones last."""
    before, after = dict(_parts(old)), dict(_parts(new))
    changed = changed_numbers(old, new)
    numbers = [*after, *(number for number in before if number not in after)]
    return [
        _difference(number, before.get(number), after.get(number)) for number in numbers if number in changed
    ]


def changed_numbers(old: Text, new: Text) -> set[str]:
    """The numbers of changed, added and removed parts; "" is the part before the first section."""
    before, after = dict(_parts(old)), dict(_parts(new))
    return {number for number in before | after if before.get(number) != after.get(number)}


def _parts(text: Text) -> Iterator[tuple[str, str]]:
    yield "", "\n\n".join(filter(None, (text.title, text.opening)))
    for section in text.sections:
        yield section.number, "\n\n".join(filter(None, (section.title, section.opening)))
        for clause in section.clauses:
            yield clause.number, clause.written


def _difference(number: str, old: str | None, new: str | None) -> ClauseDifference:
    if old is None:
        return ClauseDifference(number, ADDED, [(ADDED, new or "")])
    if new is None:
        return ClauseDifference(number, REMOVED, [(REMOVED, old)])
    return ClauseDifference(number, "changed", list(_words(WORDS.findall(old), WORDS.findall(new))))


def _words(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield KEPT, "".join(old[i:j])
        else:
            if j > i:
                yield REMOVED, "".join(old[i:j])
            if m > k:
                yield ADDED, "".join(new[k:m])
