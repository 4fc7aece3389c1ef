"""One page, re-parsed with another parser version and its gold."""

from types import SimpleNamespace

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotator.annotations.actions import claim_on, release_all, save
from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.gold.finalisation import align_imported
from annotator.gold.models import Adjudication, Gold
from annotator.gold.versions import add_gold
from annotator.pages.actions import make_document, store_imported_gold
from annotator.pages.models import ImportedGold, Page
from annotator.releases.takedown import take_down
from annotator.reparsing import actions, queries
from annotator.reparsing.actions import ReparseOutcome
from annotator.reparsing.models import ReparseJob
from annotator.runs.models import Extraction
from annotator.scoring.models import Score
from extraction.sandbox import Parser
from extraction.spans import normalise
from tests.annotator.gold.test_adjudication import finalise, paragraph
from tests.annotator.scored import give_gold, make_gold
from tests.factories import MakePage, annotate, draft

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]

FIRST, SECOND, THIRD = "The council said", "It said the work", "People who live"
HTML = """<!doctype html><html lang=en><head><title>Bridge opens</title></head><body>
<nav><a href=/>Home</a> <a href=/news>News</a> <a href=/{number}>More</a></nav>
<article><h1>Bridge opens</h1>
<p>The council said on Monday that the bridge, closed for most of the year, would open again.</p>
<p>It said the work on it had cost <br>more than it had been told when the plan was made.</p>
<p>People who live near it have been asked to use the other road <small>(the one by the old mill and the
river, which is narrow)</small> until then, and buses will go round, {number}.</p>
</article><footer>Copyright 2026 Daily</footer></body></html>"""


def reparse(page: Page, parser: Parser) -> tuple[ReparseOutcome, ReparseJob]:
    run = actions.start(corpus=page.corpus)
    row = ReparseJob.objects.get(run=run, page=page)
    claimed = work.claim(ReparseJob, row.pk)
    assert claimed
    outcome = actions.reparse_page(
        claimed, lambda page, version: make_document(page=page, parser=parser, version=version)
    )
    return outcome, ReparseJob.objects.get(pk=row.pk)


def make(make_page: MakePage, number: int = 1, **given: object) -> Page:
    return make_page(HTML.format(number=number), extracted=True, **given)


def texts(gold: Gold) -> list[tuple[str, str, str]]:
    return [(gold.document.text[start:end], label, source) for start, end, label, source in gold.spans]


def test_gold_moves_with_its_page(make_page: MakePage, newer: str, planted_parser: Parser) -> None:
    page = make(make_page)
    before = make_gold(page, [paragraph(page, FIRST, "body")])
    outcome, job = reparse(page, planted_parser)
    assert outcome == ReparseOutcome.DONE
    page.refresh_from_db()
    gold = page.gold.get(current=True)
    assert (page.document.version, gold.document) == (newer, page.document)
    assert "Home" not in page.document.text
    assert gold.spans[0][0] < before.spans[0][0]
    quote = before.document.text[slice(*before.spans[0][:2])]
    assert texts(gold) == [(quote, "body", "projected")]
    assert (gold.source, gold.verdict, gold.distinguishable_labels, gold.characters) == (
        "projected",
        "article",
        before.distinguishable_labels,
        None,
    )
    assert (job.same_intervals, job.changed_intervals, job.lost_intervals, job.adjudication) == (
        1,
        0,
        0,
        None,
    )
    assert job.intervals[0]["source"] == "unanimous"
    assert Gold.objects.get(pk=before.pk).current is None


def test_everything_is_there_when_it_flips(make_page: MakePage, newer: str, planted_parser: Parser) -> None:
    page = make(make_page)
    before = give_gold(page)
    scores = set(Score.objects.values_list("pk", flat=True))
    reparse(page, planted_parser)
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
    before = finalise(page)
    _, job = reparse(page, planted_parser)
    gold = page.gold.get(current=True)
    assert (job.same_intervals, job.lost_intervals) == (1, 1)
    lost = "(the one by the old mill and the river, which is narrow)"
    bare = len(lost.replace(" ", ""))
    assert abs(job.lost_characters - bare) <= 2
    assert gold.characters - gold.placed == job.lost_characters
    assert "small" not in gold.document.text
    again = job.adjudication
    assert again.reopens == gold
    assert "the one by the old mill and the river, which is narrow" in again.why
    assert before.verdict == again.verdict
    assert queries.is_in_work(page)


