"""Somebody with two windows: of a page to annotate and one to adjudicate, claimed at the same instant."""

from types import SimpleNamespace

import pytest
from django.db import transaction

from annotator.annotations.actions import claim_next
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus
from annotator.gold import actions as adjudicating
from extraction.sandbox import Parser
from tests.annotator.annotations.waiting import Meanwhile
from tests.annotator.gold.test_adjudication import dispute_of
from tests.factories import ARTICLE, page_maker


@pytest.mark.django_db(transaction=True)
def test_nobody_annotates_and_adjudicates_the_same_bytes_at_once(
    corpus: Corpus, cast: SimpleNamespace, parser: Parser
) -> None:
    weeklies, story = create_corpus(slug="weeklies"), ARTICLE.format(number=0)
    dispute_of(page_maker(corpus, parser)(story), cast)
    page_maker(weeklies, parser)(story)
    grant_role(corpus=weeklies, user=cast.cleo, role="annotator")

    with transaction.atomic():
        assert claim_next(corpus=weeklies, annotator=cast.cleo)
        other_window = Meanwhile(lambda: adjudicating.claim_next(corpus=corpus, user=cast.cleo))
        assert other_window.waits()
    assert other_window.result() is None
