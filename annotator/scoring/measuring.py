"""The metrics of a score that its matrix does not hold; no database.

They compare the text that gold marks in the document with the text that the extractor marks. Label sets under
which both are the same text are computed once.
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, Self

from annotator.common.machine import CpuLimitExceeded
from annotator.common.work import MACHINE_FAULTS
from annotator.pages.models import StoredDocument
from extraction.documents.canonical_text import Block
from extraction.evaluation.page_metrics import METRICS, Metric, Prediction, Reference
from extraction.metrics.pages import PageScore
from extraction.metrics.remembered import remembered
from extraction.spans import CONTENT, LABEL_SETS, Interval, Span, can_tell, relevant, text_of, together

# The metric that is computed from `Score.matrix`.
STORED = "character"
# The others, fast ones first: what is computed before the CPU time is used up is stored.
MEASURED = ("words", "shingle", "block", "rouge", "cleaneval", "char-lcs")
# These align two texts in quadratic time, minutes on a book. The length of the page decides, not that of the
# extraction, so that extractors are compared on the same pages.
IN_ORDER = frozenset({"rouge", "cleaneval", "char-lcs"})
MAX_CHARACTERS = 100_000

LabelSets = Mapping[str, Collection[str]]
LeaderboardFigures = dict[str, dict[str, list[float | None]]]


class MeasuredText(NamedTuple):
    """The canonical text and the blocks of a document."""

    text: str
    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, document: StoredDocument) -> Self:
        return cls(document.text, tuple(Block(start, end) for start, end in document.blocks))


class MeasuredScore(NamedTuple):
    """Metric -> label set (`stored_under`) -> `packed` score, and what went wrong, if anything."""

    figures: LeaderboardFigures
    error: str = ""


def measure(
    source: MeasuredText,
    gold: list[Span],
    predicted: list[Span],
    *,
    sets: LabelSets = LABEL_SETS,
    distinguishable_labels: Collection[str],
    failed: bool,
) -> MeasuredScore:
    """Score one extraction by every metric, under every label set that the gold distinguishes.

    `sets` are the label sets of the corpus, by name.

    A metric that crashes or uses up the CPU time is missing from the result, and named in its error.
    """
    told = told_sets(distinguishable_labels, sets)
    pairs = _pairs(source, gold, predicted, told, failed)
    figures: LeaderboardFigures = {}
    errors: list[str] = []
    for name in MEASURED:
        if name in IN_ORDER and len(source.text) > MAX_CHARACTERS:
            continue
        try:
            figures[name] = _by_set(METRICS[name], pairs, told)
        except MACHINE_FAULTS:
            raise
        except CpuLimitExceeded:
            return MeasuredScore(figures, "; ".join([*errors, f"{name}: took too long"]))
        except Exception as error:  # noqa: BLE001  recorded, counted, shown
            errors.append(f"{name}: {type(error).__name__}: {error}")
    return MeasuredScore(figures, "; ".join(errors))


def told_sets(distinguishable: Collection[str], sets: LabelSets) -> LabelSets:
    """The label sets that gold distinguishes."""
    return {name: labels for name, labels in sets.items() if can_tell(distinguishable, labels)}


def stored_under(name: str, labels: Collection[str]) -> str:
    """The key of the figures of a label set: its name, or its labels where they are not those that all know.

    Labels of a corpus come and go, so that figures under a name alone would be those of another set.
    """
    return name if LABEL_SETS.get(name) == frozenset(labels) else together(labels)


def _pairs(
    source: MeasuredText,
    gold: list[Span],
    predicted: list[Span],
    sets: LabelSets,
    failed: bool,
) -> dict[str, tuple[Reference, Prediction]]:
    """Return what metrics compare, by label set; label sets that mark the same text share one object."""
    known: dict[Any, tuple[Reference, Prediction]] = {}
    found = {}
    for name, labels in sets.items():
        key = tuple(relevant(gold, labels)), tuple(relevant(predicted, labels))
        if key not in known:
            expected, printed = (_text_of(source, marked) for marked in key)
            reference = Reference(gold, expected, 0)
            prediction = Prediction(predicted, printed, source, failed, extras=False)
            known[key] = reference, prediction
        found[name] = known[key]
    return found


@remembered
def _text_of(source: MeasuredText, marked: tuple[Interval, ...]) -> str:
    return text_of(source, [Span(start, end, CONTENT) for start, end in marked])


def _by_set(
    metric: Metric, pairs: dict[str, tuple[Reference, Prediction]], sets: LabelSets
) -> dict[str, list[float | None]]:
    computed: dict[int, list[float | None]] = {}
    found = {}
    for name, pair in pairs.items():
        if id(pair) not in computed:
            computed[id(pair)] = packed(metric.score(*pair, sets[name]))
        found[stored_under(name, sets[name])] = computed[id(pair)]
    return found


# ---- packing ----


def packed(score: PageScore) -> list[float | None]:
    """Return the true, predicted and gold amounts; precision and recall follow if not their quotients."""
    amounts: list[float | None] = [score.true, score.predicted, score.gold]
    if score.predicted and score.gold and not score.failed:
        return amounts
    return [*amounts, score.precision, score.recall]


def unpacked(row: list[float | None], *, failed: bool) -> PageScore:
    """Return the score that `packed` was given."""
    true, predicted, gold = (amount or 0 for amount in row[:3])
    precision, recall = row[3:] if len(row) > 3 else (true / predicted, true / gold)
    return PageScore(true, predicted, gold, precision, recall, failed=failed)
