"""`boilernet`: two recurrent layers over the texts of a page (Leonhardt, Anand and Khosla, 2020).

A text is its words and the tags around it, counted (`features`); a network that reads the page from both ends
says how likely each text is content (`network`). `extraction.learning` learns the network and its vocabulary.
"""

from pathlib import Path

from extraction.documents.document import Document
from extraction.extractors.boilernet.features import leaves
from extraction.extractors.boilernet.network import BoilerNet
from extraction.extractors.learned.models import learned_from, shipped
from extraction.extractors.nodes import spans_of
from extraction.extractors.registry import extractor
from extraction.spans import Span

MODEL = Path(__file__).parent / "model.safetensors"


@extractor("boilernet", version=1, tuned_on=learned_from(MODEL))
def boilernet(document: Document, *, threshold: float = 0.5) -> list[Span]:
    """The texts that a recurrent network takes for content by more than `threshold`."""
    return spans_by(document, shipped(MODEL, BoilerNet.of), threshold)


def spans_by(document: Document, model: BoilerNet, threshold: float = 0.5) -> list[Span]:
    """The same by a given network."""
    page = leaves(document)
    probabilities = model.probabilities(page)
    return spans_of(
        document, [node for node, chance in zip(page.nodes, probabilities, strict=True) if chance > threshold]
    )
