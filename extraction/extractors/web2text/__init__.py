"""`web2text`: two small convolutional networks over the leaves of a collapsed tree (Vogels and others, 2018).

Written from the paper and a description of its program. A page becomes a tree without single children
(`collapsed_dom`), a row of numbers for each leaf and for each pair of neighbours (`features`); one network
says how likely a leaf is content, another how likely each pair of labels is (`network`), and the likeliest
sequence of labels is what counts. `extraction.learning` learns the networks.
"""

from pathlib import Path

from extraction.documents.document import Document
from extraction.extractors.learned.models import learned_from, shipped
from extraction.extractors.nodes import spans_of
from extraction.extractors.registry import extractor
from extraction.extractors.web2text.features import page_features
from extraction.extractors.web2text.network import Web2Text
from extraction.spans import Span

MODEL = Path(__file__).parent / "model.safetensors"


@extractor("web2text", version=1, tuned_on=learned_from(MODEL))
def web2text(document: Document, *, pair_weight: float = 1.0) -> list[Span]:
    """The leaves that two networks take for content; `pair_weight=0` asks the first one alone."""
    return spans_by(document, shipped(MODEL, Web2Text.of), pair_weight)


def spans_by(document: Document, model: Web2Text, pair_weight: float = 1.0) -> list[Span]:
    """The same by given networks."""
    page = page_features(document)
    labels = model.labels(page, pair_weight)
    return spans_of(document, [node for node, label in zip(page.nodes, labels, strict=True) if label])
