"""`goldpan`: our own extractor.

It looks for the core of a page, the container that holds most of its prose (`core`), says of every block
where it stands to that core, how it is written, named and repeated (`features`), asks trees learned from gold
how likely each block is a reader's comment, and then how likely it is body (`model`), looks at the page as a
whole whether to take more or fewer of them (`second_look`), and labels the text around the body by rules
(`labels`). No feature depends on the language of the page, but for the words of
buttons and headings at comments (`signs`). `reasons` explains its output.
"""

from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.extractors.goldpan.features import PageFeatures
from extraction.extractors.goldpan.labels import SETTINGS, Labelled, label
from extraction.extractors.goldpan.measures import Numbers
from extraction.extractors.goldpan.model import comments_model, model, second_look_model, tuned_on
from extraction.extractors.goldpan.reasons import reasons
from extraction.extractors.learned.trees import Trees
from extraction.extractors.nodes import spans_of_whole
from extraction.extractors.registry import extractor
from extraction.extractors.spec import BlockReason
from extraction.gc_pause import gc_paused
from extraction.spans import Span

__all__ = ["explain", "goldpan"]


def explain(document: Document, *, setting: str = "balanced") -> list[BlockReason]:
    """Why each block of a document has its label, or has none."""
    return explain_by(document, model(), setting)


def explain_by(document: Document, trees: Trees, setting: str = "balanced") -> list[BlockReason]:
    """The same by given trees."""
    if not document.blocks:
        return []
    labelled, probability = _label(document, trees, setting)
    return reasons(known_page(document), labelled, probability, trees)


@extractor("goldpan", version=5, tuned_on=tuned_on(), allowed={"setting": SETTINGS}, explain=explain)
def goldpan(document: Document, *, setting: str = "balanced") -> list[Span]:
    """Headline, body, supplemental, related and comments; `setting` is balanced or precision."""
    return spans_by(document, model(), setting)


def spans_by(document: Document, trees: Trees, setting: str = "balanced") -> list[Span]:
    """The same by given trees."""
    if not document.blocks:
        return []
    labelled, _ = _label(document, trees, setting)
    return spans_of_whole(document, labelled.labels)


@cached_on_document
def known_page(document: Document) -> PageFeatures:
    """The features of a page that the model of comments has looked at."""
    with gc_paused():
        page = PageFeatures.of(document)
        page = page.knowing(comments_model().predict(page.features))
        page.body_features  # noqa: B018 - what is slow is computed now, and kept
    return page


def _label(document: Document, trees: Trees, setting: str) -> tuple[Labelled, Numbers]:
    page = known_page(document)
    probability = trees.predict(page.body_features)
    # What was learned of the probabilities of one model is not true of another's.
    looks_again = second_look_model() if trees is model() else None
    return label(page, probability, setting, looks_again), probability
