"""A page as one row of tags and stemmed words, and what a model is told of each.

A model counts trigrams, and from trigrams as they are the text of a page could be put together again. So
each is known by a digest only.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from snowballstemmer import stemmer

from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.documents.tags import VOID

_WORD = re.compile(r"[^\W_]+")
_LEFT_OUT = frozenset(("head", "script", "style"))
_PORTER = stemmer("porter")
NO_NODE = -1


class TokenSequence(NamedTuple):
    """For each token the digests of its trigram and of the tag around it, and the text node that it is a word
    of, negative for a tag."""

    trigrams: NDArray[np.uint64]
    tags: NDArray[np.uint64]
    nodes: NDArray[np.int64]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word by Porter's algorithm, in lower case; every number is 1."""
    if word.isdecimal():
        return "1"
    stemmed: str = _PORTER.stemWord(word.lower())
    return stemmed


def digest(parts: Sequence[str]) -> int:
    """Eight bytes for a feature."""
    return int.from_bytes(blake2b("\x1f".join(parts).encode(), digest_size=8).digest())


def tokens_of(stream: Iterable[tuple[str, int]]) -> TokenSequence:
    """The features of tokens, each with its text node: `<p>` and `</p>` for tags.

    A trigram is a token and the two before it. The tag around is the innermost open one: of a start tag the
    one that it stands in, of an end tag the one that is open after it.
    """
    before = "", ""
    open_: list[str] = []
    trigrams, tags, nodes = [], [], []
    for token, node in stream:
        is_tag = node == NO_NODE
        if is_tag and token.startswith("</") and token[2:-1] in open_:
            while open_.pop() != token[2:-1]:
                pass
        trigrams.append(digest(("trigram", *before, token)))
        tags.append(digest(("tag", open_[-1] if open_ else "")))
        nodes.append(node)
        before = before[1], token
        if is_tag and not token.startswith("</") and token[1:-1] not in VOID:
            open_.append(token[1:-1])
    return TokenSequence(np.array(trigrams, np.uint64), np.array(tags, np.uint64), np.array(nodes, np.int64))


@cached_on_document
def page_tokens(document: Document) -> TokenSequence:
    """The tags and words of a page."""
    return tokens_of(_stream(document))


def _stream(document: Document) -> list[tuple[str, int]]:
    """Each token with its text node."""
    found: list[tuple[str, int]] = []
    open_: list[str] = []
    left_out, node = 0, 0
    for event in document.events:
        if isinstance(event, str):
            if not left_out:
                found += [(stem(word), node) for word in _WORD.findall(event)]
            node += 1
        elif event is None:
            tag = open_.pop()
            left_out -= tag in _LEFT_OUT
            if not left_out and tag not in _LEFT_OUT and tag not in VOID:
                found.append((f"</{tag}>", NO_NODE))
        else:
            tag = event[0]
            open_.append(tag)
            left_out += tag in _LEFT_OUT
            if not left_out:
                found.append((f"<{tag}>", NO_NODE))
    return found
