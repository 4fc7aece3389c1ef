"""Which metrics there are: each a function of a page's gold and of an extractor's output for the page."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

from extraction.documents.document import Document
from extraction.formats import GoldRecord, place
from extraction.metrics import PageScore, block, char_lcs, character, cleaneval, rouge, shingle, words
from extraction.metrics.character_labels import confusion
from extraction.spans import HasText, Span, relevant, text_of, visible_length


class Reference(NamedTuple):
    """Gold in the shapes that metrics want.

    `unplaced` counts the non-whitespace characters of gold text that the document does not have; `marked` is
    the text with marks of paragraphs, where the corpus has them.
    """

    spans: list[Span]
    text: str
    unplaced: int
    marked: str | None = None

    @classmethod
    def of(cls, gold: GoldRecord, document: Document, labels: Collection[str]) -> "Reference":
        """Bring gold into a document; raises `GoldError` where that cannot be."""
        placed = place(gold, document)
        own_spans = gold.spans is not None and gold.parser == document.version
        text = (
            gold.text if gold.text is not None and not own_spans else text_of(document, placed.spans, labels)
        )
        return cls(placed.spans, text, placed.total - placed.placed, gold.marked)

    @classmethod
    def without_document(cls, gold: GoldRecord) -> "Reference":
        """All of the gold is unplaced where a page could not be parsed."""
        text = gold.text or ""
        return cls([], text, visible_length(text), gold.marked)


class Prediction(NamedTuple):
    """An extractor's output for a page, in the shapes that metrics want; `text` is as it would print it.

    Without `extras`, further figures of metrics that cost much are not computed.
    """

    spans: list[Span]
    text: str
    document: HasText | None
    failed: bool
    extras: bool = True


#: How a metric scores one page under a label set.
Scorer = Callable[[Reference, Prediction, Collection[str]], PageScore]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric. `by_page` says that its F1 is the mean of the pages' own, as its source has it.

    `note` is what has to stand wherever its figures are shown.
    """

    score: Scorer
    about: str
    by_page: bool = False
    note: str = ""


def _character(reference: Reference, prediction: Prediction, labels: Collection[str]) -> PageScore:
    text = prediction.document.text if prediction.document else ""
    cells = confusion(reference.spans, prediction.spans, text)
    return character.from_matrix(cells, labels, gold_unplaced=reference.unplaced, failed=prediction.failed)


def _block(reference: Reference, prediction: Prediction, labels: Collection[str]) -> PageScore:
    blocks, text = (prediction.document.blocks, prediction.document.text) if prediction.document else ([], "")
    return block.compare(
        reference.spans,
        prediction.spans,
        blocks,
        text,
        labels,
        unplaced=_unplaced_words(reference, text, labels),
        failed=prediction.failed,
    )


def _unplaced_words(reference: Reference, text: str, labels: Collection[str]) -> int:
    if not reference.unplaced:
        return 0
    placed = block.words_in(text[start:end] for start, end in relevant(reference.spans, labels))
    return max(0, sum(block.words_in([reference.text])) - sum(placed))


def _cleaneval(reference: Reference, prediction: Prediction, labels: Collection[str]) -> PageScore:
    if reference.marked is None:
        return cleaneval.compare(
            reference.text, prediction.text, failed=prediction.failed, extras=prediction.extras
        )
    # Programs do not print these marks, so every line is a paragraph, and paragraphs are all alike.
    marked = cleaneval.with_marks(prediction.text)
    score = cleaneval.compare(reference.marked, marked, one_mark=True, failed=prediction.failed)
    plain = cleaneval.compare(
        cleaneval.without_marks(reference.marked), prediction.text, failed=prediction.failed, extras=False
    )
    return replace(score, extras={**score.extras, "f1_text": plain.f1})


def _rouge(reference: Reference, prediction: Prediction, labels: Collection[str]) -> PageScore:
    return rouge.compare(reference.text, prediction.text, failed=prediction.failed, extras=prediction.extras)


def _of_texts(compare: Callable[..., PageScore]) -> Scorer:
    def score(reference: Reference, prediction: Prediction, labels: Collection[str]) -> PageScore:
        return compare(reference.text, prediction.text, failed=prediction.failed)

    return score


METRICS: dict[str, Metric] = {
    "character": Metric(_character, "positions in the canonical text, in non-whitespace characters"),
    "char-lcs": Metric(
        _of_texts(char_lcs.compare), "longest common subsequence of words, in characters (tree-filter paper)"
    ),
    "block": Metric(_block, "blocks of the document, weighed by their words (Boilerpipe paper)"),
    "shingle": Metric(_of_texts(shingle.compare), "runs of four words (Scrapinghub benchmark)"),
    "words": Metric(_of_texts(words.compare), "words without their order (WCXB)", by_page=True),
    "cleaneval": Metric(
        _cleaneval, "words in order, with marks of paragraphs (Evert's script for CleanEval)", by_page=True
    ),
    "rouge": Metric(
        _rouge,
        "ROUGE-Lsum (WCEB)",
        by_page=True,
        note="sentences by our own splitter, not NLTK's",
    ),
}
