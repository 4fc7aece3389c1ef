"""How far annotators agree, and on which segments they do not."""

from extraction.agreement.character import cohen_kappa, f1
from extraction.agreement.segments import Dispute, Piece, SegmentComparison, compare, resolve
from extraction.metrics.character_labels import confusion

__all__ = [
    "Dispute",
    "Piece",
    "SegmentComparison",
    "cohen_kappa",
    "compare",
    "confusion",
    "f1",
    "resolve",
]
