"""Audits: a share of agreed pages is adjudicated too, and the queue does not tell which."""

from types import SimpleNamespace

import pytest

from annotator.common.errors import GoldpanError
from annotator.corpora.actions import set_audit_share
from annotator.corpora.models import Corpus
from annotator.gold import actions, finalisation, payload, queries
from annotator.gold.models import Adjudication, Gold
from annotator.pages.models import Page
from annotator.releases.actions import take_down
from extraction.spans import Span
from tests.annotator.gold.test_adjudication import FIRST, HEADLINE, SECOND, dispute_of, finalise, paragraph
from tests.factories import MakePage, annotate, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def agree(page: Page, cast: SimpleNamespace) -> list[Span]:
    marks = [span_of(page, HEADLINE, "headline"), paragraph(page, FIRST, "body")]
    for person in (cast.ada, cast.ben):
        annotate(page, person, marks)
    return marks


@pytest.fixture
def audit(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> Adjudication:
    set_audit_share(corpus=corpus, share=1)
    page = make_page()
    agree(page, cast)
    assert isinstance(finalise(page), Adjudication)
    assert not Gold.objects.exists(), "its gold waits for the audit"
    taken = actions.claim_next(corpus=corpus, user=cast.cleo)
    assert taken
    return taken


def test_what_is_confirmed_stays_unanimous(audit: Adjudication, cast: SimpleNamespace) -> None:
    gold = actions.submit(adjudication=audit, user=cast.cleo)
    page = audit.round.page
    assert gold.spans == [
        [*span_of(page, HEADLINE, "headline"), "unanimous"],
        [*paragraph(page, FIRST, "body"), "unanimous"],
    ]
    assert (gold.source, gold.adjudication) == ("unanimous", audit)
    assert audit.segments.get().decided_at


def test_changed_spans_are_adjudicated_and_the_rest_stays(audit: Adjudication, cast: SimpleNamespace) -> None:
    page = audit.round.page
    first, second = paragraph(page, FIRST, "supplemental"), paragraph(page, SECOND, "body")
    headline = span_of(page, HEADLINE, "headline")
    text = queries.document_of(audit).text
    marks = [headline, first, second]
    actions.decide(
        adjudication=audit,
        user=cast.cleo,
        numbers=[1],
        choice="relabel",
        marks=marks,
        quotes=[text[span.start : span.end] for span in marks],
    )
    gold = actions.submit(adjudication=audit, user=cast.cleo)
    assert gold.spans == [[*headline, "unanimous"], [*first, "adjudicated"], [*second, "adjudicated"]]
    assert gold.source == "adjudicated"


def test_an_audit_that_nobody_can_take_any_more_does_not_wait(audit: Adjudication, corpus: Corpus) -> None:
    assert queries.audit_figures(corpus).waiting == 1
    take_down(page=audit.round.page, reason="asked for")
    assert queries.audit_figures(corpus).waiting == 0


def test_the_verdict_can_be_changed(audit: Adjudication, cast: SimpleNamespace) -> None:
    actions.decide_verdict(adjudication=audit, user=cast.cleo, verdict="not_article", reason="listing")
    gold = actions.submit(adjudication=audit, user=cast.cleo)
    assert (gold.verdict, gold.reason, gold.spans, gold.source) == (
        "not_article",
        "listing",
        [],
        "adjudicated",
    )


def test_an_agreed_page_without_marks_is_audited_too(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    set_audit_share(corpus=corpus, share=1)
    page = make_page()
    for person in (cast.ada, cast.ben):
        annotate(page, person, verdict="not_article", reason="paywall")
    finalise(page)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    assert payload.of_adjudication(held, cast.cleo)["whole"]
    gold = actions.submit(adjudication=held, user=cast.cleo)
    assert (gold.verdict, gold.source) == ("not_article", "unanimous")


def test_the_seed_draws_so_many(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    set_audit_share(corpus=corpus, share=0.25)
    page = make_page()
    round_ = page.rounds.get()
    corpus.seed = 20101
    drawn = []
    for number in range(2000):
        round_.page.sha256 = f"{number:064x}"
        round_.page.corpus = corpus
        drawn.append(finalisation.drawn_for_audit(round_))
        assert drawn[-1] == finalisation.drawn_for_audit(round_)
    assert 430 < sum(drawn) < 570, "a quarter of 2000, three and a half standard deviations either way"


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_is_a_share(corpus: Corpus, share: float) -> None:
    with pytest.raises(GoldpanError):
        set_audit_share(corpus=corpus, share=share)


def test_in_the_queue_an_audit_stands_where_a_dispute_could(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    dispute = dispute_of(make_page(), cast)
    set_audit_share(corpus=corpus, share=1)
    page = make_page()
    agree(page, cast)
    audit = finalise(page)
    assert isinstance(audit, Adjudication)
    assert (audit.in_dispute, audit.weight) == (0, dispute.in_dispute)


def test_open_verdicts_first_then_where_most_is_in_dispute(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    little, much, judged = make_page(), make_page(), make_page()
    annotate(little, cast.ada, [span_of(little, HEADLINE, "headline")])
    annotate(little, cast.ben)
    annotate(much, cast.ada, [paragraph(much, FIRST, "body"), paragraph(much, SECOND, "body")])
    annotate(much, cast.ben)
    annotate(judged, cast.ada)
    annotate(judged, cast.ben, verdict="not_article", reason="other")
    opened, *_others = [finalise(page) for page in (little, much, judged)]
    assert isinstance(opened, Adjudication)
    assert opened.in_dispute == len(HEADLINE.replace(" ", ""))
    order = [found.round.page for found in queries.claimable(corpus, cast.cleo, opened.opened_at)]
    assert order == [judged, much, little]
