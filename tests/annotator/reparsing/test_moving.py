"""One page, moved to the document of another parser version with its gold."""

from types import SimpleNamespace

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotator.annotations.actions import claim_on, release_all, save
from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.gold.imported import align_imported
from annotator.gold.models import Adjudication, Gold
from annotator.pages.actions import keep_gold, make_document
from annotator.pages.models import ImportedGold, Page
from annotator.releases.takedown import take_down
from annotator.reparsing import actions, queries
from annotator.reparsing.actions import Outcome
from annotator.reparsing.models import Move
from annotator.runs.models import Extraction
from annotator.scoring.models import Score
from extraction.sandbox import Parser
from tests.annotator.gold.test_settling import paragraph, settle
from tests.annotator.scored import give_gold
from tests.factories import MakePage, annotate, draft

pytestmark = pytest.mark.django_db

FIRST, SECOND, THIRD = "The council said", "It said the work", "People who live"
HTML = """<!doctype html><html lang=en><head><title>Bridge opens</title></head><body>
<nav><a href=/>Home</a> <a href=/news>News</a> <a href=/{number}>More</a></nav>
<article><h1>Bridge opens</h1>
<p>The council said on Monday that the bridge, closed for most of the year, would open again.</p>
<p>It said the work on it had cost <br>more than it had been told when the plan was made.</p>
<p>People who live near it have been asked to use the other road <small>(the one by the old mill and the
river, which is narrow)</small> until then, and buses will go round, {number}.</p>
</article><footer>Copyright 2026 Daily</footer></body></html>"""


def move(page: Page, parser: Parser) -> tuple[Outcome, Move]:
    run = actions.start(corpus=page.corpus)
    row = Move.objects.get(run=run, page=page)
    claimed = work.claim(Move, row.pk)
    assert claimed
    outcome = actions.move_page(
        claimed, lambda page, version: make_document(page=page, parser=parser, version=version)
    )
    return outcome, Move.objects.get(pk=row.pk)


def make(make_page: MakePage, number: int = 1, **given: object) -> Page:
    return make_page(HTML.format(number=number), extracted=True, **given)


def texts(gold: Gold) -> list[tuple[str, str, str]]:
    return [(gold.document.text[start:end], label, source) for start, end, label, source in gold.spans]


def test_gold_moves_with_its_page(make_page: MakePage, newer: str, planted_parser: Parser) -> None:
    page = make(make_page)
    before = give_gold(page, [paragraph(page, FIRST, "body")])
    outcome, moved = move(page, planted_parser)
    assert outcome == Outcome.MOVED
    page.refresh_from_db()
    gold = page.gold.get(current=True)
    assert (page.document.version, gold.document) == (newer, page.document)
    assert "Home" not in page.document.text
    assert gold.spans[0][0] < before.spans[0][0]
    quote = before.document.text[slice(*before.spans[0][:2])]
    assert texts(gold) == [(quote, "body", "carried")]
    assert (gold.source, gold.verdict, gold.tells, gold.characters) == (
        "carried",
        "article",
        before.tells,
        None,
    )
    assert (moved.same, moved.changed, moved.lost, moved.adjudication) == (1, 0, 0, None)
    assert moved.report[0]["source"] == "unanimous"
    assert Gold.objects.get(pk=before.pk).current is None


def test_everything_is_there_when_it_flips(make_page: MakePage, newer: str, planted_parser: Parser) -> None:
    page = make(make_page)
    before = give_gold(page)
    scores = set(Score.objects.values_list("pk", flat=True))
    move(page, planted_parser)
    gold = page.gold.get(current=True)
    enabled = page.corpus.enabled.count()
    assert (
        Extraction.objects.filter(document=gold.document, error="").exclude(finished_at=None).count()
        == enabled
    )
    assert gold.scores.exclude(finished_at=None).filter(error="").count() == enabled
    assert set(before.scores.values_list("pk", flat=True)) == scores, "earlier cells are left alone"


def test_what_is_lost_goes_before_an_adjudicator(
    cast: SimpleNamespace, make_page: MakePage, newer: str, planted_parser: Parser
) -> None:
    page = make(make_page)
    marks = [paragraph(page, SECOND, "body"), paragraph(page, THIRD, "body")]
    annotate(page, cast.ada, marks)
    annotate(page, cast.ben, marks)
    before = settle(page)
    _, moved = move(page, planted_parser)
    gold = page.gold.get(current=True)
    assert (moved.same, moved.lost) == (1, 1)
    lost = "(the one by the old mill and the river, which is narrow)"
    bare = len(lost.replace(" ", ""))
    assert abs(moved.characters_lost - bare) <= 2
    assert gold.characters - gold.placed == moved.characters_lost
    assert "small" not in gold.document.text
    again = moved.adjudication
    assert again.reopens == gold
    assert "the one by the old mill and the river, which is narrow" in again.why
    assert before.verdict == again.verdict
    assert queries.in_work(page)


