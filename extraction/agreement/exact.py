"""Agreement on whole spans: same start, same end, same label."""

from collections.abc import Sequence
from itertools import combinations

from extraction.spans import Span


def matches(annotations: Sequence[Sequence[Span]]) -> tuple[int, int]:
    """Spans that two annotators have in common, and spans that the two have, over all pairs."""
    pairs = list(combinations([set(spans) for spans in annotations], 2))
    return sum(len(a & b) for a, b in pairs), sum(len(a) + len(b) for a, b in pairs)
