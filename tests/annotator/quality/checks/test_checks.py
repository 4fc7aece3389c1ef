"""Hidden checks: given like any page, compared with gold, shown to admins only; gold never moves by them."""

from collections import Counter
from datetime import timedelta
from itertools import pairwise
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from annotator.administration.danger.actions import archive
from annotator.administration.labels.actions import add_label, retire_label
from annotator.administration.labels.queries import LabelUse, uses_of
from annotator.agreement.actions import request_comparison
from annotator.annotations import actions as annotating
from annotator.annotations.models import Annotation, Purpose, Round, Slot
from annotator.annotations.queries import progress_of
from annotator.annotations.slots.opening import open_slot
from annotator.annotations.study import check_intervals
from annotator.annotations.study.actions import begin_design
from annotator.annotations.study.models import StudyDesign
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.pages.models import Page
from annotator.quality.checks import actions, queries, tasks, views
from annotator.quality.checks.models import QualityCheck
from annotator.runs.actions import enable
from annotator.runs.models import Extractor
from extraction.spans import Span
from tests.annotator.gold.test_adjudication import finalise
from tests.factories import MakePage, SignedIn, annotate, change_design, draft, make_user, span_of


@given(st.integers(), st.floats(0.01, 0.25), st.integers(0, 40))
def test_one_falls_due_within_each_interval(seed: int, rate: float, interval: int) -> None:
    due = check_intervals.due_after(seed=seed, annotator_id=7, purpose="check", rate=rate, interval=interval)
    pages = [
        n for n in range(int((interval + 2) / rate)) if check_intervals.interval_after(n, rate) == interval
    ]
    assert len(pages) in (int(1 / rate), int(1 / rate) + 1)
    assert due <= pages[-1]
    assert due >= pages[0] - 1


def test_where_they_come_is_not_the_same_for_everybody() -> None:
    due = {
        check_intervals.due_after(seed=1, annotator_id=who, purpose="check", rate=0.1, interval=0)
        for who in range(40)
    }
    assert len(due) > 5


@pytest.fixture
def eve(corpus: Corpus) -> User:
    person = make_user("eve")
    grant_role(corpus=corpus, user=person, role="annotator")
    return person


def page_with_gold(cast: SimpleNamespace, make_page: MakePage) -> tuple[Page, list[Span]]:
    page = make_page()
    marks = [span_of(page, "Bridge opens", "headline")]
    for person in (cast.ada, cast.ben):
        annotate(page, person, marks)
    finalise(page)
    return page, marks


@pytest.fixture
def check(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, eve: User) -> Slot:
    """A check of eve's on a page that ada and ben have made gold; all pages are blind here."""
    page_with_gold(cast, make_page)
    change_design(corpus, check_rate=0.25, blind_share=1.0)
    for _ in range(8):
        annotate(make_page(), eve)
        if actions.open_due(corpus=corpus, annotator=eve):
            break
    return Slot.objects.get(assigned_to=eve)


pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def test_a_check_comes_next(check: Slot, corpus: Corpus, eve: User) -> None:
    assert annotating.claim_next(corpus=corpus, annotator=eve) == check
    assert (check.arm, check.round.blind, check.round.purpose) == (None, True, Purpose.CHECK)


def test_a_check_is_compared_with_the_current_gold(check: Slot, eve: User) -> None:
    """Gold imported where people have made gold is a later version of the page, but not the current one."""
    document = check.round.page.document
    add_gold(document=document, verdict="not_article", spans=[], source="imported", yields=True)
    annotation = annotate(check.round.page, eve, [span_of(check.round.page, "Bridge opens", "headline")])
    compared = actions.record_check(round_=annotation.slot.round)
    assert compared.gold.current
    assert compared.same_verdict


@pytest.mark.usefixtures("same_draws")  # All pages with gold may be drawn blind.
def test_a_check_shows_what_other_pages_show(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, eve: User
) -> None:
    """Their extractors, as often; and never on a page of the blind stratum."""
    change_design(corpus, check_rate=0.25)
    pages = [make_page(extracted=True) for _ in range(16)]
    for page in pages[:6]:
        annotate(page, cast.ada), annotate(page, cast.ben)
        finalise(page)
    with_gold = queries.check_pages(corpus, eve)
    blind = Round.objects.filter(purpose=Purpose.MAIN, blind=True)
    showing = [page for page in pages[6:] if not blind.filter(page=page).exists()]
    last = annotate(showing[0], eve).slot
    arms = queries.arms_like(last)
    assert arms == Counter(Slot.objects.filter(round__purpose=Purpose.MAIN).values_list("arm", flat=True))
    able = set(queries.able_to_show(with_gold, arms))
    assert able == {page for page in pages[:6] if not page.rounds.get(purpose=Purpose.MAIN).blind}
    assert len(able) in range(1, 6)
    enable(corpus=corpus, name="bte")
    like_new = {**arms, Extractor.objects.get(name="bte").pk: 1}
    assert not queries.able_to_show(with_gold, like_new).exists(), "it has not run on them"
    # As if the pages at hand were all of study settings under which each shows something.
    blind.update(design=StudyDesign.objects.get(number=1))
    for page in showing[1:6]:
        annotate(page, eve)
        actions.open_due(corpus=corpus, annotator=eve)
    check = Slot.objects.filter(assigned_to=eve).first()
    assert check.round.page in able
    assert check.arm_id in arms.keys() - {None}
    assert (
        open_slot(slot=annotating.claim_next(corpus=corpus, annotator=eve), annotator=eve).shown == check.arm
    )


