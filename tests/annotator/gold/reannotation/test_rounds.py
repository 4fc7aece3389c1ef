"""Re-annotation rounds: eligible annotators, blindness, and the new version of gold."""

from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotator.annotations.actions import claim_next, skip
from annotator.annotations.eligibility import pages_left
from annotator.annotations.models import Annotation, Purpose, Round, Slot
from annotator.annotations.rounds import reannotation as rounds
from annotator.annotations.study.actions import change_design, current_design
from annotator.common.errors import Conflict
from annotator.corpora.actions import end_role, grant_role, set_audit_share
from annotator.corpora.models import Corpus
from annotator.gold import actions, finalisation, queries
from annotator.gold.models import Adjudication, Gold
from annotator.gold.reannotation.page_selection import PageCriteria, plan
from annotator.quality.checks.queries import repeat_pages
from annotator.releases.queries import guidelines_of
from tests.annotator.gold.reannotation.scenarios import (
    adjudicated_page,
    again,
    annotate_alike,
    finalised_page,
    guideline,
    people,
)
from tests.annotator.gold.test_adjudication import FIRST, SECOND, finalise, paragraph
from tests.annotator.releases.made import release
from tests.factories import MakePage, annotate

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def test_it_comes_before_what_nobody_has_begun_and_ends_in_a_new_version(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = finalised_page(make_page, cast)
    make_page()
    before = page.gold.get()
    guideline(corpus, cast)
    eve, fay = people(corpus, "eve", "fay")
    round_ = again(page)
    corpus.refresh_from_db()
    assert claim_next(corpus=corpus, annotator=eve).round == round_
    annotate(page, eve, [paragraph(page, SECOND, "body")])
    assert page.gold.get(current=True) == before, "until there is newer gold the earlier one stays current"
    annotate(page, fay, [paragraph(page, SECOND, "body")])
    after = finalise(page)
    assert isinstance(after, Gold)
    assert (after.number, after.current, after.source) == (2, True, "unanimous")
    before.refresh_from_db()
    assert (before.current, before.spans[1][:2]) == (None, list(paragraph(page, FIRST, "body")[:2]))
    versions = Annotation.objects.filter(slot__round=round_).values_list("guideline_version", flat=True)
    assert list(versions) == [2, 2]
    behind = queries.rounds_behind([before, after])
    assert behind == {before.pk: page.rounds.earliest("pk"), after.pk: round_}


def test_nothing_is_suggested_in_it(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    """A page of the blind stratum is blind in every slot (invariant 5), whatever the design says by now."""
    page = finalised_page(make_page, cast)
    people(corpus, "eve", "fay")
    round_ = again(page)
    assert (round_.purpose, round_.blind) == (Purpose.GUIDELINE, True)
    assert set(round_.slots.values_list("arm", flat=True)) == {None}
    with pytest.raises(IntegrityError, match="reannotation_rounds_are_blind"), transaction.atomic():
        Round.objects.filter(pk=round_.pk).update(blind=False)


def test_it_has_as_many_slots_as_the_current_settings_ask_for(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = finalised_page(make_page, cast)
    people(corpus, "eve", "fay", "gus")
    stands = current_design(corpus=corpus)
    design = change_design(corpus=corpus, made_by=None, based_on=stands.number, slots=3)
    round_ = again(page)
    assert (round_.slots.count(), round_.design) == (3, design)


@pytest.mark.parametrize("purpose", [Purpose.REPEAT, Purpose.CHECK])
def test_a_pending_check_does_not_keep_a_page_out(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, purpose: Purpose
) -> None:
    """It is withdrawn, unless its annotator has begun it: its gold is about to be replaced."""
    page = finalised_page(make_page, cast)
    guideline(corpus, cast)
    corpus.refresh_from_db()
    eve, _fay = people(corpus, "eve", "fay")
    checks = []
    for number in (1, 2):
        check = Round.objects.create(page=page, purpose=purpose, number=number, blind=True, draw=0)
        checks.append(Slot.objects.create(round=check, corpus=corpus, number=1, assigned_to=eve))
    begun = claim_next(corpus=corpus, annotator=eve)
    assert begun in checks
    assert plan(corpus, PageCriteria()).pages == (page.pk,)
    round_ = again(page)
    assert round_.purpose == Purpose.GUIDELINE
    final = Round.objects.filter(purpose=purpose, finalised_at__isnull=False)
    assert list(final.values_list("slots", flat=True)) == [slot.pk for slot in checks if slot != begun]


# ---- to whom ----


def test_earlier_annotators_are_not_eligible_while_there_are_others(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = finalised_page(make_page, cast)
    eve, fay = people(corpus, "eve", "fay")
    again(page)
    assert claim_next(corpus=corpus, annotator=cast.ada) is None
    assert pages_left(corpus, cast.ada) == 0
    assert claim_next(corpus=corpus, annotator=eve)
    assert claim_next(corpus=corpus, annotator=fay)


def test_earlier_annotators_are_eligible_where_there_are_too_few_others(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = finalised_page(make_page, cast)
    people(corpus, "eve")
    assert again(page).returning_annotators_since
    assert claim_next(corpus=corpus, annotator=cast.ada)


@pytest.mark.parametrize("how", ["leaves", "skips", "is not named"])
def test_a_round_without_others_is_opened_to_earlier_annotators(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, how: str
) -> None:
    page = finalised_page(make_page, cast)
    eve, fay = people(corpus, "eve", "fay")
    again(page)
    assert rounds.admit_returning_annotators(at_most=10) == 0
    slot = claim_next(corpus=corpus, annotator=fay)
    assert rounds.admit_returning_annotators(at_most=10) == 0, (
        "the slot is filled, and eve may have the other"
    )
    if how == "leaves":
        end_role(corpus=corpus, user=eve, role="annotator")
    elif how == "skips":
        skip(slot=slot.round.slots.exclude(pk=slot.pk).get(), annotator=eve)
    else:
        stands = current_design(corpus=corpus)
        named = [cast.ada, cast.ben, fay]
        change_design(corpus=corpus, made_by=None, based_on=stands.number, who="named", people=named)
    assert claim_next(corpus=corpus, annotator=cast.ada) is None
    assert rounds.admit_returning_annotators(at_most=10) == 1
    assert claim_next(corpus=corpus, annotator=cast.ada).round == slot.round


@pytest.mark.parametrize("how", ["submits", "defers"])
def test_whoever_adjudicated_the_page_before_never_annotates_it(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, how: str
) -> None:
    """The adjudicator has seen what others marked (invariant 4), even if they deferred the page."""
    grant_role(corpus=corpus, user=cast.cleo, role="annotator")
    page = adjudicated_page(make_page, cast)
    if how == "defers":
        (gus,) = people(corpus, "gus")
        grant_role(corpus=corpus, user=gus, role="adjudicator")
        finalisation.reopen_gold(gold=page.gold.get(current=True), by=None, why="look again")
        held = actions.claim_next(corpus=corpus, user=gus)
        actions.defer(adjudication=held, user=gus)
        actions.submit(adjudication=actions.claim_next(corpus=corpus, user=cast.cleo), user=cast.cleo)
        assert not Adjudication.objects.filter(adjudicator=gus).exists()
        end_role(corpus=corpus, user=cast.ben, role="annotator")
        with pytest.raises(Conflict, match="Too few"):
            again(page)
        return
    round_ = again(page)
    assert round_.returning_annotators_since
    assert claim_next(corpus=corpus, annotator=cast.cleo) is None
    assert claim_next(corpus=corpus, annotator=cast.ada)


def test_no_round_is_opened_that_nobody_could_fill(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = finalised_page(make_page, cast)
    end_role(corpus=corpus, user=cast.ben, role="annotator")
    with pytest.raises(Conflict, match="Too few"):
        again(page)
    assert page.rounds.count() == 1


# ---- one thing at a time ----


def test_a_page_in_work_is_not_opened_again(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    with pytest.raises(Conflict, match="already"):
        again(make_page())
    page = finalised_page(make_page, cast)
    again(page)
    with pytest.raises(Conflict, match="already"):
        again(page)
    with pytest.raises(IntegrityError, match="one_open_reannotation_round"), transaction.atomic():
        Round.objects.create(page=page, purpose=Purpose.GUIDELINE, number=9, blind=True, draw=9)


def test_gold_is_not_reopened_while_newer_gold_is_on_its_way(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = finalised_page(make_page, cast)
    eve, fay = people(corpus, "eve", "fay")
    round_ = again(page)
    with pytest.raises(Conflict, match="on its way"):
        finalisation.reopen_gold(gold=page.gold.get(current=True), by=cast.hanne, why="look again")
    newer = annotate_alike(page, (eve, fay), [paragraph(page, SECOND, "body")])
    opened = finalisation.reopen_gold(gold=newer, by=cast.hanne, why="look again")
    assert opened.round == round_, "what it is looked at beside are the annotations that it came of"


def test_control_leaves_such_a_page_alone(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    page = finalised_page(make_page, cast)
    people(corpus, "eve", "fay")
    assert repeat_pages(corpus, cast.ada, timezone.now()).get() == page
    again(page)
    assert not repeat_pages(corpus, cast.ada, timezone.now()).exists()


def drawn_on_pages(round_: Round, corpus: Corpus) -> list[bool]:
    """Whether such a round is drawn for an audit, on each of a hundred pages."""
    round_.page.corpus, found = corpus, []
    for number in range(100):
        round_.page.sha256 = f"{number:064x}"
        found.append(finalisation.drawn_for_audit(round_))
    return found


def test_an_audit_is_drawn_for_each_round(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    set_audit_share(corpus=corpus, share=0.5)
    page = make_page()
    first = page.rounds.get()
    Round.objects.filter(page=page).update(finalised_at=page.added_at)
    main, later = (drawn_on_pages(round_, corpus) for round_ in (first, again(page)))
    assert main != later
    assert 0 < sum(later) < 100


def test_earlier_releases_stay(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    page = finalised_page(make_page, cast)
    eve, fay = people(corpus, "eve", "fay")
    first = release(corpus)
    held = first.rows.get()
    before = (first.sha256, held.gold_id, held.metadata)
    guideline(corpus, cast)
    again(page)
    assert guidelines_of(corpus) == {page.pk: {1}}
    newer = annotate_alike(page, (eve, fay), [paragraph(page, SECOND, "body")])
    second = release(corpus)
    first.refresh_from_db()
    held.refresh_from_db()
    assert (first.sha256, held.gold_id, held.metadata) == before
    assert second.rows.get().gold == newer
    assert guidelines_of(corpus) == {page.pk: {2}}, "by which the gold that is current was made"
    assert Slot.objects.filter(round__page=page).count() == 4
