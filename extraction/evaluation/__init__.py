"""Extractors against the gold of corpora, for the command and the benchmarks."""

from extraction.evaluation.page_metrics import METRICS
from extraction.evaluation.runner import (
    Candidate,
    EvaluationRow,
    PageOutcome,
    PageResult,
    Result,
    Task,
    evaluate,
    judge,
)

__all__ = [
    "METRICS",
    "Candidate",
    "EvaluationRow",
    "PageOutcome",
    "PageResult",
    "Result",
    "Task",
    "evaluate",
    "judge",
]
