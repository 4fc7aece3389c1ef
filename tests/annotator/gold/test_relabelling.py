"""Marks of the adjudicator's own inside a segment, and one answer to many segments."""

from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction

from annotator.common.errors import GoldpanError
from annotator.corpora.models import Corpus
from annotator.gold import actions, payload, queries
from annotator.gold.models import Adjudication
from extraction.spans import Span
from tests.annotator.gold.test_adjudication import FIRST, HEADLINE, SECOND, THIRD, finalise, paragraph
from tests.factories import MakePage, SignedIn, annotate, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


@pytest.fixture
def held(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> Adjudication:
    """In cleo's hands: headline agreed; the first paragraph body or nothing, the third body or related."""
    page = make_page()
    both = span_of(page, HEADLINE, "headline")
    annotate(page, cast.ada, [both, paragraph(page, FIRST, "body"), paragraph(page, THIRD, "body")])
    annotate(page, cast.ben, [both, paragraph(page, THIRD, "related")])
    finalise(page)
    taken = actions.claim_next(corpus=corpus, user=cast.cleo)
    assert taken
    return taken


def mark(held: Adjudication, *marks: Span, quotes: list[str] | None = None, number: int = 1) -> None:
    text = queries.document_of(held).text
    shown = quotes if quotes is not None else [text[span.start : span.end] for span in marks]
    actions.decide(
        adjudication=held,
        user=held.adjudicator,
        numbers=[number],
        choice="relabel",
        marks=list(marks),
        quotes=shown,
    )


def test_relabelled_spans_are_adjudicated_gold(held: Adjudication) -> None:
    page = held.round.page
    mine = span_of(page, "The council said on Monday", "supplemental")
    mark(held, mine)
    actions.decide(adjudication=held, user=held.adjudicator, numbers=[2], choice="neither")
    gold = actions.submit(adjudication=held, user=held.adjudicator)
    assert gold.spans == [[*span_of(page, HEADLINE, "headline"), "unanimous"], [*mine, "adjudicated"]]
    assert gold.adjudication == held


def test_the_screen_restores_relabelled_spans(held: Adjudication) -> None:
    mine = span_of(held.round.page, "on Monday", "body")
    mark(held, mine)
    segment = payload.describe(held)["segments"][0]
    assert (segment["choice"], segment["marks"]) == ("relabel", [list(mine)])


def test_blank_edges_are_trimmed(held: Adjudication) -> None:
    page = held.round.page
    start, end, label = span_of(page, "on Monday ", "body")
    mark(held, Span(start, end, label))
    assert held.segments.get(number=1).marks == [[start, end - 1, label]]


@pytest.mark.parametrize(
    "quote", [HEADLINE, SECOND, "said on Monday that the bridge, closed for most of the year"]
)
def test_a_mark_must_lie_inside_the_segment(held: Adjudication, quote: str) -> None:
    start, end, label = span_of(held.round.page, quote, "body")
    inside = quote.startswith("said")
    outer = Span(start - 40 if inside else start, end, label)
    with pytest.raises(GoldpanError, match="outside the segment"):
        mark(held, outer)
    assert queries.open_segments(held).count() == 2


def test_a_mark_needs_a_label_of_the_corpus_and_the_text_that_is_stored(held: Adjudication) -> None:
    page = held.round.page
    with pytest.raises(GoldpanError, match="has no label"):
        mark(held, span_of(page, "on Monday", "advert"))
    with pytest.raises(GoldpanError, match="differ from what your browser shows"):
        mark(held, span_of(page, "on Monday", "body"), quotes=["on Sunday"])


def test_marks_do_not_overlap(held: Adjudication) -> None:
    start, end, _label = span_of(held.round.page, "on Monday", "body")
    with pytest.raises(GoldpanError):
        mark(held, Span(start, end, "body"), Span(start + 2, end, "related"))


def test_another_answer_removes_the_adjudicators_marks(held: Adjudication) -> None:
    mark(held, span_of(held.round.page, "on Monday", "body"))
    actions.decide(adjudication=held, user=held.adjudicator, numbers=[1], choice="A")
    assert held.segments.get(number=1).marks is None


def test_only_relabelled_segments_have_marks(held: Adjudication) -> None:
    mark(held, span_of(held.round.page, "on Monday", "body"))
    for change in ({"marks": None}, {"choice": "neither"}):
        with pytest.raises(IntegrityError, match="only_relabelled_segments"), transaction.atomic():
            held.segments.filter(number=1).update(**change)


def test_one_answer_for_all_that_is_left(held: Adjudication, signed_in: SignedIn) -> None:
    client = signed_in(held.adjudicator)
    answer = client.post(
        f"/c/dailies/adjudications/{held.pk}/decide/",
        {"segments": [1, 2], "choice": "A"},
        content_type="application/json",
    )
    assert answer.status_code == 200
    slot = str(held.order[0])
    assert set(held.segments.values_list("choice", flat=True)) == {slot}


@pytest.mark.parametrize("segments", [None, [], 1, ["1"], [True], [1, 9], [-1]])
def test_a_list_that_is_none_decides_nothing(
    held: Adjudication, signed_in: SignedIn, segments: object
) -> None:
    answer = signed_in(held.adjudicator).post(
        f"/c/dailies/adjudications/{held.pk}/decide/",
        {"segments": segments, "choice": "A"},
        content_type="application/json",
    )
    assert answer.status_code == 422
    assert queries.open_segments(held).count() == 2
