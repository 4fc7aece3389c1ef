"""Names that look like another: `аda` with a Cyrillic а, or `user1` beside `userl`."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from confusable_homoglyphs.categories import unique_aliases
from confusable_homoglyphs.confusables import is_confusable

# Many letters of these look the same, and no language mixes them within a word. Other scripts do go together:
# Japanese is written in three (Unicode Technical Standard 39, section 5.2).
ALPHABETS = {"LATIN", "CYRILLIC", "GREEK"}


def mixes_alphabets(name: str) -> bool:
    """Whether a word of the name has letters of several alphabets."""
    return any(len(unique_aliases(word) & ALPHABETS) > 1 for word in name.split())


def looks_like_one_of(name: str, others: Iterable[str]) -> bool:
    """Whether somebody may take the name for one of the others, in either case."""
    own = _skeletons(name)
    return any(own & _skeletons(other) for other in others)


def _skeletons(name: str) -> set[str]:
    """What is left of the name's looks, as written and in small letters; of no use but to compare."""
    return {_skeleton(name), _skeleton(name.casefold())}


def _skeleton(name: str) -> str:
    # What has no width or shape of its own is left out: marks of direction, joiners.
    seen = (char for char in unicodedata.normalize("NFKD", name) if unicodedata.category(char) != "Cf")
    return " ".join("".join(_prototype(char) for char in seen).split())


@lru_cache(maxsize=4096)
def _prototype(char: str) -> str:
    """The first of the characters that look like this one: the same for each of them."""
    alike = {char, *_lookalikes(char)}
    return min(alike.union(*map(_lookalikes, alike)))


def _lookalikes(char: str) -> set[str]:
    found = is_confusable(char) or ()
    return {other["c"] for each in found for other in each["homoglyphs"] if len(other["c"]) == 1}
