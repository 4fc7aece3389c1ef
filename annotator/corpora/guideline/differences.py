"""The differences between two versions, clause by clause and word by word."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from annotator.corpora.guideline.markup import as_words
from annotator.corpora.guideline.queries import Chip, chips_of
from annotator.corpora.guideline.text import Clause, Text

WORDS = re.compile(r"\s+|\w+|[^\w\s]")

KEPT, ADDED, REMOVED, CHANGED = "kept", "added", "removed", "changed"


@dataclass(frozen=True)
class ClauseDifference:
    """A part that differs. `how` is added, removed or changed.

    `pieces` are the words that its readers see, and `chips` what it is about, each kept, added or removed.
    All are kept where only markup differs, as the address of a link.
    """

    number: str
    how: str
    pieces: list[tuple[str, str]]
    chips: list[tuple[str, Chip]]

    @property
    def same_words(self) -> bool:
        return all(how == KEPT for how, _shown in (*self.pieces, *self.chips))


@dataclass(frozen=True)
class _HeadedText:
    """A heading with the text below it, up to the first clause."""

    title: str
    opening: str


def differences(old: Text, new: Text, numbers: Mapping[str, int] | None = None) -> list[ClauseDifference]:
    """The parts that differ, in the order of the newer version, removed ones last.

    `numbers` are those of the corpus's labels.
    """
    before, after = _parts(old), _parts(new)
    order = [*after, *(number for number in before if number not in after)]
    return [
        _difference(number, before.get(number), after.get(number), numbers or {})
        for number in order
        if before.get(number) != after.get(number)
    ]


def changed_numbers(old: Text, new: Text) -> set[str]:
    """The numbers of changed, added and removed parts; "" is the part before the first section."""
    before, after = _parts(old), _parts(new)
    return {number for number in before | after if before.get(number) != after.get(number)}


def _parts(text: Text) -> dict[str, _HeadedText | Clause]:
    parts: dict[str, _HeadedText | Clause] = {"": _HeadedText(text.title, text.opening)}
    for section in text.sections:
        parts[section.number] = _HeadedText(section.title, section.opening)
        parts |= {clause.number: clause for clause in section.clauses}
    return parts


def _difference(
    number: str,
    old: _HeadedText | Clause | None,
    new: _HeadedText | Clause | None,
    numbers: Mapping[str, int],
) -> ClauseDifference:
    how = ADDED if old is None else REMOVED if new is None else CHANGED
    before, after = _chips(old, numbers), _chips(new, numbers)
    chips = [(KEPT if chip in before else ADDED, chip) for chip in after]
    chips += [(REMOVED, chip) for chip in before if chip not in after]
    pieces = _words(WORDS.findall(_shown(old)), WORDS.findall(_shown(new)))
    return ClauseDifference(number, how, list(pieces), chips)


def _shown(part: _HeadedText | Clause | None) -> str:
    if part is None:
        return ""
    if isinstance(part, Clause):
        return as_words(part.markdown)
    return "\n\n".join(filter(None, (part.title, as_words(part.opening))))


def _chips(part: _HeadedText | Clause | None, numbers: Mapping[str, int]) -> list[Chip]:
    return list(chips_of(part, numbers)) if isinstance(part, Clause) else []


def _words(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield KEPT, "".join(old[i:j])
        else:
            if j > i:
                yield REMOVED, "".join(old[i:j])
            if m > k:
                yield ADDED, "".join(new[k:m])
