"""Figures of a corpus from the matrices of its rounds, and their screen."""

from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from annotator.agreement.queries import pages_compared, pooled
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from extraction.spans import LABELS, Span
from tests.annotator.scored import compare_annotations
from tests.factories import MakePage, annotate

pytestmark = pytest.mark.django_db


def differ(page: Page, cast: SimpleNamespace, *, by: int) -> None:
    """Ada marks three blocks, ben `by` fewer."""
    blocks = [Span(*block, "body") for block in page.documents.get().blocks[-4:-1]]
    annotate(page, cast.ada, blocks)
    annotate(page, cast.ben, blocks[by:])
    compare_annotations(page)


def inked(page: Page, spans: list[Span]) -> int:
    text = page.documents.get().text
    return sum(not each.isspace() for span in spans for each in text[span.start : span.end])


def test_pooled_f1_is_of_the_sum_of_all_pages(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    one, other = make_page(), make_page()
    differ(one, cast, by=0)
    differ(other, cast, by=2)
    spans = [[Span(*block, "body") for block in page.documents.get().blocks[-4:-1]] for page in (one, other)]
    both = inked(one, spans[0]) + inked(other, spans[1][2:])
    ada = inked(one, spans[0]) + inked(other, spans[1])
    found = pooled(corpus, LABELS)
    assert found.f1.value == pytest.approx(2 * both / (ada + both))
    assert (found.pages, found.f1.n, found.f1.low) == (2, 2, None)
    assert found.same_verdict.value == 1.0


def test_labels_count_the_pages_on_which_somebody_used_them(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    differ(make_page(), cast, by=1)
    labels = dict(pooled(corpus, ["body", "comments"]).labels)
    assert (labels["body"].n, labels["comments"].n) == (1, 0)
    assert labels["comments"].value is None


def test_pooled_of_nothing_is_nothing(corpus: Corpus) -> None:
    found = pooled(corpus, LABELS)
    assert (found.pages, found.kappa.value, found.same_verdict.n) == (0, None, 0)


def test_pages_that_agree_least_come_first(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    pages = [make_page() for _ in range(3)]
    for page, by in zip(pages, (1, 0, 2), strict=True):
        differ(page, cast, by=by)
    assert [row.round.page for row in pages_compared(corpus)] == [pages[2], pages[0], pages[1]]


@pytest.mark.parametrize("pages", [1, 3])
def test_agreement_asks_the_database_a_fixed_number_of_times(
    corpus: Corpus,
    cast: SimpleNamespace,
    client: Client,
    make_page: MakePage,
    pages: int,
    django_assert_num_queries: object,
) -> None:
    for _ in range(pages):
        differ(make_page(), cast, by=1)
    client.force_login(cast.rhea)
    with django_assert_num_queries(9):
        answer = client.get(reverse("agreement", args=[corpus.slug]))
    assert answer.status_code == 200
    assert "style=" not in answer.content.decode()
