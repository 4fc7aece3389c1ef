"""`words`: lower-cased words as a bag, the measure of the Web Content Extraction Benchmark (WCXB)."""

import re
from collections import Counter
from collections.abc import Hashable
from typing import TypeVar

from extraction.metrics.pages import PageScore
from extraction.metrics.remembered import remembered

_WORD = re.compile(r"\w+")
_Item = TypeVar("_Item", bound=Hashable)


@remembered
def lower_words(text: str) -> tuple[str, ...]:
    """The lower-cased words of a text in their order."""
    return tuple(_WORD.findall(text.lower()))


@remembered
def _bag(text: str) -> Counter[str]:
    return Counter(lower_words(text))


def compare(gold: str, predicted: str, *, failed: bool = False) -> PageScore:
    """Score a predicted text against a gold text, in words without their order.

    Both empty: 1 and 1. Only one of them empty, or a failure: 0 and 0.
    """
    expected, found = lower_words(gold), lower_words(predicted)
    if failed or not expected or not found:
        right = float(not failed and not expected and not found)
        amount = 0 if failed else len(found)
        return PageScore(0, amount, len(expected), right, right, failed=failed)
    common = overlap(_bag(gold), _bag(predicted))
    return PageScore(common, len(found), len(expected), common / len(found), common / len(expected))


def overlap(a: Counter[_Item], b: Counter[_Item]) -> int:
    """How many items two multisets have in common."""
    fewer, more = (a, b) if len(a) <= len(b) else (b, a)
    common, count_in_more = 0, more.get
    for item, count in fewer.items():
        other = count_in_more(item)
        if other:
            common += count if count < other else other
    return common
