"""Agreement and the bias report are figures of what annotators submitted, whatever happens to gold later."""

from types import SimpleNamespace

import pytest

from annotator.agreement.queries import compared_pages, excluded_pages
from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.gold import actions, finalisation
from annotator.gold.models import Adjudication, Gold
from annotator.pages.models import Page
from annotator.quality.bias import tasks
from annotator.quality.bias.actions import compare_with_gold
from annotator.quality.bias.models import AdjudicationDelta
from annotator.quality.bias.queries import observations
from extraction.sandbox import Parser
from tests.annotator.gold.test_adjudication import finalise, paragraph
from tests.annotator.reparsing.test_page_jobs import FIRST, SECOND, THIRD, make, reparse
from tests.factories import MakePage, annotate

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("pages", [4, pytest.param(60, marks=pytest.mark.long)])
def test_figures_after_reopening_and_re_parsing(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, newer: str, planted_parser: Parser, pages: int
) -> None:
    made = [with_gold(make(make_page, number), number, cast) for number in range(pages)]
    before = figures(corpus)
    assert len(before[0]) == pages
    assert len(before[2]) == 2 * pages
    for page in made:
        finalisation.reopen_gold(gold=page.gold.get(current=True), by=cast.hanne, why="Once more.")
        assert figures(corpus)[0] == before[0]
        held = actions.claim_next(corpus=corpus, user=cast.cleo)
        actions.submit(adjudication=held, user=cast.cleo)
    assert figures(corpus) == before
    for page in made:
        reparse(page, planted_parser)
    assert not Page.objects.exclude(document__version=newer).exists()
    assert figures(corpus) == before


def with_gold(page: Page, number: int, cast: SimpleNamespace) -> Page:
    """A page with gold: on every other one the annotators disagreed."""
    first, second, third = (paragraph(page, opening, "body") for opening in (FIRST, SECOND, THIRD))
    annotate(page, cast.ada, [first, second])
    annotate(page, cast.ben, [first, second] if number % 2 else [first, third])
    if isinstance(finalise(page), Adjudication):
        held = actions.claim_next(corpus=page.corpus, user=cast.cleo)
        numbers = list(held.segments.filter(choice="").values_list("number", flat=True))
        actions.decide(adjudication=held, user=cast.cleo, numbers=numbers, choice="neither")
        actions.submit(adjudication=held, user=cast.cleo)
    return page


def figures(corpus: Corpus) -> tuple[list[str], dict[str, int], list[str]]:
    for gold in Gold.objects.filter(page__corpus=corpus, current=True):
        tasks.request_for_gold(gold.pk)
    for row in AdjudicationDelta.objects.open():
        compare_with_gold(work.claim(AdjudicationDelta, row.pk))
    compared = [repr(record) for record in compared_pages(corpus)]
    return compared, excluded_pages(corpus), [repr(each) for each in observations(corpus)]
