"""`mss-supervised`: maximum subsequence segmentation with learned scores (Pasternack and Roth, 2009).

After secondary sources, as the paper was not at hand. Each tag and word of the page has a score, how likely
it is inside the article less a half, told by naive Bayes from its trigram and the tag that it stands in
(`tokens`); the stretch with the largest sum is the article. `extraction.learning` counts.
"""

from pathlib import Path

from extraction.documents.document import Document
from extraction.extractors.learned.models import learned_from, shipped
from extraction.extractors.mss_supervised.bayes import NaiveBayes
from extraction.extractors.mss_supervised.tokens import page_tokens
from extraction.extractors.nodes import spans_of
from extraction.extractors.registry import extractor
from extraction.spans import Span

MODEL = Path(__file__).parent / "model.safetensors"


@extractor("mss-supervised", version=1, family="tag-stream", tuned_on=learned_from(MODEL))
def mss_supervised(document: Document) -> list[Span]:
    """The texts of the stretch of tags and words that is most likely the article."""
    return spans_by(document, shipped(MODEL, NaiveBayes.of))


def spans_by(document: Document, model: NaiveBayes) -> list[Span]:
    """The same by given counts."""
    return spans_of(document, model.nodes(page_tokens(document)))
