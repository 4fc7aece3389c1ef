"""What is known of extractors, made from scores of pages, for tests of rows without a database."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotator.scoring.leaderboard.leaderboard import LeaderboardRow, rows_of
from annotator.scoring.leaderboard.ranking import Ranking, Standing
from annotator.scoring.leaderboard.scored import Scored
from annotator.scoring.totals.figures import ONE, Kind, Sums, contributions
from extraction.metrics.pages import PageScore, score


@dataclass(frozen=True)
class Page:
    """The score of an extractor on a page; a page that counts for it counts for all."""

    score: PageScore
    blind: bool = True
    tuned_on: bool = False
    seconds: float | None = 0.01
    page: int = 0
    is_common: bool = True

    @property
    def kind(self) -> Kind:
        if self.tuned_on:
            return Kind.TUNED
        common = Kind.COMMON | Kind.COMMON_BLIND if self.is_common else Kind(0)
        return common | (Kind.BLIND if self.blind else Kind(0))


def scored(true: int, predicted: int, gold: int, **more: Any) -> Page:
    return Page(score(true, predicted, gold), **more)


def columns(pages: Sequence[Page], *, weights: Sequence[float] | None = None) -> Scored:
    def whole(values: list[object]) -> np.ndarray:
        return np.array(values, dtype=np.int64)

    return Scored(
        whole([page.page for page in pages]),
        whole([page.kind for page in pages]),
        whole([page.score.failed for page in pages]),
        whole([-1 if page.seconds is None else round(page.seconds * 1e6) for page in pages]),
        whole([_parts(page.score) for page in pages]).reshape(len(pages), 5),
        np.array(weights or [1.0] * len(pages)),
    )


def _parts(score: PageScore) -> list[int]:
    shares = [-1 if share is None else round(share * ONE) for share in (score.precision, score.recall)]
    return [int(score.true), int(score.predicted), int(score.gold), *shares]


def sums_of(of: Scored) -> Sums:
    pages = np.stack([of.failed, of.microseconds, of.pages], axis=1)
    added = contributions(pages, of.parts, np.ones(len(of.pages), dtype=np.int64))
    return Sums(*added.sum(axis=0).tolist())


def standing(pages: Sequence[Page], *, is_whole: bool = True) -> Standing:
    every = columns(pages)
    sums = {Kind(kind): sums_of(every.where(every.kinds == kind)) for kind in set(every.kinds.tolist())}
    return Standing(sums, every, is_whole)


def rows(
    *pages: Sequence[Page], gold: str = "all", mean: str = "macro", page_set: str = "own"
) -> list[LeaderboardRow]:
    """The rows of extractors 0, 1 ... with these scores."""
    described = [
        {"extractor_id": number, "name": f"e{number}", "title": f"e{number}",
         "version": "1", "parameters": {}, "is_available": True}
        for number in range(len(pages))
    ]  # fmt: skip
    choice = Ranking("character", gold, mean, page_set)
    return rows_of(described, {n: standing(each) for n, each in enumerate(pages)}, choice)
