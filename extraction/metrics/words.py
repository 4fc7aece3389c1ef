"""`words`: lower-cased words as a bag, the measure of the Web Content Extraction Benchmark (WCXB).

Beside it the benchmark looks for snippets: strings that an extraction must have, and others that it must not.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class SnippetRates:
    """Shares of the snippets found in an extraction: more is better of `with_`, less of `without`.

    As the benchmark has it, a page without snippets counts as 1 in both, which makes `without` look worse
    than it is; the figures that end in `_listed` leave such pages out, and are None where nothing is left.
    """

    with_: float
    without: float
    with_listed: float | None
    without_listed: float | None


def snippet_rate(snippets: Sequence[str], text: str) -> float | None:
    """The share of snippets that a text holds, whatever their case; None without snippets."""
    lower = text.lower()
    return sum(snippet.lower() in lower for snippet in snippets) / len(snippets) if snippets else None


def snippet_rates(pages: Iterable[tuple[str, Sequence[str], Sequence[str]]]) -> SnippetRates:
    """Means over pages, each a text with the snippets that it must have and those that it must not."""
    rates = [(snippet_rate(with_, text), snippet_rate(without, text)) for text, with_, without in pages]
    have, avoid = [rate for rate, _ in rates], [rate for _, rate in rates]
    return SnippetRates(
        with_=_mean([1.0 if rate is None else rate for rate in have]) or 0.0,
        without=_mean([1.0 if rate is None else rate for rate in avoid]) or 0.0,
        with_listed=_mean([rate for rate in have if rate is not None]),
        without_listed=_mean([rate for rate in avoid if rate is not None]),
    )


def _mean(rates: Sequence[float]) -> float | None:
    return sum(rates) / len(rates) if rates else None
