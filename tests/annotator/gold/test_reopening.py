"""Reopened gold: another adjudication, then a new version; the old one stays."""

from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.models import Corpus
from annotator.gold import actions, finalisation, payload, queries
from annotator.gold.models import Adjudication, Gold
from annotator.gold.versions import add_gold
from tests.annotator.gold.test_adjudication import FIRST, HEADLINE, SECOND, finalise, paragraph
from tests.annotator.gold.test_audits import agree
from tests.factories import MakePage, SignedIn, annotate, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

WHY = "The caption was taken for body."


@pytest.fixture
def gold(cast: SimpleNamespace, make_page: MakePage) -> Gold:
    page = make_page()
    agree(page, cast)
    finalised = finalise(page)
    assert isinstance(finalised, Gold)
    return finalised


def reopen(gold: Gold, cast: SimpleNamespace, corpus: Corpus) -> Adjudication:
    finalisation.reopen_gold(gold=gold, by=cast.hanne, why=WHY)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    assert held
    return held


def test_the_old_gold_stands_until_the_new_one_comes(
    gold: Gold, cast: SimpleNamespace, corpus: Corpus
) -> None:
    held = reopen(gold, cast, corpus)
    page = gold.page
    assert queries.current_gold(corpus).get() == gold
    headline, second = span_of(page, HEADLINE, "headline"), paragraph(page, SECOND, "body")
    text = queries.document_of(held).text
    actions.decide(
        adjudication=held,
        user=cast.cleo,
        numbers=[1],
        choice="relabel",
        marks=[headline, second],
        quotes=[text[span.start : span.end] for span in (headline, second)],
    )
    newer = actions.submit(adjudication=held, user=cast.cleo)
    gold.refresh_from_db()
    assert (newer.number, newer.current, gold.number, gold.current) == (2, True, 1, None)
    assert newer.spans == [[*headline, "unanimous"], [*second, "adjudicated"]]
    assert gold.spans[1][:2] == list(paragraph(page, FIRST, "body")[:2])
    assert (newer.adjudication.reopened_by, newer.adjudication.why) == (cast.hanne, WHY)
    assert newer.adjudication.adjudicator == cast.cleo


def test_it_can_be_confirmed_and_reopened_once_more(
    gold: Gold, cast: SimpleNamespace, corpus: Corpus
) -> None:
    for number in (2, 3):
        newer = actions.submit(adjudication=reopen(gold, cast, corpus), user=cast.cleo)
        assert (newer.number, newer.spans, newer.source) == (number, gold.spans, "adjudicated")
        gold = newer


def test_the_adjudicator_learns_why(gold: Gold, cast: SimpleNamespace, corpus: Corpus) -> None:
    shown = payload.of_adjudication(reopen(gold, cast, corpus), cast.cleo)
    assert (shown["why"], shown["whole"], shown["verdict"]["by"]) == (WHY, True, "nobody")


def test_annotators_cannot_reopen_a_reopened_page(gold: Gold, cast: SimpleNamespace, corpus: Corpus) -> None:
    reopen(gold, cast, corpus)
    assert gold.page.rounds.get().finalised_at, "so that no annotator can reopen their submission"
    assert finalisation.finalise_round(round_=gold.page.rounds.get()) is None


def test_a_page_in_adjudication_is_not_reopened(gold: Gold, cast: SimpleNamespace, corpus: Corpus) -> None:
    reopen(gold, cast, corpus)
    with pytest.raises(Conflict, match="already"):
        finalisation.reopen_gold(gold=gold, by=cast.hanne, why="again")


def test_older_gold_is_not_reopened(gold: Gold, cast: SimpleNamespace, corpus: Corpus) -> None:
    actions.submit(adjudication=reopen(gold, cast, corpus), user=cast.cleo)
    with pytest.raises(Conflict, match="no longer"):
        finalisation.reopen_gold(gold=gold, by=cast.hanne, why="again")


