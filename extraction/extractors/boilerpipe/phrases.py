"""What Boilerpipe reads off the texts of short blocks: where an article ends, and which block is its title.

The two editions differ: 1.2.0 (2011), and 2.0, which was never released. Blocks are given as the parallel
lists of `TextBlocks` and returned as indices into them.
"""

import re
from collections.abc import Iterable, Sequence

END_MAX_WORDS = 14
END_MIN_LENGTH = 8  # characters
MIN_WORDS_OF_CLAUSE = 5

_END_START = re.compile(
    r"comments|[0-9]+ (?:comments|users responded in)|© reuters|please rate this|post a comment"
)
_END_INSIDE = (
    "what you think...",
    "add your comment",
    "add comment",
    "reader views",
    "have your say",
    "reader comments",
    "rätta artikeln",
)
_END_WHOLE = "thanks for your comments - this feedback is now closed"
#: One of these is in every text that ends an article.
_END_HINTS = (
    "comment",
    "users responded in",
    "© reuters",
    "please rate this",
    *(part for part in _END_INSIDE if "comment" not in part),
)


def ends(texts: Sequence[str], words: Sequence[int]) -> list[int]:
    """The short blocks that stand where a text ends: comment counts and calls to comment."""
    return [block for block in _with_end_hint(texts, words) if _ends_text(texts[block].lower())]


def ends_2(texts: Sequence[str], words: Sequence[int], link_densities: Sequence[float]) -> list[int]:
    """The same by 2.0, which also knows the bare link "Comment"."""
    return [
        block
        for block in _with_end_hint(texts, words)
        if _ends_text(texts[block].lower()) or (texts[block] == "Comment" and link_densities[block] == 1)
    ]


def _with_end_hint(texts: Sequence[str], words: Sequence[int]) -> list[int]:
    """The blocks of few words in which one of the hints stands."""
    short = [text if number <= END_MAX_WORDS else "" for text, number in zip(texts, words, strict=True)]
    return sorted(_lines_with(_END_HINTS, "\n".join(short).lower()))


def _lines_with(hints: Iterable[str], text: str) -> set[int]:
    """The numbers of the lines in which a hint stands."""
    found: set[int] = set()
    for hint in hints:
        line = start = 0
        at = text.find(hint)
        while at >= 0:
            line += text.count("\n", start, at)
            found.add(line)
            start, at = at, text.find(hint, at + len(hint))
    return found


def _ends_text(text: str) -> bool:
    if len(text) < END_MIN_LENGTH:
        return False
    return bool(_END_START.match(text)) or text == _END_WHOLE or any(part in text for part in _END_INSIDE)


def _any_of(marks: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(marks)}]")


#: What stands between the parts of a title, tried one after the other.
_SEPARATORS = tuple(map(_any_of, ("|»:", "|»:()", "|»:()-", "|»,:()-")))
_SEPARATORS_2 = (_any_of("|»-"), *_SEPARATORS, _any_of("|»,:()-\xa0"))
# The look behind keeps a long run of blanks from being read again from each of its blanks.
_SPACED_SEPARATORS_2 = (re.compile(r"(?<! ) +\| +"), re.compile("(?<! ) +- +"))
_SITE = ".com"
_MARKS = "?!.-:"
_PASSED_OVER = f"{_MARKS} '\xa0"
_MIN_WORDS = 4  # of a part that stands for the title though it is not the longest
_SPACES = re.compile(" +")
# Marks after a letter or digit, before a blank or the end.
_CLAUSE_END = re.compile(r"[,.:;!?](?<=[^\W\d_].|[0-9].)[,.:;!?]*(?: +|$)")
_LAST_PART, _FIRST_PART = re.compile(" - [^-]+$"), re.compile("^[^-]+ - ")


def titles(title: str, texts: Sequence[str]) -> list[int]:
    """Every block whose text is the page's title or the longest part of it."""
    candidates = {title, *(_longest(_parts(pattern, title)) for pattern in _SEPARATORS)} - {""}
    return [block for block, text in enumerate(texts) if text in candidates]


def titles_2(title: str, texts: Sequence[str]) -> list[int]:
    """The first block whose text is the title or a part of it, by 2.0: case and some marks do not count."""
    candidates = _candidates(_plain(title))
    firsts = {candidate.lstrip(_PASSED_OVER)[:1] for candidate in candidates}
    for block, text in enumerate(texts):
        if text.lstrip(_PASSED_OVER)[:1].lower()[:1] in firsts:  # few have to be looked at closely
            plain = _plain(text)
            if plain in candidates or _unmarked(plain) in candidates:
                return [block]
    return []


def _plain(text: str) -> str:
    return text.replace("\xa0", " ").replace("'", "").strip(" ").lower()


def _unmarked(text: str) -> str:
    for mark in _MARKS:
        text = text.replace(mark, "")
    return text.strip(" ")


def _candidates(title: str) -> set[str]:
    """The title, its longest parts, its parts of some words, and what is left without the last or first."""
    longest = (_longest(_parts(pattern, title), by_words=True) for pattern in _SEPARATORS_2)
    split = (_parts(pattern, title) for pattern in _SPACED_SEPARATORS_2)
    long = (part for parts in split for part in parts if _SITE not in part and _words(part) >= _MIN_WORDS)
    return {title, _LAST_PART.sub("", title), _FIRST_PART.sub("", title), *longest, *long} - {""}


def _parts(separator: re.Pattern[str], title: str) -> list[str]:
    """The parts of a title; none where it has but one."""
    parts = [part.strip(" ") for part in separator.split(title)]
    while parts and not parts[-1]:  # as Java's split, which drops empty parts at the end only
        parts.pop()
    return parts if len(parts) > 1 else []


def _longest(parts: list[str], *, by_words: bool = False) -> str:
    """The longest part that names no site. `by_words`: as they come, one with more words is longer, too."""
    longest, most = "", 0
    for part in parts:
        words = _words(part) if by_words else 0
        if _SITE not in part and (words > most or len(part) > len(longest)):
            longest, most = part, words
    return longest.strip(" ")


def has_clause(text: str) -> bool:
    """Whether a clause of some words ends in the text; what follows the last mark is none."""
    needed = MIN_WORDS_OF_CLAUSE - 1
    if text.count(" ") < needed:
        return False
    start, single = 0, "  " not in text
    for mark in _CLAUSE_END.finditer(text):
        end = mark.start()
        if text.count(" ", start, end) >= needed and (single or _words(text[start:end]) > needed):
            return True
        start = mark.end()
    return False


def _words(part: str) -> int:
    return len(_SPACES.split(part))