def test_a_page_in_hand_waits(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, newer: str, planted_parser: Parser
) -> None:
    page = make(make_page)
    slot = claim_on(page=page, annotator=cast.ada)
    save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))
    before = page.documents.get()
    outcome, moved = move(page, planted_parser)
    assert (outcome, moved.state) == (Outcome.WAITS, "waiting")
    assert moved.waiting_since
    release_all(corpus=corpus, user=cast.ada)
    assert move(page, planted_parser)[0] == Outcome.WAITS, "her draft speaks of this document"
    page.refresh_from_db()
    assert page.document == before
    marks = [paragraph(page, FIRST, "body")]
    annotate(page, cast.ada, marks)
    annotate(page, cast.ben, marks)
    assert move(page, planted_parser)[0] == Outcome.WAITS, "two have marked it, and nobody has settled it"
    gold = settle(page)
    assert [row.pk for row in actions.wake(gold=gold)] == [moved.pk]
    outcome, moved = move(page, planted_parser)
    assert (outcome, moved.waiting_since) == (Outcome.MOVED, None)
    assert {each.document for each in page.rounds.get().slots.get(number=1).annotations.all()} == {before}


def test_gold_that_came_with_the_page_is_placed_anew(
    make_page: MakePage, newer: str, planted_parser: Parser
) -> None:
    page = make(make_page)
    text = "It said the work on it had cost more than it had been told when the plan was made."
    came = keep_gold(page=page, content={"verdict": "article", "labels": ["body"], "text": text}, source="x")
    align_imported(work.claim(ImportedGold, came.pk))
    move(page, planted_parser)
    gold = page.gold.get(current=True)
    assert (gold.source, gold.document.version) == ("imported", newer)
    assert gold.characters == gold.placed
    assert " ".join(" ".join(quote for quote, *_ in texts(gold)).split()) == text


def test_carried_twice_it_still_says_where_it_comes_from(
    make_page: MakePage, newer: str, planted_parser: Parser, parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = make(make_page)
    give_gold(page, [paragraph(page, FIRST, "body")])
    old = page.documents.get().version
    move(page, planted_parser)
    monkeypatch.setattr(actions, "PARSER_VERSION", old)
    page.refresh_from_db()
    _, back = move(page, parser)
    gold = page.gold.get(current=True)
    assert (gold.number, gold.document.version) == (3, old)
    assert back.report[0]["source"] == "unanimous"


def test_the_database_keeps_gold_and_document_together(
    make_page: MakePage, newer: str, planted_parser: Parser
) -> None:
    page = make(make_page)
    give_gold(page)
    other = make_document(page=page, parser=planted_parser, version=newer)
    with connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")
    with pytest.raises(IntegrityError, match="current document"), transaction.atomic():
        Page.objects.filter(pk=page.pk).update(document=other)


def test_a_page_that_the_new_parser_refuses_stays(make_page: MakePage, newer: str, parser: Parser) -> None:
    """Here the parser is of another version than was asked for."""
    page = make(make_page)
    give_gold(page)
    run = actions.start(corpus=page.corpus)
    claimed = work.claim(Move, run.moves.get().pk)
    failed = work.attempt(
        claimed,
        lambda row: actions.move_page(
            row, lambda page, version: make_document(page=page, parser=parser, version=version)
        ),
    )
    assert failed is None
    page.refresh_from_db()
    assert page.document.version != newer
    assert "start it anew" in run.moves.get().error
    actions.start(corpus=page.corpus)
    assert run.moves.get().state == "waiting", "started again, it is tried again"


def test_a_page_that_is_taken_down_goes_on_nowhere(
    cast: SimpleNamespace, make_page: MakePage, newer: str, planted_parser: Parser
) -> None:
    """Its words stood in the reason for which its gold is looked at again, which is settled by now."""
    page = make(make_page)
    for person in (cast.ada, cast.ben):
        annotate(page, person, [paragraph(page, THIRD, "body")])
    settle(page)
    again = move(page, planted_parser)[1].adjudication
    now = timezone.now()
    Adjudication.objects.filter(pk=again.pk).update(adjudicator=cast.cleo, settled_at=now)
    take_down(page=page, reason="asked for by a court")
    again.refresh_from_db()
    assert again.why == "taken down"
    assert "old mill" not in str(Move.objects.values())
