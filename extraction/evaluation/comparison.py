"""Rows of one evaluation against one of them: how much better, and whether that may be chance."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from extraction.evaluation import METRICS, EvaluationRow
from extraction.metrics.statistics import (
    PairedDifference,
    RankTest,
    holm,
    mann_whitney,
    paired_difference,
    wilcoxon,
)


class RowComparison(NamedTuple):
    """A row minus another: F1 as the metric has it, and rank tests of the pages' own F1.

    `p_holm` is the Wilcoxon p-value corrected for all rows that were compared at once.
    """

    difference: PairedDifference
    wilcoxon: RankTest
    p_holm: float | None
    mann_whitney: RankTest

    def to_json(self) -> dict[str, Any]:
        """As it is printed as JSON."""
        return {
            "difference": self.difference.value,
            "low": self.difference.low,
            "high": self.difference.high,
            "wilcoxon": {"w": self.wilcoxon.statistic, "p": self.wilcoxon.p, "p_holm": self.p_holm},
            "mann_whitney": {"u": self.mann_whitney.statistic, "p": self.mann_whitney.p},
        }


def compare(rows: Sequence[EvaluationRow], against: EvaluationRow) -> list[RowComparison | None]:
    """Each row compared with one of them, which has the same pages; None for that one itself."""
    others = [row for row in rows if row.candidate != against.candidate]
    tests = [wilcoxon(_page_f1(row), _page_f1(against)) for row in others]
    corrected = holm([test.p for test in tests])
    found = {
        id(row): RowComparison(
            _difference(row, against), test, p, mann_whitney(_page_f1(row), _page_f1(against))
        )
        for row, test, p in zip(others, tests, corrected, strict=True)
    }
    return [found.get(id(row)) for row in rows]


def _difference(row: EvaluationRow, against: EvaluationRow) -> PairedDifference:
    return paired_difference(row.scores, against.scores, by_page=METRICS[row.metric].by_page)


def _page_f1(row: EvaluationRow) -> list[float]:
    return [score.f1 for score in row.scores]
