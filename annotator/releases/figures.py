"""Agreement on the pages of a release: what was handed in for them, before anything was settled."""

from collections.abc import Callable, Iterable
from typing import Any

from annotator.releases.counting import Counts
from extraction.agreement.counts import PageCounts
from extraction.agreement.pool import Figures, Pool

ARTICLE = ("set", "article")


def agreement(
    pages: Iterable[tuple[Counts, float]], beat: Callable[[], object] = lambda: None
) -> dict[str, Any]:
    """Figures of all pairs and, as `blind`, of pairs that were shown nothing; pages with their weights.

    `beat` is called between figures: of many pages each takes seconds.
    """
    pages = list(pages)
    return {
        "all": _figures([(counts.all, weight) for counts, weight in pages], beat),
        "blind": _figures([(counts.blind, weight) for counts, weight in pages if counts.blind], beat),
    }


def _figures(pages: list[tuple[PageCounts, float]], beat: Callable[[], object]) -> dict[str, Any]:
    pool = Pool([counts for counts, _weight in pages], weights=[weight for _counts, weight in pages])

    def said(figures: Figures) -> dict[str, Any]:
        beat()
        return {name: figure.to_json() for name, figure in figures.items()}

    return {
        "character": said(pool.units("character")),
        "word": said(pool.units("word")),
        "block": said(pool.units("block")),
        "article": said(pool.units("character", ARTICLE)),
        "labels": {name: said(pool.units("character", (kind, name))) for kind, name in pool.views
                   if kind == "label"},
        "span": said(pool.spans()),
        "unitizing": said(pool.unitizing()),
        "verdict": said(pool.verdicts()),
    }  # fmt: skip
