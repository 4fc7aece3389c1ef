"""How far annotators agree, and on which segments they do not."""

from extraction.agreement.character import cohen_kappa, confusion, f1, observed
from extraction.agreement.segments import Comparison, Dispute, Piece, compare, resolve

__all__ = [
    "Comparison",
    "Dispute",
    "Piece",
    "cohen_kappa",
    "compare",
    "confusion",
    "f1",
    "observed",
    "resolve",
]
