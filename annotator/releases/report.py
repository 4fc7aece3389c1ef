"""The corpus report: amounts of text by label, and the share of boilerplate; no database."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from extraction.metrics.composition import BOILERPLATE, TextAmount, added, boilerplate_share
from extraction.metrics.page_weights import effective, weights_of

Amounts = Mapping[str, Sequence[int]]
CHARACTERS = TextAmount._fields.index("characters")


class ReportPage(NamedTuple):
    """One page. `weight` is the number of pages of the corpus that it represents."""

    language: str
    site: str
    amounts: Amounts
    weight: float = 1.0


def report(pages: Iterable[ReportPage], labels: Sequence[str]) -> dict[str, Any]:
    """Return blocks, words and tokens by label, and the share of boilerplate by language and site, as JSON.

    A share has `pooled`, of the characters of all pages, and `mean`, the mean over pages. Amounts are plain
    sums; shares are weighted, and `effective` is the effective sample size if it differs from the number of
    pages.
    """
    pages = list(pages)
    weights = weights_of([page.weight for page in pages], len(pages))
    sample = effective(weights)
    pages = [page._replace(weight=weight) for page, weight in zip(pages, weights.tolist(), strict=True)]
    total = added(page.amounts for page in pages)
    names = [*labels, *sorted(total.keys() - {*labels, BOILERPLATE}), BOILERPLATE]
    every = added({"": amount} for amount in total.values()).get("", TextAmount())
    weighted = _weighted_amounts(pages)
    of_all = [sum(column) for column in zip(*weighted.values(), strict=True)] or [0] * len(every)
    return {
        "pages": len(pages),
        **({} if sample is None else {"effective": sample}),
        "labels": [
            [name, *total.get(name, TextAmount()), *_shares_of(weighted.get(name, TextAmount()), of_all)]
            for name in names
        ],
        "total": list(every),
        "boilerplate": _shares(pages),
        "languages": _by(pages, attrgetter("language")),
        "sites": _by(pages, attrgetter("site")),
    }


def _weighted_amounts(pages: Sequence[ReportPage]) -> dict[str, list[float]]:
    """Return the weighted amounts by label."""
    found: dict[str, list[float]] = {}
    for page in pages:
        for label, amount in page.amounts.items():
            before = found.get(label, [0.0] * len(amount))
            found[label] = [one + page.weight * more for one, more in zip(before, amount, strict=True)]
    return found


def _shares_of(amount: Sequence[float], every: Sequence[float]) -> list[float | None]:
    return [part / whole if whole else None for part, whole in zip(amount, every, strict=True)]


def _by(pages: Sequence[ReportPage], name_of: Callable[[ReportPage], str]) -> list[list[Any]]:
    """Return [name, pages, shares] by language or site, most frequent first."""
    groups: dict[str, list[ReportPage]] = {}
    for page in pages:
        groups.setdefault(name_of(page), []).append(page)
    rows = [[name, len(group), _shares(group)] for name, group in groups.items()]
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def _shares(pages: Sequence[ReportPage]) -> dict[str, float | None]:
    shares = [(page.weight, boilerplate_share(page.amounts)) for page in pages]
    known = [(weight, share) for weight, share in shares if share is not None]
    weighted = _weighted_amounts(pages)
    characters = sum(amount[CHARACTERS] for amount in weighted.values())
    blank = weighted.get(BOILERPLATE, [0.0] * len(TextAmount._fields))[CHARACTERS]
    return {
        "pooled": blank / characters if characters else None,
        "mean": sum(weight * share for weight, share in known) / sum(weight for weight, _ in known)
        if known
        else None,
    }
