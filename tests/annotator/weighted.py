"""A corpus ordered by disagreement that is annotated in part, for tests of weighting."""

from types import SimpleNamespace

from annotator.annotations.models import Round
from annotator.annotations.study.actions import change_design, current_design
from annotator.annotations.study.models import PageOrder
from annotator.annotations.study.weights import page_weights
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from extraction.spans import Span
from tests.annotator.scored import compare_annotations
from tests.factories import MakePage, annotate, label_block

# Of the page that is done first, of the other, and of those that wait.
PROBABILITIES = (0.9, 0.3, 0.3, 0.3)
# The active time of each annotator, on the two pages that are done.
SECONDS = (100, 200)


def half_done(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> tuple[list[Page], list[float]]:
    """Two pages on which ben marks as much as ada and two blocks less, two that nobody has begun; weights."""
    stands = current_design(corpus=corpus)
    change_design(corpus=corpus, made_by=None, based_on=stands.number, order=PageOrder.DISAGREEMENT)
    pages = [make_page(extracted=True) for _ in PROBABILITIES]
    for page, probability in zip(pages, PROBABILITIES, strict=True):
        Round.objects.filter(page=page).update(inclusion_probability=probability)
        page.rounds.get().slots.update(arm=None)
    done = pages[:2]
    for page, fewer, seconds in zip(done, (0, 2), SECONDS, strict=True):
        marks = marks_of(page)
        annotate(page, cast.ada, marks, active_seconds=seconds)
        annotate(page, cast.ben, marks[fewer:], active_seconds=seconds)
        compare_annotations(page)
    found = page_weights(corpus)
    return done, [found[page.pk] for page in done]


def marks_of(page: Page) -> list[Span]:
    return [label_block(block) for block in page.documents.get().blocks[-4:-1]]
