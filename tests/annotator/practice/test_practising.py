"""Practice: annotators are led to it, see gold after it, and qualify by it; nothing of it counts."""

import re
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotator.agreement.actions import request_comparison
from annotator.annotations import actions as annotating
from annotator.annotations import eligibility
from annotator.annotations import queries as annotations
from annotator.annotations.models import Purpose, Round, Slot
from annotator.annotations.qualification.models import Qualification
from annotator.annotations.qualification.queries import newest
from annotator.common.errors import Conflict
from annotator.corpora.access import CorpusAccess
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, User
from annotator.gold import queries as gold_queries
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.home import summaries
from annotator.home.queries import without_taker
from annotator.pages.actions import add_page
from annotator.practice import actions, queries
from annotator.practice.models import PracticeAttempt, PracticePage
from annotator.quality.checks import queries as checks
from annotator.releases.takedown import take_down
from extraction.sandbox import Parser
from tests.annotator.practice.made import (
    PARAGRAPH,
    ask,
    corpus_with_gold,
    gold_of,
    newcomer,
    practise,
    story,
    submit_practice,
)
from tests.annotator.scored import make_gold
from tests.factories import MakePage, SignedIn, annotate, draft, page_maker, save_body, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


@pytest.fixture
def trials(parser: Parser, cast: SimpleNamespace) -> Corpus:
    return corpus_with_gold(parser, cast.hanne)


@pytest.fixture
def nell(corpus: Corpus, cast: SimpleNamespace, trials: Corpus, make_page: MakePage) -> User:
    """Has just joined a corpus with two pages and practice of two pages."""
    make_page(), make_page()
    ask(corpus, cast.hanne, trials)
    return newcomer(corpus)


