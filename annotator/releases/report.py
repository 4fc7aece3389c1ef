"""The corpus report: what text is made of, and how much of it is boilerplate; no database."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from extraction.composition import BOILERPLATE, Amount, added, boilerplate_share
from extraction.weights import effective, weights_of

Amounts = Mapping[str, Sequence[int]]
CHARACTERS = Amount._fields.index("characters")


class Counted(NamedTuple):
    """One page. `weight` says for how many pages of the corpus it stands."""

    language: str
    site: str
    amounts: Amounts
    weight: float = 1.0


def report(pages: Iterable[tuple[Any, ...]], labels: Sequence[str]) -> dict[str, Any]:
    """Blocks, words and tokens per label, and the share of boilerplate per language and site; as JSON.

    Pages are as `Counted`. Of a share, `pooled` is that of all characters together and `mean` the mean of the
    pages' own shares. Amounts are what the pages have; shares are of the corpus, each page counting as often
    as it weighs, and `effective` says how many pages drawn with equal odds would be as good, where that is
    another number.
    """
    pages = _even([Counted(*page) for page in pages])
    total = added(page.amounts for page in pages)
    names = [*labels, *sorted(total.keys() - {*labels, BOILERPLATE}), BOILERPLATE]
    every = added({"": amount} for amount in total.values()).get("", Amount())
    weighed = _weighed(pages)
    of_all = [sum(column) for column in zip(*weighed.values(), strict=True)] or [0] * len(every)
    return {
        "pages": len(pages),
        **_effective(pages),
        "labels": [
            [name, *total.get(name, Amount()), *_shares_of(weighed.get(name, Amount()), of_all)]
            for name in names
        ],
        "total": list(every),
        "boilerplate": _shares(pages),
        "languages": _by(pages, attrgetter("language")),
        "sites": _by(pages, attrgetter("site")),
    }


def _even(pages: Sequence[Counted]) -> list[Counted]:
    weights = weights_of([page.weight for page in pages], len(pages)).tolist()
    return [page._replace(weight=weight) for page, weight in zip(pages, weights, strict=True)]


def _effective(pages: Sequence[Counted]) -> dict[str, float]:
    found = effective(weights_of([page.weight for page in pages], len(pages)))
    return {} if found is None else {"effective": found}


def _weighed(pages: Sequence[Counted]) -> dict[str, list[float]]:
    """The amounts by label, those of each page as often as it weighs."""
    found: dict[str, list[float]] = {}
    for page in pages:
        for label, amount in page.amounts.items():
            before = found.get(label, [0.0] * len(amount))
            found[label] = [one + page.weight * more for one, more in zip(before, amount, strict=True)]
    return found


def _shares_of(amount: Sequence[float], every: Sequence[float]) -> list[float | None]:
    return [part / whole if whole else None for part, whole in zip(amount, every, strict=True)]


def _by(pages: Sequence[Counted], name_of: Callable[[Counted], str]) -> list[list[Any]]:
    """Pages and shares by language or site, the most frequent first."""
    groups: dict[str, list[Counted]] = {}
    for page in pages:
        groups.setdefault(name_of(page), []).append(page)
    rows = [[name, len(group), _shares(group)] for name, group in groups.items()]
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def _shares(pages: Sequence[Counted]) -> dict[str, float | None]:
    shares = [(page.weight, boilerplate_share(page.amounts)) for page in pages]
    known = [(weight, share) for weight, share in shares if share is not None]
    weighed = _weighed(pages)
    characters = sum(amount[CHARACTERS] for amount in weighed.values())
    blank = weighed.get(BOILERPLATE, [0.0] * len(Amount._fields))[CHARACTERS]
    return {
        "pooled": blank / characters if characters else None,
        "mean": sum(weight * share for weight, share in known) / sum(weight for weight, _ in known)
        if known
        else None,
    }