def test_imported_gold_of_a_page_that_nobody_annotated_is_not(
    cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    imported = add_gold(document=page.documents.get(), verdict="article", spans=[], source="imported")
    with pytest.raises(Conflict, match="Nobody has annotated"):
        finalisation.reopen_gold(gold=imported, by=cast.hanne, why="it looks wrong")


def test_imported_gold_of_a_page_that_is_being_annotated_is_not(
    cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    imported = add_gold(document=page.documents.get(), verdict="article", spans=[], source="imported")
    annotate(page, cast.ada)
    with pytest.raises(Conflict, match="being annotated"):
        finalisation.reopen_gold(gold=imported, by=cast.hanne, why="it looks wrong")


@pytest.mark.parametrize("why", ["", "  ", "x" * 501])
def test_a_reason_is_required(gold: Gold, cast: SimpleNamespace, why: str) -> None:
    with pytest.raises(GoldpanError, match="Give a reason"):
        finalisation.reopen_gold(gold=gold, by=cast.hanne, why=why)


def test_the_database_requires_reason_and_gold_together(
    gold: Gold, cast: SimpleNamespace, corpus: Corpus
) -> None:
    held = reopen(gold, cast, corpus)
    for change in ({"why": ""}, {"reopens": None}, {"kind": "dispute"}):
        with pytest.raises(IntegrityError, match="adjudication_has_its_origin"), transaction.atomic():
            Adjudication.objects.filter(pk=held.pk).update(**change)


# ---- the screen of a page's gold ----


def test_the_versions_of_a_page_say_who_when_and_why(
    gold: Gold, cast: SimpleNamespace, corpus: Corpus, rhea: Client
) -> None:
    newer = actions.submit(adjudication=reopen(gold, cast, corpus), user=cast.cleo)
    shown = rhea.get(f"/c/dailies/gold/{gold.page_id}/").content.decode()
    for words in (WHY, str(cast.hanne), str(cast.cleo)):
        assert words in shown
    assert shown.index(f"Version {newer.number}") < shown.index("Version 1")
    assert "/reopen/" not in shown, "a researcher cannot"


def test_an_admin_reopens_from_there(gold: Gold, hanne: Client) -> None:
    address = f"/c/dailies/gold/{gold.page_id}/"
    assert hanne.post(f"{address}reopen/", {"why": WHY, "version": "1"}).status_code == 302
    assert Adjudication.objects.get().why == WHY
    assert WHY in hanne.get(address).content.decode()
    twice = hanne.post(f"{address}reopen/", {"why": WHY, "version": "1"}, follow=True)
    assert "already" in twice.content.decode()
    assert Adjudication.objects.count() == 1


def test_nobody_else_does(gold: Gold, cast: SimpleNamespace, signed_in: SignedIn) -> None:
    for person in (cast.ada, cast.cleo, cast.rhea):
        answer = signed_in(person).post(
            f"/c/dailies/gold/{gold.page_id}/reopen/", {"why": WHY, "version": "1"}
        )
        assert answer.status_code == 403
    assert not Adjudication.objects.exists()


def test_the_audits_are_counted_and_their_share_is_set(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, hanne: Client
) -> None:
    hanne.post("/c/dailies/audits/share/", {"percent": "100"})
    corpus.refresh_from_db()
    assert corpus.audit_share == 1
    page = make_page()
    agree(page, cast)
    finalise(page)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    assert queries.audit_figures(corpus).waiting == 1
    actions.submit(adjudication=held, user=cast.cleo)
    assert queries.audit_figures(corpus) == (0, 1, [])
    assert 'value="100"' in hanne.get("/c/dailies/audits/").content.decode()
    for wrong in ("", "101", "-1", "a", "1000"):
        hanne.post("/c/dailies/audits/share/", {"percent": wrong})
    corpus.refresh_from_db()
    assert corpus.audit_share == 1
