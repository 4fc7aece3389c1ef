"""Gold and submitted annotations by the API."""

from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.annotations.models import Round
from tests.annotator.api.client import Api
from tests.annotator.gold.test_adjudication import finalise
from tests.factories import MakePage, annotate, label_block

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


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


def test_a_slice_holds_no_more_text_than_one_page_may_have(
    cast: SimpleNamespace, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [_decided(cast, make_page).page.document.text for _ in range(3)]
    monkeypatch.setattr("annotator.api.gold.SLICE_TEXT", len(made[0]) + len(made[1]))
    api = Api(cast.rhea)
    first = api.get("/corpora/dailies/gold?with_text=true").json()
    assert [each["text"] for each in first["items"]] == made[:2]
    second = api.get(f"/corpora/dailies/gold?with_text=true&cursor={first['next']}").json()
    assert ([each["text"] for each in second["items"]], second["next"]) == (made[2:], None)
    assert len(api.get("/corpora/dailies/gold").json()["items"]) == 3
    monkeypatch.setattr("annotator.api.gold.SLICE_TEXT", 1)
    assert len(api.get("/corpora/dailies/gold?with_text=true").json()["items"]) == 1


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
