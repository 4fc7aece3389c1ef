"""Gold and submitted annotations by the API."""

from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.annotations.models import Round
from tests.annotator.api.client import Api
from tests.annotator.gold.test_adjudication import finalise
from tests.factories import MakePage, annotate, label_block

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("listing", ["annotations", "gold"])
def test_a_list_takes_the_same_queries_whatever_its_length(
    cast: SimpleNamespace, make_page: MakePage, listing: str
) -> None:
    api = Api(cast.rhea)
    api.get("/account")
    counts = []
    for length in (1, 2, 3):
        _decided(cast, make_page)
        with CaptureQueriesContext(connection) as found:
            answer = api.get(f"/corpora/dailies/{listing}")
        assert len(answer.json()["items"]) == length, answer.content
        counts.append(len(found))
    assert len(set(counts)) == 1, [each["sql"] for each in found]


def test_annotations_are_those_that_were_submitted_in_the_order_of_the_slots(
    cast: SimpleNamespace, make_page: MakePage
) -> None:
    round_ = _decided(cast, make_page)
    (item,) = Api(cast.rhea).get("/corpora/dailies/annotations").json()["items"]
    assert (item["page_sha256"], item["purpose"]) == (round_.page.sha256, "main")
    block = round_.page.document.blocks[0]
    spans = [{"start": block[0], "end": block[1], "label": "headline"}]
    assert [(each["slot"], each["spans"]) for each in item["annotations"]] == [(1, spans), (2, spans)]
    assert not {"ada", "ben"} & set(str(item).lower().split("'"))


def _decided(cast: SimpleNamespace, make_page: MakePage) -> Round:
    page = make_page()
    block = page.document.blocks[0]
    for person in (cast.ada, cast.ben):
        annotate(page, person, [label_block(block, "headline")])
    finalise(page)
    return Round.objects.get(page=page)
