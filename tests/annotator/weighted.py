"""An order by disagreement that is worked off in part: pages with odds, for the tests of what is weighted."""

from types import SimpleNamespace

from annotator.annotations.models import Round
from annotator.annotations.study.actions import change_design, standing_design
from annotator.annotations.study.models import Order
from annotator.annotations.study.weights import page_weights
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from extraction.spans import Span
from tests.annotator.scored import compare_annotations
from tests.factories import MakePage, annotate

# Of the page that is done first, of the other, and of those that wait.
ODDS = (0.9, 0.3, 0.3, 0.3)


def half_done(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> tuple[list[Page], list[float]]:
    """Two pages on which ben marks as much as ada and two blocks less, two that nobody has begun; weights."""
    stands = standing_design(corpus=corpus)
    change_design(corpus=corpus, made_by=None, based_on=stands.number, order=Order.DISAGREEMENT)
    pages = [make_page(extracted=True) for _ in ODDS]
    for page, odds in zip(pages, ODDS, strict=True):
        Round.objects.filter(page=page).update(inclusion=odds)
        page.rounds.get().slots.update(arm=None)
    done = pages[:2]
    for page, fewer in zip(done, (0, 2), strict=True):
        marks = marks_of(page)
        annotate(page, cast.ada, marks)
        annotate(page, cast.ben, marks[fewer:])
        compare_annotations(page)
    found = page_weights(corpus)
    return done, [found[page.pk] for page in done]


def marks_of(page: Page) -> list[Span]:
    return [Span(*block, "body") for block in page.documents.get().blocks[-4:-1]]
