"""The corpus report: what text is made of, and how much of it is boilerplate; no database."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from extraction.composition import BOILERPLATE, Amount, added, boilerplate_share

Amounts = Mapping[str, Sequence[int]]
# Language, site, amounts of one page.
Counted = tuple[str, str, Amounts]


def report(pages: Iterable[Counted], labels: Sequence[str]) -> dict[str, Any]:
    """Blocks, words and tokens per label, and the share of boilerplate per language and site; as JSON.

    Of a share, `pooled` is that of all characters together and `mean` the mean of the pages' own shares.
    """
    pages = list(pages)
    total = added(amounts for _language, _site, amounts in pages)
    names = [*labels, *sorted(total.keys() - {*labels, BOILERPLATE}), BOILERPLATE]
    every = added({"": amount} for amount in total.values()).get("", Amount())
    return {
        "pages": len(pages),
        "labels": [[name, *_row(total.get(name, Amount()), every)] for name in names],
        "total": list(every),
        "boilerplate": _shares(pages),
        "languages": _by(pages, 0),
        "sites": _by(pages, 1),
    }


def _row(amount: Amount, every: Amount) -> list[Any]:
    """The amount, then its share of all."""
    return [*amount, *(part / whole if whole else None for part, whole in zip(amount, every, strict=True))]


def _by(pages: Sequence[Counted], place: int) -> list[list[Any]]:
    """Pages, characters and shares by language or site, the most frequent first."""
    groups: dict[str, list[Counted]] = {}
    for page in pages:
        groups.setdefault(str(page[place]), []).append(page)
    rows = [[name, len(group), _shares(group)] for name, group in groups.items()]
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def _shares(pages: Sequence[Counted]) -> dict[str, float | None]:
    shares = [share for page in pages if (share := boilerplate_share(page[2])) is not None]
    return {
        "pooled": boilerplate_share(added(amounts for _language, _site, amounts in pages)),
        "mean": sum(shares) / len(shares) if shares else None,
    }
