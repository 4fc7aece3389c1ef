"""Hidden checks: given like any page, compared with gold, shown to admins only; gold never moves by them."""

import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.agreement.actions import request_comparison
from annotator.annotations import actions as annotating
from annotator.annotations.models import Annotation, Purpose, Round, Slot
from annotator.annotations.study.actions import change_design, current_design
from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.pages.models import Page
from annotator.quality.checks import actions, queries
from annotator.quality.checks.models import QualityCheck
from extraction.spans import Span
from tests.annotator.gold.test_adjudication import finalise
from tests.factories import MakePage, SignedIn, annotate, draft, make_user, span_of


@settings(deadline=None)
@given(st.integers(), st.floats(0.01, 0.25), st.integers(0, 200))
def test_checks_come_at_their_rate(seed: int, rate: float, pages: int) -> None:
    due = [
        actions.times_due(seed=seed, annotator_id=7, purpose="check", rate=rate, submitted=n)
        for n in range(pages + 1)
    ]
    assert all(abs(count - rate * n) <= 1 for n, count in enumerate(due))
    assert due == sorted(due)


def test_where_they_come_is_not_the_same_for_everybody() -> None:
    first = {
        next(n for n in range(50) if actions.times_due(seed=1, annotator_id=who, purpose="check", rate=0.1,
                                                       submitted=n))
        for who in range(40)
    }  # fmt: skip
    assert len(first) > 5


@pytest.fixture
def eve(corpus: Corpus) -> User:
    person = make_user("eve")
    grant_role(corpus=corpus, user=person, role="annotator")
    return person


def with_rates(corpus: Corpus, **rates: float) -> None:
    with transaction.atomic():
        stands = current_design(corpus=Corpus.objects.select_for_update().get(pk=corpus.pk))
    change_design(corpus=corpus, made_by=None, based_on=stands.number, **rates)


def page_with_gold(cast: SimpleNamespace, make_page: MakePage) -> tuple[Page, list[Span]]:
    page = make_page()
    marks = [span_of(page, "Bridge opens", "headline")]
    for person in (cast.ada, cast.ben):
        annotate(page, person, marks)
    finalise(page)
    return page, marks


@pytest.fixture
def check(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, eve: User) -> Slot:
    """A check of eve's on a page that ada and ben have made gold."""
    page_with_gold(cast, make_page)
    with_rates(corpus, check_rate=0.25)
    for _ in range(8):
        annotate(make_page(), eve)
        if actions.open_due(corpus=corpus, annotator=eve):
            break
    return Slot.objects.get(assigned_to=eve)


pytestmark = pytest.mark.django_db


def test_a_check_comes_like_the_next_page_and_shows_nothing(check: Slot, corpus: Corpus, eve: User) -> None:
    assert annotating.claim_next(corpus=corpus, annotator=eve) == check
    assert (check.arm, check.round.blind, check.round.purpose) == (None, True, Purpose.CHECK)


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


def test_at_most_one_waits_for_her(check: Slot, corpus: Corpus, eve: User) -> None:
    assert actions.open_due(corpus=corpus, annotator=eve) == []


def test_the_annotator_cannot_tell_a_check(
    check: Slot, corpus: Corpus, eve: User, make_page: MakePage, signed_in: SignedIn
) -> None:
    """The page of a check differs from any other without suggestion in names and numbers only."""
    browser = signed_in(eve)
    address = browser.post("/c/dailies/next/").headers["Location"]
    assert address.endswith(f"/{check.pk}/")
    hidden = browser.get(address).content.decode()
    annotate(check.round.page, eve)
    actions.record_check(round_=check.round)
    assert QualityCheck.objects.filter(annotation__annotator=eve).exists()
    ordinary = annotating.claim_on(page=make_page(), annotator=eve)
    Slot.objects.filter(pk=ordinary.pk).update(arm=None)
    Annotation.objects.filter(slot=ordinary).update(shown=None)
    plain = browser.get(f"/c/dailies/slots/{ordinary.pk}/").content.decode()
    assert without_names(hidden) == without_names(plain)
    assert "Quality checks" not in browser.get("/").content.decode()
    for closed in ("quality-checks", "study"):
        assert browser.get(f"/c/dailies/{closed}/").status_code == 403


def without_names(html: str) -> str:
    """The page without numbers, digests and tokens."""
    html = re.sub(r'(csrf-token" content|csrfmiddlewaretoken" value|nonce)="[^"]*"', "", html)
    return re.sub(r"[0-9a-f]{32,}|[0-9]+", "#", html)


def test_a_submitted_check_cannot_be_reopened(check: Slot, eve: User, signed_in: SignedIn) -> None:
    annotate(check.round.page, eve)
    assert Round.objects.get(pk=check.round_id).finalised_at
    assert signed_in(eve).post(f"/c/dailies/slots/{check.pk}/reopen/").status_code == 409


def test_a_repeat_comes_after_weeks_and_begins_with_nothing(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    page, marks = page_with_gold(cast, make_page)
    with_rates(corpus, repeat_rate=0.25, repeat_weeks=2)
    for _ in range(8):
        annotate(make_page(), cast.ada)
    assert actions.open_due(corpus=corpus, annotator=cast.ada) == []
    with connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")
        cursor.execute("alter table annotator_annotation disable trigger user")
        long_ago = timezone.now() - timedelta(weeks=3)
        Annotation.objects.filter(slot__round__page=page).update(submitted_at=long_ago)
        cursor.execute("alter table annotator_annotation enable trigger user")
    (round_,) = actions.open_due(corpus=corpus, annotator=cast.ada)
    assert (round_.page, round_.purpose) == (page, Purpose.REPEAT)
    again = annotating.claim_next(corpus=corpus, annotator=cast.ada)
    assert again.round == round_
    assert draft(again, cast.ada).based_on == 0
    annotate(page, cast.ada, marks)
    assert actions.record_check(round_=round_).f1 == 1.0


def test_admins_see_checks_and_haste(
    check: Slot, cast: SimpleNamespace, eve: User, signed_in: SignedIn
) -> None:
    annotate(check.round.page, eve)
    actions.record_check(round_=check.round)
    shown = signed_in(cast.hanne).get("/c/dailies/quality-checks/")
    rows = {row.person: row for row in shown.context["rows"]}
    assert (rows[eve].checks.n, rows[eve].checks.low) == (1, None)
    assert rows[cast.ada].checks.n == 0
    # The tests submit without a second's thought.
    assert rows[cast.ada].too_fast == rows[cast.ada].submitted
    assert queries.is_too_fast(9, 2500)
    assert not queries.is_too_fast(10, 2500)
