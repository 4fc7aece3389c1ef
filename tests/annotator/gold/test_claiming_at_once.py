"""Somebody with two windows: of a page to annotate and one to adjudicate, claimed at the same instant."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from django.db import connection, transaction

from annotator.annotations.actions import claim_next
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus
from annotator.gold import actions as adjudicating
from annotator.gold.models import Adjudication
from extraction.sandbox import Parser
from tests.annotator.gold.test_adjudication import dispute_of
from tests.factories import ARTICLE, page_maker
from tests.processes import wait_for


def is_one_waiting() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("select count(*) from pg_locks where not granted")
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
def test_nobody_annotates_and_adjudicates_the_same_bytes_at_once(
    corpus: Corpus, cast: SimpleNamespace, parser: Parser
) -> None:
    weeklies, story = create_corpus(slug="weeklies"), ARTICLE.format(number=0)
    dispute_of(page_maker(corpus, parser)(story), cast)
    page_maker(weeklies, parser)(story)
    grant_role(corpus=weeklies, user=cast.cleo, role="annotator")

    def adjudicate() -> Adjudication | None:
        try:
            return adjudicating.claim_next(corpus=corpus, user=cast.cleo)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as window:
        with transaction.atomic():
            assert claim_next(corpus=weeklies, annotator=cast.cleo)
            claimed = window.submit(adjudicate)
            wait_for(lambda: claimed.done() or is_one_waiting(), "the other window's request")
        assert claimed.result() is None
