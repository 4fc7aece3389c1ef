"""Words as the Penn Treebank cuts them: punctuation apart, "don't" as do and n't, quotes as `` and ''.

BoilerNet's program asks NLTK, which first cuts a text into sentences by a model of English. Here a stop
ends a sentence at the end of the text, and before a blank and a capital where what it stands after is no
abbreviation: a single letter, or letters with stops among them.
"""

import re

_CONTRACTION = re.compile(r"(?i)([^' ])('ll|'re|'ve|n't)(?= )")
_CLITIC = re.compile(r"(?i)([^' ])('s|'m|'d|') ")
_OPENING = re.compile(r"""(?:(?<=^)|(?<=[ (\[{<]))["“]""")
_CLOSING = re.compile(r'["”]')
_ALONE = re.compile(r"""[;@#$%&?!()\[\]{}<>«»‘’]|--|\.{2,}|…""")
_COMMA = re.compile(r"([:,])(?=\D|$)")
_SENTENCE_END = re.compile(r"(?<![.\s])(\.)(?=[\"'”’)\]}]*(?:\s+[^\W\d_a-z]|\s*$))")
_ABBREVIATION = re.compile(r"(?:^|[^\w.])(?:[^\W\d_]|[^\W\d_](?:\.[^\W\d_])+)$")
_LONGEST_ABBREVIATION = 20


def words(text: str) -> list[str]:
    """The words of a text, in lower case."""
    spaced = _with_stops_apart(" ".join(text.split()))
    spaced = _OPENING.sub(" `` ", spaced)
    spaced = _CLOSING.sub(" '' ", spaced)
    spaced = _COMMA.sub(r" \1 ", spaced)
    spaced = _ALONE.sub(lambda found: f" {found[0]} ", spaced)
    spaced = f" {spaced} "
    spaced = _CONTRACTION.sub(r"\1 \2 ", spaced)
    spaced = _CLITIC.sub(r"\1 \2 ", spaced)
    return spaced.lower().split()


def _with_stops_apart(text: str) -> str:
    """The text with a blank before each stop that ends a sentence."""
    parts: list[str] = []
    start = 0
    for stop in _SENTENCE_END.finditer(text):
        position = stop.start()
        is_last = not text[stop.end() :].strip("\"'”’)]} ")
        before = text[max(0, position - _LONGEST_ABBREVIATION) : position]
        if is_last or not _ABBREVIATION.search(before):
            parts += [text[start:position], " ."]
            start = stop.end()
    return "".join([*parts, text[start:]])
