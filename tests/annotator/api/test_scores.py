"""Scores by the API."""

from types import SimpleNamespace

import pytest

from annotator.runs.models import Extractor
from annotator.scoring.totals.counting import count_some
from tests.annotator.api.client import Api
from tests.annotator.scored import give_gold, make_gold, score_all, tuned_and_other
from tests.factories import MakePage, extract_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def test_scores_say_on_what_the_extractor_was_tuned(cast: SimpleNamespace, make_page: MakePage) -> None:
    extractor = Extractor.objects.get(name="everything")
    tuned, other = tuned_and_other(extractor, make_page)
    api = Api(cast.rhea)
    listed = api.get("/corpora/dailies/scores", extractor=extractor.pk).json()["items"]
    assert {each["page_sha256"]: each["is_tuned_on"] for each in listed} == {
        tuned.sha256: True,
        other.sha256: False,
    }
    of_page = api.get(f"/corpora/dailies/pages/{tuned.sha256}/scores").json()
    assert {each["extractor"]["name"] for each in of_page if each["is_tuned_on"]} == {"everything"}
    assert len(of_page) > 1


def test_the_board_says_whether_all_scores_count_in_it(cast: SimpleNamespace, make_page: MakePage) -> None:
    api = Api(cast.rhea)

    def board() -> tuple[int, bool]:
        found = api.get("/corpora/dailies/board").json()
        return found["pages"], found["is_current"]

    corpus = give_gold(make_page()).page.corpus
    assert board() == (1, True)
    page = make_page()
    extract_all(page)
    score_all(make_gold(page))
    assert board() == (1, False)
    while count_some(corpus):
        pass
    assert board() == (2, True)


@pytest.mark.parametrize(
    ("address", "name"), [("board", "metric"), ("board", "labels"), ("scores", "labels")]
)
def test_a_value_that_is_not_there_is_told_by_its_name(
    cast: SimpleNamespace, make_page: MakePage, address: str, name: str
) -> None:
    give_gold(make_page())
    query = {name: "nope"}
    if address == "scores":
        query["extractor"] = str(Extractor.objects.get(name="everything").pk)
    refused = Api(cast.rhea).get(f"/corpora/dailies/{address}", **query)
    assert (refused.status_code, refused.json()["detail"]) == (422, f"{name}: there is no “nope” here.")