def test_what_is_overdue_is_forgotten(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, eve: User
) -> None:
    """As long as there is no gold nothing can be checked; then there is no burst of checks."""
    change_design(corpus, check_rate=0.25, blind_share=1.0)
    for _ in range(16):
        annotate(make_page(), eve)
        assert actions.open_due(corpus=corpus, annotator=eve) == []
    for _ in range(6):
        page_with_gold(cast, make_page)
    while check := actions.open_due(corpus=corpus, annotator=eve):
        annotate(check[0].page, eve)
    for _ in range(8):
        annotate(make_page(), eve)
        for opened in actions.open_due(corpus=corpus, annotator=eve):
            annotate(opened.page, eve)
    intervals = list(Round.objects.filter(purpose=Purpose.CHECK).values_list("draw", flat=True))
    assert set(intervals) <= {4, 5, 6}
    assert len(intervals) == len(set(intervals)) >= 2


def test_progress_goes_down_by_one_page_at_a_time(
    check: Slot, corpus: Corpus, eve: User, make_page: MakePage
) -> None:
    """A check counts like any page, before it is opened, while it waits and when it is submitted."""
    for _ in range(9):
        make_page()
    left = [progress_of(corpus, eve, recount=True).left]
    while slot := annotating.claim_next(corpus=corpus, annotator=eve):
        annotate(slot.round.page, eve)
        left.append(progress_of(corpus, eve, recount=True).left)
        actions.open_due(corpus=corpus, annotator=eve)
        assert progress_of(corpus, eve).left == left[-1]
    # Where no page is left to check against, or to repeat, that is forgotten: a page less for either.
    assert {before - after for before, after in pairwise(left)} <= {1, 2, 3}
    assert (left[-1], len(left)) == (0, 1 + 9 + Slot.objects.filter(assigned_to=eve).count())


def test_nobody_else_is_given_it(check: Slot, corpus: Corpus, cast: SimpleNamespace) -> None:
    fay = make_user("fay")
    grant_role(corpus=corpus, user=fay, role="annotator")
    given_out = []
    while slot := annotating.claim_next(corpus=corpus, annotator=fay):
        annotate(slot.round.page, fay)
        given_out.append(slot)
    assert given_out
    assert check not in given_out
    now = timezone.now()
    with pytest.raises(IntegrityError), transaction.atomic():
        Slot.objects.filter(pk=check.pk).update(annotator=fay, claimed_at=now, lease_until=now)


def test_a_check_is_held_against_gold_and_gold_stays(check: Slot, corpus: Corpus, eve: User) -> None:
    page = check.round.page
    before = list(Gold.objects.values())
    annotate(page, eve, [span_of(page, "Bridge opens", "headline"), span_of(page, "The council", "body")])
    assert request_comparison(round_=check.round) is None
    result = actions.record_check(round_=check.round)
    assert result.same_verdict
    assert result.f1 == pytest.approx(2 * 11 / (11 + 21))
    assert actions.record_check(round_=check.round) == result
    assert list(Gold.objects.values()) == before
    with pytest.raises(IntegrityError), transaction.atomic():
        QualityCheck.objects.update(f1=1.0)


def test_a_page_seen_before_is_no_check(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> None:
    page_with_gold(cast, make_page)
    assert not queries.check_pages(corpus, cast.ada).exists()


def test_a_check_can_be_done_with_the_labels_of_now(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, eve: User
) -> None:
    before, _marks = page_with_gold(cast, make_page)
    with_related = make_page()
    marks = [span_of(with_related, "The council said", "related")]
    for person in (cast.ada, cast.ben):
        annotate(with_related, person, marks)
    finalise(with_related)
    assert set(queries.check_pages(corpus, eve)) == {before, with_related}
    retire_label(corpus=corpus, based_on=1, pk=corpus.labels.get(name="related").pk)
    after, _marks = page_with_gold(cast, make_page)
    assert set(queries.check_pages(corpus, eve)) == {before, after}
    assert set(queries.repeat_pages(corpus, cast.ada, timezone.now())) == {before, after}
    add_label(corpus=corpus, based_on=2, title="Tags")
    assert not queries.check_pages(corpus, eve)


def test_a_retired_label_that_is_named_like_a_source_of_gold_hides_no_gold(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, eve: User
) -> None:
    page, _marks = page_with_gold(cast, make_page)
    number = add_label(corpus=corpus, based_on=1, title="Unanimous")
    label = corpus.labels.get(name=page.gold.get().source)
    retire_label(corpus=corpus, based_on=number, pk=label.pk)
    assert set(queries.check_pages(corpus, eve)) == {page}
    assert uses_of(corpus, [label])[label.pk] == LabelUse(gold=0, is_used=False)


def test_what_is_due_is_looked_for_only_where_checks_are_wanted(
    check: Slot, corpus: Corpus, eve: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Corpus, User]] = []
    monkeypatch.setattr(actions, "open_due", lambda *, corpus, annotator: asked.append((corpus, annotator)))
    begin_design(corpus=create_corpus(slug="weeklies"))
    tasks.look_for_missing()
    assert (corpus, eve) in asked
    assert {of for of, _annotator in asked} == {corpus}
    for end in (lambda: archive(corpus=corpus), lambda: change_design(corpus, check_rate=0)):
        asked.clear()
        end()
        tasks.look_for_missing()
        assert not asked
        Corpus.objects.update(archived_at=None)


