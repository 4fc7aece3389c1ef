"""A decision may name the clause of the guideline that was its reason."""

from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction

from annotator.common.errors import GoldpanError
from annotator.corpora.guideline.actions import write_version
from annotator.corpora.models import Corpus
from annotator.gold import actions, payload
from annotator.gold.models import Adjudication, Segment
from tests.annotator.gold.test_adjudication import FIRST, HEADLINE, finalise, paragraph
from tests.factories import MakePage, annotate, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


@pytest.fixture
def held(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> Adjudication:
    """A dispute in cleo's hands: ada and ben marked under versions 1 and 2, and a third stands by now."""
    page = make_page()
    annotate(page, cast.ada, [span_of(page, HEADLINE, "headline")])
    _write(corpus, cast, "## 1 One\n\n1.1 A.\n\n1.2 B. {body}\n", based_on=1)
    annotate(page, cast.ben, [paragraph(page, FIRST, "body")])
    _write(corpus, cast, "## 1 One\n\n1.1 A.\n", based_on=2)
    finalise(page)
    taken = actions.claim_next(corpus=corpus, user=cast.cleo)
    assert taken
    return taken


def _write(corpus: Corpus, cast: SimpleNamespace, text: str, *, based_on: int) -> None:
    write_version(corpus=corpus, texts={"en": text}, note="", made_by=cast.hanne, based_on=based_on)


def decide(held: Adjudication, choice: str, clause: str = "") -> Segment:
    actions.decide(adjudication=held, user=held.adjudicator, numbers=[1], choice=choice, clause=clause)
    return held.segments.get(number=1)


def test_the_clause_is_kept_with_the_version_that_was_used(held: Adjudication) -> None:
    segment = decide(held, "A", "1.2")
    assert (segment.clause, segment.guideline_version) == ("1.2", 2)
    assert payload.describe(held)["segments"][0]["clause"] == "1.2"


def test_no_reason_need_be_given_and_one_can_be_taken_back(held: Adjudication) -> None:
    assert (decide(held, "A").clause, decide(held, "A").guideline_version) == ("", None)
    decide(held, "A", "1.1")
    assert decide(held, "B").clause == ""
    decide(held, "A", "1.1")
    opened = decide(held, "", "1.1")
    assert (opened.choice, opened.clause, opened.guideline_version) == ("", "", None)


@pytest.mark.parametrize("clause", ["1.3", "9.9", "1", "x" * 50])
def test_a_clause_that_is_not_there_is_refused(held: Adjudication, clause: str) -> None:
    with pytest.raises(GoldpanError, match="has no clause"):
        decide(held, "A", clause)
    assert held.segments.get(number=1).choice == ""


def test_a_cited_clause_needs_its_version(held: Adjudication) -> None:
    decide(held, "A", "1.1")
    for change in ({"guideline_version": None}, {"clause": ""}, {"choice": "", "decided_at": None}):
        with pytest.raises(IntegrityError, match="cited_clause_has_a_version"), transaction.atomic():
            held.segments.filter(number=1).update(**change)