def send(client: Client, slot: Slot, person: User, spans: list[tuple[str, str]], **changes: object) -> str:
    """Save and submit as the workbench does; the address that comes next."""
    address = f"/c/dailies/slots/{slot.key}/"
    opened = client.get(address)
    marks = [span_of(slot.round.page, quote, label) for quote, label in spans]
    body = save_body(draft(slot, person, marks), **changes)
    assert client.post(f"{address}save/", body, "application/json").status_code == 200
    answer = client.post(opened.context["payload"]["urls"]["submit"], {"based_on": 1}, "application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()["next"]


# ---- claiming ----


def test_the_first_page_of_an_annotator_is_practice(nell: User, corpus: Corpus, signed_in: SignedIn) -> None:
    client = signed_in(nell)
    assert client.post("/c/dailies/next/")["Location"] == "/c/dailies/practice/"
    address = client.post("/c/dailies/practice/next/")["Location"]
    slot = Slot.objects.get(key=address.rstrip("/").rpartition("/")[2])
    assert (slot.round.purpose, slot.round.page.corpus.slug) == (Purpose.PRACTICE, "trials")
    payload = client.get(address).context["payload"]
    assert (payload["suggestion"], payload["practice"]) == (None, True)
    assert client.post("/c/dailies/next/")["Location"] == address
    assert client.post("/c/dailies/practice/next/")["Location"] == address


def test_no_way_leads_to_a_real_page_before(
    nell: User, corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    real = corpus.pages.first()
    for _ in range(2):
        assert annotating.claim_next(corpus=corpus, annotator=nell) is None
        with pytest.raises(Conflict, match="Complete practice first"):
            annotating.claim_on(page=real, annotator=nell)
        slot = actions.open_next(corpus=corpus, annotator=nell)
        assert annotating.reserve_next(slot=slot, annotator=nell) is None
        submit_practice(slot, nell, [])
    assert eligibility.pages_left(corpus, nell) == 0
    assert not Slot.objects.filter(annotator=nell, round__page__corpus=corpus).exists()


def test_a_reserved_page_is_not_opened_before(
    corpus: Corpus, cast: SimpleNamespace, trials: Corpus, make_page: MakePage
) -> None:
    make_page(), make_page()
    first = annotating.claim_next(corpus=corpus, annotator=cast.ada)
    second = annotating.reserve_next(slot=first, annotator=cast.ada)
    ask(corpus, cast.hanne, trials)
    second.refresh_from_db()
    assert second.annotator is None, "it went back"
    # A window that asked at the same moment, and holds it all the same.
    held = {"annotator": cast.ada, "claimed_at": first.claimed_at, "lease_until": first.lease_until}
    Slot.objects.filter(pk=second.pk).update(**held, reserved_at=first.claimed_at)
    assert annotating.claim_next(corpus=corpus, annotator=cast.ada) == first, "it can be finished"
    Slot.objects.filter(pk=first.pk).update(annotator=None, claimed_at=None, lease_until=None)
    assert annotating.claim_next(corpus=corpus, annotator=cast.ada) is None


def test_whoever_has_submitted_a_page_needs_no_practice(
    corpus: Corpus, cast: SimpleNamespace, trials: Corpus, make_page: MakePage
) -> None:
    annotate(make_page(), cast.ada)
    page = make_page()
    ask(corpus, cast.hanne, trials)
    assert Qualification.objects.get().annotator == cast.ada
    assert annotating.claim_next(corpus=corpus, annotator=cast.ada).round.page == page
    assert annotating.claim_next(corpus=corpus, annotator=cast.ben) is None


def test_without_practice_nothing_is_asked(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    make_page()
    assert actions.open_next(corpus=corpus, annotator=cast.ada) is None
    assert annotating.claim_next(corpus=corpus, annotator=cast.ada)


def test_practice_that_is_asked_no_more_stands_in_nobodys_way(
    nell: User, corpus: Corpus, cast: SimpleNamespace
) -> None:
    ask(corpus, cast.hanne, None)
    assert annotating.claim_next(corpus=corpus, annotator=nell).round.page.corpus == corpus


# ---- feedback ----


def test_gold_is_shown_once_the_page_is_submitted_and_not_before(
    nell: User, corpus: Corpus, signed_in: SignedIn
) -> None:
    client = signed_in(nell)
    slot = actions.open_next(corpus=corpus, annotator=nell)
    feedback = f"/c/dailies/practice/slots/{slot.key}/"
    assert client.get(feedback).status_code == 404
    before = client.get(f"/c/dailies/slots/{slot.key}/").content.decode()
    assert '"headline"' in before
    assert "differences" not in before
    # The headline gets another label, misses the paragraph, and marks the footer.
    marks = [("Bridge opens", "body"), ("Copyright 2026 Daily", "supplemental")]
    assert send(client, slot, nell, marks) == feedback
    found = client.get(feedback).context["found"]
    kinds = {(each.difference.kind, each.text) for each in found.differences}
    assert kinds == {
        ("relabel", "Bridge opens"),
        ("missed", PARAGRAPH),
        ("extra", "Copyright 2026 Daily"),
    }
    assert (found.measure.right, found.page.f1, found.page.same_verdict) == (0, 0.0, True)
    assert all(each.clauses for each in found.differences)
    html = client.get(feedback).content.decode()
    for words in ("missed", "extra", "relabelled", "Next practice page"):
        assert words in html
    guideline = next(address for _number, address in found.differences[0].clauses)
    assert f'id="{guideline.partition("#")[2]}"' in client.get(guideline).content.decode()


def test_nobody_else_is_shown_it(
    nell: User, corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    slot = practise(corpus, nell).slot
    other = newcomer(corpus, "olga")
    for address in (f"/c/dailies/practice/slots/{slot.key}/", f"/c/dailies/slots/{slot.key}/view.json"):
        assert signed_in(nell).get(address).status_code == 200
        assert signed_in(other).get(address).status_code == 404
        assert signed_in(cast.hanne).get(address).status_code == 403
    assert signed_in(other).post(f"/c/dailies/practice/slots/{slot.key}/submit/").status_code == 404


def test_feedback_on_a_page_that_was_taken_down_says_so(
    nell: User, corpus: Corpus, signed_in: SignedIn
) -> None:
    slot = practise(corpus, nell).slot
    take_down(page=slot.round.page, reason="on request")
    answer = signed_in(nell).get(f"/c/dailies/practice/slots/{slot.key}/")
    assert (answer.status_code, "This page was taken down." in answer.content.decode()) == (410, True)
    assert signed_in(nell).get("/c/dailies/practice/").status_code == 200


def test_a_practice_page_is_submitted_as_practice_only(
    nell: User, corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    slot = actions.open_next(corpus=corpus, annotator=nell)
    annotating.save(slot=slot, annotator=nell, draft=draft(slot, nell))
    answer = signed_in(nell).post(f"/c/dailies/slots/{slot.key}/submit/", {"based_on": 1}, "application/json")
    assert answer.status_code == 409
    assert Slot.objects.get(pk=slot.pk).submitted_at is None


def test_a_submitted_page_is_neither_reopened_nor_overwritten(nell: User, corpus: Corpus) -> None:
    page = practise(corpus, nell)
    with pytest.raises(Conflict):
        annotating.reopen(slot=page.slot, annotator=nell)
    assert actions.submit_page(page=page, annotator=nell, based_on=1).evaluated_at == page.evaluated_at
    for rows in (PracticePage.objects.filter(pk=page.pk), Qualification.objects.all()):
        Qualification.objects.get_or_create(corpus=corpus, annotator=nell, defaults={"basis": "passed"})
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        PracticePage.objects.filter(pk=page.pk).update(f1=1.0)


# ---- attempts ----


def test_who_reaches_the_mark_is_led_to_real_pages(nell: User, corpus: Corpus, signed_in: SignedIn) -> None:
    client = signed_in(nell)
    for _ in range(2):
        slot = actions.open_next(corpus=corpus, annotator=nell)
        address = send(client, slot, nell, [("Bridge opens", "headline"), (PARAGRAPH, "body")])
        assert client.get(address).context["found"].page.f1 == 1
    (attempt,) = PracticeAttempt.objects.all()
    assert (attempt.passed, attempt.f1, attempt.verdicts) == (True, 1.0, 2)
    assert "Start annotating" in client.get(address).content.decode()
    assert "Passed" in client.get("/c/dailies/practice/").content.decode()
    given = client.post("/c/dailies/next/")["Location"]
    assert re.fullmatch(r"/c/dailies/slots/[0-9a-f-]{36}/", given)
    assert Slot.objects.get(key=given.split("/")[-2]).round.page.corpus == corpus


def test_practice_is_evaluated_against_the_current_gold(nell: User, corpus: Corpus, trials: Corpus) -> None:
    """Gold imported where people have made gold is a later version of the page, but not the current one."""
    for page in trials.pages.all():
        mark = span_of(page, "Bridge opens", "body")
        add_gold(
            document=page.document,
            verdict="article",
            spans=[(*mark, "imported")],
            source="imported",
            yields=True,
        )
    practised = practise(corpus, nell)
    practised.refresh_from_db()
    assert practised.gold.current
    assert practised.f1 == 1


def test_a_wrong_verdict_fails_whatever_is_marked(nell: User, corpus: Corpus) -> None:
    practise(corpus, nell)
    page = practise(corpus, nell, well=False, verdict="not_article", reason="listing")
    page.attempt.refresh_from_db()
    assert (page.f1, page.same_verdict) == (0, False)
    assert (page.attempt.passed, page.attempt.verdicts, page.attempt.f1) == (False, 1, 0.5)


def test_each_attempt_is_on_unseen_pages_and_after_the_last_an_admin_decides(
    nell: User, corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    seen = [practise(corpus, nell, well=False).slot.round.page for _ in range(4)]
    assert len(set(seen)) == 4
    assert actions.open_next(corpus=corpus, annotator=nell) is None
    client, admin = signed_in(nell), signed_in(cast.hanne)
    assert "waiting for an admin" in client.get("/c/dailies/practice/").content.decode()
    assert client.post("/c/dailies/practice/next/")["Location"] == "/c/dailies/practice/"
    (found,) = [each for each in admin.get("/").context["summaries"] if each.corpus == corpus]
    assert found.admin.held_back == 1
    assert "no practice attempts left" in admin.get("/").content.decode()
    address = f"/c/dailies/practice/people/{nell.pk}/waive/"
    admin.post(address, {"reason": " "})
    assert not Qualification.objects.filter(annotator=nell).exists()
    admin.post(address, {"reason": "Marked a thousand pages elsewhere."})
    qualification = Qualification.objects.get(annotator=nell)
    assert (qualification.basis, qualification.waived_by) == ("waived", cast.hanne)
    assert annotating.claim_next(corpus=corpus, annotator=nell).round.page.corpus == corpus
    assert actions.open_next(corpus=corpus, annotator=nell).round.page.corpus == corpus


def test_all_are_given_the_same_pages_in_the_same_order(nell: User, corpus: Corpus) -> None:
    other = newcomer(corpus, "olga")
    orders = [[practise(corpus, who).slot.round.page_id for _ in range(2)] for who in (nell, other)]
    assert orders[0] == orders[1]


def test_a_skipped_page_is_made_up_for(nell: User, corpus: Corpus, signed_in: SignedIn) -> None:
    client = signed_in(nell)
    skipped = actions.open_next(corpus=corpus, annotator=nell)
    client.get(f"/c/dailies/slots/{skipped.key}/")
    answer = client.post(f"/c/dailies/slots/{skipped.key}/skip/", {"reason": "language"}, "application/json")
    assert answer.json()["next"] == "/c/dailies/practice/"
    given = [practise(corpus, nell).slot for _ in range(2)]
    assert skipped not in given
    assert PracticeAttempt.objects.get().passed


def test_an_attempt_ends_when_there_is_no_page_left(
    nell: User, corpus: Corpus, trials: Corpus, cast: SimpleNamespace
) -> None:
    practise(corpus, nell)
    for page in trials.pages.exclude(rounds__slots__assigned_to=nell):
        Gold.objects.filter(page=page).update(current=None)
    assert actions.open_next(corpus=corpus, annotator=nell) is None
    progress = queries.progress_of(corpus, nell)
    assert (progress.last.passed, progress.last.ran_out, progress.is_out_of_attempts) == (False, True, True)
    assert queries.out_of_attempts(corpus) == [nell]


def test_a_page_that_was_left_is_resumed_where_it_was(nell: User, corpus: Corpus) -> None:
    slot = actions.open_next(corpus=corpus, annotator=nell)
    annotating.save(slot=slot, annotator=nell, draft=draft(slot, nell, gold_of(slot.round.page)))
    annotating.release_all(corpus=corpus, user=nell)
    assert annotating.claim_next(corpus=corpus, annotator=nell) is None
    assert actions.open_next(corpus=corpus, annotator=nell) == slot
    assert slot.annotations.get().revision == 1


# ---- which pages ----


def test_gold_that_would_help_with_a_real_page_is_not_shown(
    nell: User, corpus: Corpus, trials: Corpus, cast: SimpleNamespace, parser: Parser
) -> None:
    """A page that is in the corpus too, one that others are annotating, and one that is looked at again."""
    order = list(queries.pages_for(newest(corpus), nell))
    twin, begun, unseen = order[:3]
    add_page(corpus=corpus, raw=b"other", url="https://a.example/")
    corpus.pages.filter(url="https://a.example/").update(sha256=twin.sha256)
    grant_role(corpus=trials, user=cast.ben, role="annotator")
    grant_role(corpus=trials, user=nell, role="annotator")
    for page in (begun, unseen):
        annotating.open_round(page=page)
    annotating.claim_on(page=begun, annotator=cast.ben)
    left = list(queries.pages_for(newest(corpus), nell))
    assert left == order[2:]
    assert twin not in queries.pool(corpus, trials)
    # Nobody has begun it: it is available for practice, and never offered as a real page.
    assert practise(corpus, nell).slot.round.page == unseen
    real = {slot.round.page for slot in eligibility.claimable_slots(trials, nell, unseen.added_at)}
    assert unseen not in real
    with pytest.raises(Conflict):
        annotating.claim_on(page=unseen, annotator=nell)
    assert annotating.claim_on(page=unseen, annotator=cast.ben)


def test_a_twin_in_another_corpus_of_the_annotator_is_left_out(
    nell: User, corpus: Corpus, trials: Corpus, parser: Parser
) -> None:
    first = queries.pages_for(newest(corpus), nell).first()
    weeklies = create_corpus(slug="weeklies")
    page = page_maker(weeklies, parser)()
    weeklies.pages.filter(pk=page.pk).update(sha256=first.sha256)
    assert queries.pages_for(newest(corpus), nell).first() == first
    grant_role(corpus=weeklies, user=nell, role="annotator")
    assert first not in queries.pages_for(newest(corpus), nell)


def test_a_near_duplicate_of_a_page_of_the_annotator_is_left_out(
    nell: User, corpus: Corpus, trials: Corpus, parser: Parser
) -> None:
    """Other bytes, and a word more: its gold would be the gold of a page that is to be annotated."""
    before = set(queries.pages_for(newest(corpus), nell))
    apples, pears = (page_maker(trials, parser)(story(word), opened=False) for word in ("apple", "pear"))
    for page in (apples, pears):
        make_gold(page, gold_of(page))
    weeklies = create_corpus(slug="weeklies")
    for where, word in ((corpus, "apple"), (weeklies, "pear")):
        page_maker(where, parser)(story(word).replace("</article>", "<p>More.</p></article>"))
    assert apples not in queries.pool(corpus, trials)
    assert set(queries.pages_for(newest(corpus), nell)) == before | {pears}
    grant_role(corpus=weeklies, user=nell, role="annotator")
    assert set(queries.pages_for(newest(corpus), nell)) == before


def test_a_page_like_one_practised_on_is_left_to_others(
    nell: User, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    """It came later; nobody could know at the time of practice."""
    practise(corpus, nell), practise(corpus, nell)
    assert eligibility.pages_left(corpus, nell) == 2
    twin = make_page(story("trials").replace("</article>", "<p>More.</p></article>"))
    other = make_page(story("pear"))
    assert eligibility.pages_left(corpus, nell) == 3
    given = set()
    while slot := annotating.claim_next(corpus=corpus, annotator=nell):
        given.add(slot.round.page)
        annotating.skip(slot=slot, annotator=nell)
    assert (twin in given, other in given) == (False, True)
    with pytest.raises(Conflict):
        annotating.claim_on(page=twin, annotator=nell)
    actions.waive_practice(corpus=corpus, annotator=cast.ben, by=cast.hanne, reason="Wrote the guideline.")
    assert annotating.claim_on(page=twin, annotator=cast.ben)


def test_a_page_like_one_that_all_of_them_practised_on_is_said_to_be_stuck(
    nell: User, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    practise(corpus, nell), practise(corpus, nell)
    twin, other = make_page(story("trials")), make_page(story("pear"))
    assert not without_taker(corpus).exists()
    for person in (cast.ada, cast.ben):
        person.memberships.update(ended_at=timezone.now())
    assert [round_.page for round_ in without_taker(corpus)] == [twin]
    assert annotating.claim_on(page=other, annotator=nell)


# ---- nothing of it counts ----


def test_practice_makes_no_gold_and_counts_nowhere(
    nell: User, corpus: Corpus, trials: Corpus, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    gold = list(Gold.objects.values())
    page = practise(corpus, nell)
    assert page.slot.round.finalised_at is None or page.slot.round.purpose == Purpose.PRACTICE
    round_ = Round.objects.get(slots=page.slot)
    assert round_.finalised_at
    assert request_comparison(round_=round_) is None
    assert round_ not in gold_queries.rounds_to_finalise()
    assert round_ not in checks.without_check()
    assert list(Gold.objects.values()) == gold
    assert annotations.submitted_counts(corpus, nell) == {"done": 0, "today": 0}
    assert not annotations.annotations_of(corpus, nell).exists()
    assert checks.rows(corpus) == []
    mine = summaries.summary_of(CorpusAccess(nell, corpus)).annotator
    assert (mine.today.pages, mine.last, mine.held, mine.next_page) == (0, [], None, None)
    assert mine.practice.done == 1


def test_home_leads_to_practice_and_from_it(nell: User, corpus: Corpus, signed_in: SignedIn) -> None:
    client = signed_in(nell)
    html = client.get("/", headers={"accept": "text/html"}).content.decode()
    assert "2 practice pages to complete first" in html
    assert "You&#x27;re all caught up" not in html
    actions.open_next(corpus=corpus, annotator=nell)
    html = client.get("/", headers={"accept": "text/html"}).content.decode()
    assert "Practice page 1 of 2" in html
    assert "Return to queue" not in html
    for _ in range(2):
        practise(corpus, nell)
    html = client.get("/", headers={"accept": "text/html"}).content.decode()
    assert "Practice page" not in html
    assert "to complete first" not in html
    assert "Next page" in html


def test_home_says_that_an_attempt_was_not_passed(nell: User, corpus: Corpus, signed_in: SignedIn) -> None:
    for _ in range(2):
        practise(corpus, nell, well=False)
    html = signed_in(nell).get("/", headers={"accept": "text/html"}).content.decode()
    assert "Not passed yet: try again" in html
    assert "to complete first" not in html


def test_an_attempt_without_results_has_no_empty_table(
    nell: User, corpus: Corpus, signed_in: SignedIn
) -> None:
    actions.open_next(corpus=corpus, annotator=nell)
    html = signed_in(nell).get("/c/dailies/practice/").content.decode()
    assert "Attempt 1" in html
    assert "<table" not in html


@pytest.mark.parametrize("pages", [1, 3])
def test_screens_ask_the_database_a_fixed_number_of_times(
    corpus: Corpus,
    trials: Corpus,
    cast: SimpleNamespace,
    signed_in: SignedIn,
    pages: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    ask(corpus, cast.hanne, trials, pages=3, min_verdicts=3)
    people = [newcomer(corpus, f"nell{n}") for n in range(pages)]
    for who in people:
        for _ in range(pages):
            last = practise(corpus, who, well=False)
    client, admin = signed_in(who), signed_in(cast.hanne)
    with django_assert_num_queries(PRACTICE):
        client.get("/c/dailies/practice/")
    with django_assert_num_queries(FEEDBACK):
        client.get(f"/c/dailies/practice/slots/{last.slot.key}/")
    with django_assert_num_queries(SETTING):
        admin.get("/c/dailies/practice/setting/")


PRACTICE, FEEDBACK, SETTING = 10, 16, 16
