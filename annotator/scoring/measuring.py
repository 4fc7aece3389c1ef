"""A score by the metrics that its matrix does not hold, as few numbers; no database.

The texts that metrics compare are those of the document: what gold marks of it, and what the extractor marks.
Label sets that mark the same text are worked out once.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from celery.exceptions import SoftTimeLimitExceeded

from extraction.measures import METRICS, Metric, Said, Truth
from extraction.metrics.pages import PageScore
from extraction.spans import LABEL_SETS, Span, can_tell, relevant, text_of
from extraction.text import Block

# What `Score.matrix` holds.
STORED = "character"
# The others, the quick ones first: if time runs out, little is lost.
MEASURED = ("words", "shingle", "block", "rouge", "cleaneval", "char-lcs")
# These align two texts, which takes time that grows with the square of their length: minutes on a book.
# Whether a page has their figures is decided by its text, so that it is the same pages for every extractor.
IN_ORDER = frozenset({"rouge", "cleaneval", "char-lcs"})
MOST_CHARACTERS = 100_000

Figures = dict[str, dict[str, list[float | None]]]


class Paper(NamedTuple):
    """Of a document: its canonical text and its blocks."""

    text: str
    blocks: list[Block]


class Measured(NamedTuple):
    """Metric -> label set -> `packed` score; `error` where something went wrong on the way."""

    figures: Figures
    error: str = ""


def measure(
    paper: Paper, gold: list[Span], said: list[Span], *, tells: Collection[str], failed: bool
) -> Measured:
    """Score one extraction by every metric, under every label set that the gold can tell.

    A metric that crashes or takes too long leaves its figures out, and says so; the others stand.
    """
    pairs = _pairs(paper, gold, said, tells, failed)
    figures: Figures = {}
    errors: list[str] = []
    for name in MEASURED:
        if name in IN_ORDER and len(paper.text) > MOST_CHARACTERS:
            continue
        try:
            figures[name] = _by_set(METRICS[name], pairs)
        except SoftTimeLimitExceeded:
            return Measured(figures, "; ".join([*errors, f"{name}: took too long"]))
        except Exception as error:  # noqa: BLE001  recorded, counted, shown
            errors.append(f"{name}: {type(error).__name__}: {error}")
    return Measured(figures, "; ".join(errors))


def _pairs(
    paper: Paper, gold: list[Span], said: list[Span], tells: Collection[str], failed: bool
) -> dict[str, tuple[Truth, Said]]:
    """What metrics compare, by label set; the same object where the same text is marked."""
    known: dict[Any, tuple[Truth, Said]] = {}
    found = {}
    for name, labels in LABEL_SETS.items():
        if can_tell(tells, labels):
            key = str((relevant(gold, labels), relevant(said, labels)))
            if key not in known:
                truth = Truth(gold, text_of(paper, gold, labels), 0)
                known[key] = truth, Said(said, text_of(paper, said, labels), paper, failed)
            found[name] = known[key]
    return found


def _by_set(metric: Metric, pairs: dict[str, tuple[Truth, Said]]) -> dict[str, list[float | None]]:
    worked_out: dict[int, list[float | None]] = {}
    found = {}
    for name, pair in pairs.items():
        if id(pair) not in worked_out:
            worked_out[id(pair)] = packed(metric.score(*pair, LABEL_SETS[name]))
        found[name] = worked_out[id(pair)]
    return found


# ---- as numbers, and back ----


def packed(score: PageScore) -> list[float | None]:
    """Right, predicted and gold amounts; then precision and recall, where they are no quotients of these."""
    amounts: list[float | None] = [score.true, score.predicted, score.gold]
    if score.predicted and score.gold and not score.failed:
        return amounts
    return [*amounts, score.precision, score.recall]


def unpacked(row: list[float | None], *, failed: bool) -> PageScore:
    """The score that `packed` made a row of."""
    true, predicted, gold = (amount or 0 for amount in row[:3])
    precision, recall = row[3:] if len(row) > 3 else (true / predicted, true / gold)
    return PageScore(true, predicted, gold, precision, recall, failed=failed)
