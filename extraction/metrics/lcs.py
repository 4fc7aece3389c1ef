"""Longest common subsequences of two lists of tokens, exact, on the bits of long integers.

A row of the textbook table is one integer: bit `j` is clear where the row grows by one from column `j` to the
next. The next row follows from it with an addition and a subtraction (Hyyrö 2004, "Bit-parallel LCS-length
computation revisited"). Parts of one page have long runs in common, and most of the table need not be filled:
`_common` says when.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any

from extraction.metrics.matching import MatchingBlock, matching_blocks

Tokens = Sequence[Hashable]
Size = Callable[[Any], int]

# Cells of a table that is sooner filled than avoided.
SMALL = 400


def length(a: Tokens, b: Tokens) -> int:
    """How many tokens the longest common subsequence has."""
    return _common(a, b, lambda _token: 1)


def weight(a: Sequence[str], b: Sequence[str]) -> int:
    """The greatest total length of tokens that two lists have in common, in one order.

    A token of n characters stands as n different units, and no subsequence of units beats the best one of
    whole tokens. Proof: draw a number below 1, and of each token keep the unit at that share of its length.
    The matched units that are kept are a common subsequence of tokens; its weight, averaged over the draws,
    is the number of all matched units.
    """
    return _common(a, b, len)


def ratio(a: Tokens, b: Tokens) -> float:
    """The Levenshtein ratio where a substitution costs 2: 1 - distance / (both lengths), 1 for two empty."""
    whole = len(a) + len(b)
    return 2 * length(a, b) / whole if whole else 1.0


def finder(a: Tokens) -> Callable[[Tokens], list[int]]:
    """What finds the indices of `a` that are in a longest common subsequence with another list, last first.

    Of several such subsequences it is the one that the textbook finds on its way back: it takes equal tokens,
    else drops the last token of the other list where that alone keeps the length, else the last one of `a`.
    """
    masks: dict[Hashable, int] = {}
    for index, token in enumerate(a):
        masks[token] = masks.get(token, 0) | 1 << index
    full = (1 << len(a)) - 1
    return lambda b: _way_back(a, b, _rows(b, masks, full))


def _rows(b: Tokens, masks: Mapping[Hashable, int], full: int) -> list[int]:
    row = full
    rows = [row]
    for token in b:
        if token in masks:
            matched = row & masks[token]
            row = ((row + matched) | (row - matched)) & full
        rows.append(row)
    return rows


def _way_back(a: Tokens, b: Tokens, rows: Sequence[int]) -> list[int]:
    found: list[int] = []
    i, j = len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            found.append(i - 1)
            i, j = i - 1, j - 1
        elif _cell(rows[j - 1], i) > _cell(rows[j], i - 1):
            j -= 1
        else:
            i -= 1
    return found


def _cell(row: int, columns: int) -> int:
    """One cell of the textbook table: how many of the first bits are clear."""
    return columns - (row & ((1 << columns) - 1)).bit_count()


def _common(a: Tokens, b: Tokens, size: Size) -> int:
    """The common total of sizes: of what is certain, and of the table of what is left between."""
    certain, a, b = _peeled(a, b, size)
    if len(a) * len(b) <= SMALL:
        return certain + _table(a, b, size)
    if _is_within(a, b) or _is_within(b, a):
        return certain + min(sum(map(size, a)), sum(map(size, b)))
    blocks = sorted(matching_blocks(a, b))
    lower = sum(size(token) for start, _, length in blocks for token in a[start : start + length])
    counts, others = Counter(a), Counter(b)
    upper = sum(min(count, others[token]) * size(token) for token, count in counts.items())
    if lower == upper:
        return certain + lower
    unique = {token for token, count in counts.items() if count == 1 and others[token] == 1}
    anchors = [block for block in blocks if _weight_of(unique, block, a, size) > upper - lower]
    if not anchors:
        return certain + _table(a, b, size)
    return certain + _around(anchors, a, b, size)


def _weight_of(tokens: Collection[Hashable], block: MatchingBlock, a: Tokens, size: Size) -> int:
    """What those of the tokens weigh that are in the block.

    Without a token that each list has once, no common subsequence weighs more than the upper bound less its
    size. If the sizes of such tokens in a block are more than both bounds are apart, a best subsequence has
    one of them, matched with its only equal: it passes through the block, and as equal neighbours may as well
    be matched, it may as well have all of it. So what lies before and behind can be solved by itself.
    """
    return sum(size(token) for token in a[block.a : block.a + block.size] if token in tokens)


def _around(anchors: Sequence[MatchingBlock], a: Tokens, b: Tokens, size: Size) -> int:
    """The sizes of the anchors, and of what lists have in common before, between and behind them."""
    total = i = j = 0
    for start, other, length in anchors:
        total += _common(a[i:start], b[j:other], size) + sum(map(size, a[start : start + length]))
        i, j = start + length, other + length
    return total + _common(a[i:], b[j:], size)


def _peeled(a: Tokens, b: Tokens, size: Size) -> tuple[int, Tokens, Tokens]:
    """Take off what both begin or end with, which is part of a best solution, and what only one of them has.

    Return the size of the former, and the rests.
    """
    certain = 0
    while True:
        start = _shared_prefix(a, b)
        end = _shared_prefix(a[start:][::-1], b[start:][::-1])
        certain += sum(map(size, a[:start])) + sum(map(size, a[len(a) - end :]))
        a, b = a[start : len(a) - end], b[start : len(b) - end]
        shared = set(a).intersection(b)
        rests = [t for t in a if t in shared], [t for t in b if t in shared]
        if len(rests[0]) == len(a) and len(rests[1]) == len(b):
            return certain, a, b
        a, b = rests


def _shared_prefix(a: Tokens, b: Tokens) -> int:
    pairs = enumerate(zip(a, b, strict=False))
    return next((index for index, (x, y) in pairs if x != y), min(len(a), len(b)))


def _is_within(a: Tokens, b: Tokens) -> bool:
    """Whether all of `a` is a subsequence of `b`."""
    rest = iter(b)
    return len(a) <= len(b) and all(token in rest for token in a)


def _table(a: Tokens, b: Tokens, size: Size) -> int:
    """The last cell of the textbook's table."""
    columns, others = (a, b) if len(a) <= len(b) else (b, a)
    masks = _masks(columns, size)
    width = sum(map(size, columns))
    row = full = (1 << width) - 1
    for token in others:
        mask = masks[token]
        for unit in range(size(token)):
            matched = row & (mask << unit)
            row = ((row + matched) | (row - matched)) & full
    return width - row.bit_count()


def _masks(tokens: Tokens, size: Size) -> dict[Hashable, int]:
    """For each token, the bits of the first units of its occurrences."""
    starts: dict[Hashable, list[int]] = {}
    bit = 0
    for token in tokens:
        starts.setdefault(token, []).append(bit)
        bit += size(token)
    return {token: _with_bits(bits) for token, bits in starts.items()}


def _with_bits(bits: Sequence[int]) -> int:
    octets = bytearray((bits[-1] >> 3) + 1)
    for bit in bits:
        octets[bit >> 3] |= 1 << (bit & 7)
    return int.from_bytes(octets, "little")