def test_at_most_one_waits_per_annotator(check: Slot, corpus: Corpus, eve: User) -> None:
    assert actions.open_due(corpus=corpus, annotator=eve) == []


def test_a_check_can_be_reopened_for_as_long_as_a_page_of_theirs(
    check: Slot, eve: User, signed_in: SignedIn
) -> None:
    """How long is drawn from the page's own annotations; what counts is the last submission by then."""
    assert check.round.final_after in queries.delays_to_gold(check.round.page)
    Round.objects.filter(pk=check.round_id).update(final_after=timedelta(hours=1))
    marks = [span_of(check.round.page, "Bridge opens", "headline")]
    annotate(check.round.page, eve)
    tasks.after_submission(check.round_id)
    tasks.look_for_missing()
    client = signed_in(eve)
    (own,) = [
        each
        for each in client.get("/").context["summaries"][0].annotator.last
        if each.annotation.slot == check
    ]
    assert (own.state, own.can_edit) == ("submitted", True)
    assert client.post(f"/c/dailies/slots/{check.key}/reopen/").status_code == 302
    annotating.save(slot=check, annotator=eve, draft=draft(check, eve, marks))
    annotating.submit(slot=check, annotator=eve, based_on=2)
    assert not QualityCheck.objects.exists()
    Round.objects.filter(pk=check.round_id).update(final_after=timedelta())
    tasks.look_for_missing()
    assert QualityCheck.objects.get().f1 == 1.0
    assert client.post(f"/c/dailies/slots/{check.key}/reopen/").status_code == 409


def test_a_repeat_comes_after_weeks_and_begins_with_nothing(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    page, marks = page_with_gold(cast, make_page)
    change_design(corpus, repeat_rate=0.25, repeat_weeks=2, blind_share=1.0)
    assert actions.open_due(corpus=corpus, annotator=cast.ada) == []
    with connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")
        cursor.execute("alter table annotator_annotation disable trigger user")
        long_ago = timezone.now() - timedelta(weeks=3)
        Annotation.objects.filter(slot__round__page=page).update(submitted_at=long_ago)
        cursor.execute("alter table annotator_annotation enable trigger user")
    opened: list[Round] = []
    for _ in range(8):
        annotate(make_page(), cast.ada)
        opened = opened or actions.open_due(corpus=corpus, annotator=cast.ada)
    (round_,) = opened
    assert (round_.page, round_.purpose) == (page, Purpose.REPEAT)
    again = annotating.claim_next(corpus=corpus, annotator=cast.ada)
    assert again.round == round_
    assert draft(again, cast.ada).based_on == 0
    annotate(page, cast.ada, marks)
    assert actions.record_check(round_=round_).f1 == 1.0


def test_admins_see_checks_and_haste(
    check: Slot, cast: SimpleNamespace, eve: User, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    annotate(check.round.page, eve)
    actions.record_check(round_=check.round)
    shown = signed_in(cast.hanne).get("/c/dailies/quality-checks/")
    rows = {row.person: row for row in shown.context["rows"]}
    assert (rows[eve].checks.n, rows[eve].checks.low) == (1, None)
    assert rows[cast.ada].checks.n == 0
    page_gold = f"/c/dailies/gold/{check.round.page_id}/"
    html = shown.content.decode()
    assert f'href="{page_gold}"' in html
    assert f'href="{page_gold}?why=Submitted%20too%20fast' in html
    # The tests submit without a second's thought.
    assert rows[cast.ada].too_fast == rows[cast.ada].submitted
    assert queries.is_too_fast(9, 2500)
    assert not queries.is_too_fast(10, 2500)
    # What is counted is listed, to the fraction of a second.
    one = check.round.slots.first().annotations.get()
    monkeypatch.setattr(queries, "LEAST_SECONDS", 0)
    monkeypatch.setattr(queries, "FASTEST", one.document.length + 1)
    assert one in queries.too_fast(check.corpus)
    monkeypatch.setattr(views, "FAST_AT_ONCE", 2)
    found = queries.too_fast(check.corpus)
    last = signed_in(cast.hanne).get("/c/dailies/quality-checks/?page=99").context["too_fast"]
    assert last.number == last.paginator.num_pages == (found.count() + 1) // 2 > 1
    assert last.object_list[-1] == found.last()
