"""Texts -> sentences, by rules that know no language: line breaks, and the marks that end a sentence."""

import re

# Marks and what closes with them; after those of Chinese and Japanese no blank follows.
_END = re.compile(r"[.!?…؟।]+[\"'”’»)\]]*\s+|[。！？]+[」』”’）]*\s*")


def sentences(text: str) -> list[str]:
    """The sentences of a text in their order, without blanks at their ends; none is empty."""
    pieces = (piece.strip() for line in text.splitlines() for piece in _split(line))
    return [piece for piece in pieces if piece]


def _split(line: str) -> list[str]:
    ends = [match.end() for match in _END.finditer(line) if _ends_sentence(line, match)]
    return [line[start:end] for start, end in zip([0, *ends], [*ends, len(line)], strict=True)]


def _ends_sentence(line: str, match: re.Match[str]) -> bool:
    """Not before a small letter ("e.g. this"), nor after a single capital ("J. Smith")."""
    if line[match.end() : match.end() + 1].islower():
        return False
    before = line[max(0, match.start() - 2) : match.start()]
    return not (match[0].startswith(".") and before[-1:].isupper() and not before[:-1].isalnum())
