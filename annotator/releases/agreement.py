"""Agreement on the pages of a release, between submissions before adjudication."""

from collections.abc import Callable, Iterable
from typing import Any

from annotator.releases.gold_counts import AgreementCounts
from extraction.agreement.counts import PageCounts
from extraction.agreement.pool import Figures, Pool

ARTICLE = ("set", "article")


def agreement(
    pages: Iterable[tuple[AgreementCounts, float]], heartbeat: Callable[[], object] = lambda: None
) -> dict[str, Any]:
    """Return the coefficients of all pairs, and of pairs without suggestions as `blind`; pages are weighted.

    `heartbeat` is called between coefficients: each takes seconds on many pages.
    """
    pages = list(pages)
    return {
        "all": _figures([(counts.all, weight) for counts, weight in pages], heartbeat),
        "blind": _figures([(counts.blind, weight) for counts, weight in pages if counts.blind], heartbeat),
    }


def _figures(pages: list[tuple[PageCounts, float]], heartbeat: Callable[[], object]) -> dict[str, Any]:
    pool = Pool([counts for counts, _weight in pages], weights=[weight for _counts, weight in pages])

    def to_json(figures: Figures) -> dict[str, Any]:
        heartbeat()
        return {name: figure.to_json() for name, figure in figures.items()}

    return {
        "character": to_json(pool.units("character")),
        "word": to_json(pool.units("word")),
        "block": to_json(pool.units("block")),
        "article": to_json(pool.units("character", ARTICLE)),
        "labels": {name: to_json(pool.units("character", (kind, name))) for kind, name in pool.views
                   if kind == "label"},
        "span": to_json(pool.spans()),
        "unitizing": to_json(pool.unitizing()),
        "verdict": to_json(pool.verdicts()),
    }  # fmt: skip
