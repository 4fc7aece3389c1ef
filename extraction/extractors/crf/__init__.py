"""`crf`: a conditional random field over the texts of a page, in the way of Victor (Marek and others, 2007).

Each stretch of text between two tags is described by small whole numbers (`blocks`, `features`), its own
and those of its neighbours; each number that was seen in learning has a weight for either label, and so has
each pair of labels that follow each other (`model`). `extraction.learning` learns the weights.
"""

from pathlib import Path

from extraction.documents.document import Document
from extraction.extractors.crf.blocks import blocks
from extraction.extractors.crf.features import symbols
from extraction.extractors.crf.model import Crf
from extraction.extractors.learned.models import learned_from, shipped
from extraction.extractors.registry import extractor
from extraction.spans import CONTENT, Span, bridge

MODEL = Path(__file__).parent / "model.safetensors"


@extractor("crf", version=1, tuned_on=learned_from(MODEL))
def crf(document: Document) -> list[Span]:
    """The texts that a conditional random field takes for content."""
    return spans_by(document, shipped(MODEL, Crf.of))


def spans_by(document: Document, model: Crf) -> list[Span]:
    """The same by given weights."""
    page = blocks(document)
    labels = model.labels(symbols(page))
    found = [
        Span(*block.place, CONTENT)
        for block, label in zip(page, labels, strict=True)
        if label and block.place[0] >= 0
    ]
    return bridge(found, document.blocks, document.text)