def test_a_page_that_is_being_annotated_waits(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, newer: str, planted_parser: Parser
) -> None:
    page = make(make_page)
    slot = claim_on(page=page, annotator=cast.ada)
    save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))
    before = page.documents.get()
    outcome, job = reparse(page, planted_parser)
    assert (outcome, job.state) == (ReparseOutcome.WAITS, "waiting")
    assert job.waiting_since
    release_all(corpus=corpus, user=cast.ada)
    assert reparse(page, planted_parser)[0] == ReparseOutcome.WAITS, "the draft refers to this document"
    page.refresh_from_db()
    assert page.document == before
    marks = [paragraph(page, FIRST, "body")]
    annotate(page, cast.ada, marks)
    annotate(page, cast.ben, marks)
    assert reparse(page, planted_parser)[0] == ReparseOutcome.WAITS, "it has marks and no gold yet"
    gold = finalise(page)
    assert isinstance(gold, Gold)
    assert [row.pk for row in actions.resume_after(gold=gold)] == [job.pk]
    outcome, job = reparse(page, planted_parser)
    assert (outcome, job.waiting_since) == (ReparseOutcome.DONE, None)
    assert {each.document for each in page.rounds.get().slots.get(number=1).annotations.all()} == {before}


def test_imported_gold_is_aligned_again(make_page: MakePage, newer: str, planted_parser: Parser) -> None:
    page = make(make_page)
    text = "It said the work on it had cost more than it had been told when the plan was made."
    came = store_imported_gold(
        page=page, content={"verdict": "article", "labels": ["body"], "text": text}, source="x"
    )
    align_imported(work.claim(ImportedGold, came.pk))
    reparse(page, planted_parser)
    gold = page.gold.get(current=True)
    assert (gold.source, gold.document.version) == ("imported", newer)
    assert gold.characters == gold.placed
    assert " ".join(" ".join(quote for quote, *_ in texts(gold)).split()) == text


def test_projected_twice_it_keeps_its_original_source(
    make_page: MakePage, newer: str, planted_parser: Parser, parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = make(make_page)
    make_gold(page, [paragraph(page, FIRST, "body")])
    old = page.documents.get().version
    reparse(page, planted_parser)
    monkeypatch.setattr(actions, "PARSER_VERSION", old)
    page.refresh_from_db()
    _, back = reparse(page, parser)
    gold = page.gold.get(current=True)
    assert (gold.number, gold.document.version) == (3, old)
    assert back.intervals[0]["source"] == "unanimous"


def test_a_mark_of_several_sources_stays_one(
    make_page: MakePage, newer: str, planted_parser: Parser, parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was decided in adjudication begins with the blank after what the annotators agree on."""
    page = make(make_page)
    document, whole = page.documents.get(), paragraph(page, FIRST, "body")
    middle = whole.start + len(FIRST)
    spans = [(whole.start, middle, "body", "unanimous"), (middle, whole.end, "body", "adjudicated")]
    add_gold(document=document, verdict="article", spans=spans, source="adjudicated")
    reparse(page, planted_parser)
    gold = page.gold.get(current=True)
    (mark,) = normalise(gold.marks)
    assert gold.document.text[mark.start : mark.end] == document.text[whole.start : whole.end]
    monkeypatch.setattr(actions, "PARSER_VERSION", document.version)
    page.refresh_from_db()
    _, back = reparse(page, parser)
    assert [row["source"] for row in back.intervals] == ["unanimous", "adjudicated"]
    assert normalise(page.gold.get(current=True).marks) == [whole]


def test_the_database_keeps_gold_and_document_together(
    make_page: MakePage, newer: str, planted_parser: Parser
) -> None:
    page = make(make_page)
    make_gold(page)
    other = make_document(page=page, parser=planted_parser, version=newer)
    with connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")
    with pytest.raises(IntegrityError, match="current document"), transaction.atomic():
        Page.objects.filter(pk=page.pk).update(document=other)


def test_a_worker_with_another_parser_leaves_the_page_to_others(
    make_page: MakePage, newer: str, parser: Parser
) -> None:
    page = make(make_page)
    make_gold(page)
    run = actions.start(corpus=page.corpus)
    claimed = work.claim(ReparseJob, run.jobs.get().pk)
    done = work.attempt(
        claimed,
        lambda row: actions.reparse_page(
            row, lambda page, version: make_document(page=page, parser=parser, version=version)
        ),
    )
    assert done is None
    page.refresh_from_db()
    assert page.document.version != newer
    job = run.jobs.get()
    assert (job.state, job.error) == ("waiting", "")
    assert job.last_fault.startswith(f"OtherVersion: this worker does not have parser {newer}")


def test_a_page_that_is_taken_down_goes_on_nowhere(
    cast: SimpleNamespace, make_page: MakePage, newer: str, planted_parser: Parser
) -> None:
    """Its words stood in the reason for which its gold was reopened, and which is decided by now."""
    page = make(make_page)
    for person in (cast.ada, cast.ben):
        annotate(page, person, [paragraph(page, THIRD, "body")])
    finalise(page)
    again = reparse(page, planted_parser)[1].adjudication
    now = timezone.now()
    Adjudication.objects.filter(pk=again.pk).update(adjudicator=cast.cleo, finalised_at=now)
    take_down(page=page, reason="asked for by a court")
    again.refresh_from_db()
    assert again.why == "taken down"
    assert "old mill" not in str(ReparseJob.objects.values())
