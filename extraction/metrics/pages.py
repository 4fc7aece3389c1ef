"""The score of one extraction on one page."""

from collections.abc import Mapping
from dataclasses import dataclass, field


def harmonic_mean(precision: float, recall: float) -> float:
    """F1 of a precision and a recall; 0 when both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class PageScore:
    """Amounts of text on one page, in the unit of the metric, and what follows from them.

    `true` was predicted and is gold, `predicted` and `gold` are all that was; `gold_unplaced` is gold text
    that the document does not have, beyond `gold`. `precision` and `recall` are None where the metric leaves
    the page out of their mean. `failed` says that the extractor gave no result, which scores as an empty one.
    `extras` are further figures of the metric, by name; None leaves the page out of their mean.
    """

    true: float
    predicted: float
    gold: float
    precision: float | None
    recall: float | None
    gold_unplaced: float = 0
    failed: bool = False
    extras: Mapping[str, float | None] = field(default_factory=dict, hash=False)

    @property
    def f1(self) -> float:
        """F1 of the page: 1 when it is left out of both means, with nothing to find and nothing predicted."""
        if self.precision is None and self.recall is None:
            return 1.0
        return harmonic_mean(self.precision or 0.0, self.recall or 0.0)

    @property
    def recall_all(self) -> float:
        """Recall with the unplaced gold counted as missed."""
        whole = self.gold + self.gold_unplaced
        return self.true / whole if whole else self.recall or 0.0


def score(
    true: float,
    predicted: float,
    gold: float,
    *,
    unplaced: float = 0,
    failed: bool = False,
    extras: Mapping[str, float | None] | None = None,
) -> PageScore:
    """The score by the rule for empty texts of `character`, `char-lcs`, `block` and `rouge`.

    Both empty: 1 and 1. Nothing predicted where there is gold: 0 and 0, so that silence never pays; a failure
    is the same. Something predicted where there is no gold: precision 0, and recall 1, for there was nothing
    to miss.
    """
    more = extras or {}
    if failed:
        return PageScore(0, 0, gold, 0.0, 0.0, unplaced, failed=True, extras=more)
    silent = 0.0 if gold else 1.0
    precision = true / predicted if predicted else silent
    recall = true / gold if gold else 1.0
    return PageScore(true, predicted, gold, precision, recall, unplaced, extras=more)
