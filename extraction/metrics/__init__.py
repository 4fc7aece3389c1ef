"""How good an extraction is, measured against gold: one module a metric."""

from extraction.metrics.pages import PageScore
from extraction.metrics.summary import Summary, summarise

__all__ = ["PageScore", "Summary", "summarise"]
