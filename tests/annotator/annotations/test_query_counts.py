"""Twenty people annotate on two cores: a request asks the database for little, however much there is."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotator.annotations.models import Annotation
from annotator.corpora.models import Corpus
from extraction.spans import Span
from tests.factories import MakePage, SignedIn, draft, save_body

pytestmark = pytest.mark.django_db

PAGES = 6
# Three of each are the session, the user, and the corpus with the user's roles; a transaction is two.
OPEN, VIEW, SAVE, SUBMIT = 15, 5, 10, 26


def post(client: Client, address: str, **body: object) -> Any:
    return client.post(address, json.dumps(body), content_type="application/json")


def test_what_a_page_asks_of_the_database(
    corpus: Corpus,
    cast: SimpleNamespace,
    make_page: MakePage,
    signed_in: SignedIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(PAGES):
        make_page(extracted=True)
    client = signed_in(cast.ada)
    address = client.post(f"/c/{corpus.slug}/next/")["Location"]
    client.get(address)  # what is cached for the process
    for _ in range(PAGES - 1):
        with django_assert_max_num_queries(OPEN):
            assert client.get(address).status_code == 200
        with django_assert_max_num_queries(VIEW):
            assert client.get(f"{address}view.json").status_code == 200
        slot = Annotation.objects.latest("pk").slot
        body = save_body(draft(slot, cast.ada, [Span(0, 7, "body")]), active_seconds=1)
        with django_assert_max_num_queries(SAVE):
            assert post(client, f"{address}save/", **body).status_code == 200
        with django_assert_max_num_queries(SUBMIT):
            answer = post(client, f"{address}submit/", based_on=1)
        assert answer.status_code == 200
        address = answer.json()["next"]
