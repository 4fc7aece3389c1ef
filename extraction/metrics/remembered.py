"""Results about texts that are asked for again and again, kept for the latest texts.

A page has one gold and several extractions, each under several label sets and metrics, so that most texts
come many times in a row.
"""

from functools import lru_cache

#: Texts that a few pages have under all label sets, with those of some extractors.
TEXTS = 64
#: Lines of these texts, most of which several texts of a page have.
LINES = 1 << 12
#: Pairs of sentences.
PAIRS = 1 << 15

remembered = lru_cache(maxsize=TEXTS)
remembered_line = lru_cache(maxsize=LINES)
remembered_pair = lru_cache(maxsize=PAIRS)
