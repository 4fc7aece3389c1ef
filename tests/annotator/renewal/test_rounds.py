"""A settled page comes again under another guideline: to whom, blind, and with a new version of its gold."""

from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotator.annotations import again as rounds
from annotator.annotations.actions import claim_next, skip
from annotator.annotations.models import Annotation, Purpose, Round, Slot
from annotator.annotations.queries import rounds_left
from annotator.annotations.study.actions import change_design, standing_design
from annotator.common.errors import Conflict
from annotator.control.queries import repeat_pages
from annotator.corpora.actions import end_role, grant_role, set_audit_share
from annotator.corpora.models import Corpus
from annotator.gold import actions, opening, queries
from annotator.gold.models import Adjudication, Gold
from annotator.releases.queries import guidelines_of
from tests.annotator.gold.test_settling import FIRST, SECOND, paragraph
from tests.annotator.releases.made import release
from tests.annotator.renewal.made import (
    adjudicated_page,
    again,
    all_mark,
    guideline,
    people,
    settle_last,
    settled_page,
)
from tests.factories import MakePage, annotate

pytestmark = pytest.mark.django_db


def test_it_comes_before_what_nobody_has_begun_and_ends_in_a_new_version(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = settled_page(make_page, cast)
    make_page()
    before = page.gold.get()
    guideline(corpus, cast)
    eve, fay = people(corpus, "eve", "fay")
    round_ = again(page)
    corpus.refresh_from_db()
    assert claim_next(corpus=corpus, annotator=eve).round == round_
    annotate(page, eve, [paragraph(page, SECOND, "body")])
    assert page.gold.get(current=True) == before, "until it is settled the earlier gold stands"
    annotate(page, fay, [paragraph(page, SECOND, "body")])
    after = settle_last(page)
    assert isinstance(after, Gold)
    assert (after.number, after.current, after.source) == (2, True, "unanimous")
    before.refresh_from_db()
    assert (before.current, before.spans[1][:2]) == (None, list(paragraph(page, FIRST, "body")[:2]))
    versions = Annotation.objects.filter(slot__round=round_).values_list("guideline_version", flat=True)
    assert list(versions) == [2, 2]
    behind = queries.rounds_behind([before, after])
    assert behind == {before.pk: page.rounds.earliest("pk"), after.pk: round_}


def test_nothing_is_suggested_in_it(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    """A page of the blind stratum is blind in every slot (law 5), whatever the design says by now."""
    page = settled_page(make_page, cast)
    people(corpus, "eve", "fay")
    round_ = again(page)
    assert (round_.purpose, round_.blind) == (Purpose.GUIDELINE, True)
    assert set(round_.slots.values_list("arm", flat=True)) == {None}
    with pytest.raises(IntegrityError, match="a_later_round_shows_nothing"), transaction.atomic():
        Round.objects.filter(pk=round_.pk).update(blind=False)


def test_it_has_as_many_places_as_the_design_asks_for_by_now(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = settled_page(make_page, cast)
    people(corpus, "eve", "fay", "gus")
    stands = standing_design(corpus=corpus)
    design = change_design(corpus=corpus, made_by=None, based_on=stands.number, slots=3)
    round_ = again(page)
    assert (round_.slots.count(), round_.design) == (3, design)


# ---- to whom ----


def test_who_annotated_it_before_is_not_given_it_while_there_are_others(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = settled_page(make_page, cast)
    eve, fay = people(corpus, "eve", "fay")
    again(page)
    assert claim_next(corpus=corpus, annotator=cast.ada) is None
    assert rounds_left(corpus, cast.ada) == 0
    assert claim_next(corpus=corpus, annotator=eve)
    assert claim_next(corpus=corpus, annotator=fay)


def test_she_is_where_there_are_too_few_others(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = settled_page(make_page, cast)
    people(corpus, "eve")
    assert again(page).former_since
    assert claim_next(corpus=corpus, annotator=cast.ada)


@pytest.mark.parametrize("how", ["leaves", "skips", "is not named"])
def test_a_round_whose_others_go_is_opened_to_her(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, how: str
) -> None:
    page = settled_page(make_page, cast)
    eve, fay = people(corpus, "eve", "fay")
    again(page)
    assert rounds.let_former_in(at_most=10) == 0
    slot = claim_next(corpus=corpus, annotator=fay)
    assert rounds.let_former_in(at_most=10) == 0, "hers is filled, and eve may have the other"
    if how == "leaves":
        end_role(corpus=corpus, user=eve, role="annotator")
    elif how == "skips":
        skip(slot=slot.round.slots.exclude(pk=slot.pk).get(), annotator=eve)
    else:
        stands = standing_design(corpus=corpus)
        named = [cast.ada, cast.ben, fay]
        change_design(corpus=corpus, made_by=None, based_on=stands.number, who="named", people=named)
    assert claim_next(corpus=corpus, annotator=cast.ada) is None
    assert rounds.let_former_in(at_most=10) == 1
    assert claim_next(corpus=corpus, annotator=cast.ada).round == slot.round


@pytest.mark.parametrize("how", ["settled", "put off"])
def test_who_had_it_before_her_as_adjudicator_never_is(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, how: str
) -> None:
    """She has seen what others marked (law 4), even if she left it to another."""
    grant_role(corpus=corpus, user=cast.cleo, role="annotator")
    page = adjudicated_page(make_page, cast)
    if how == "put off":
        (gus,) = people(corpus, "gus")
        grant_role(corpus=corpus, user=gus, role="adjudicator")
        actions.reopen_gold(gold=page.gold.get(current=True), by=None, why="look again")
        held = actions.claim_next(corpus=corpus, user=gus)
        actions.put_off(adjudication=held, user=gus)
        actions.settle(adjudication=actions.claim_next(corpus=corpus, user=cast.cleo), user=cast.cleo)
        assert not Adjudication.objects.filter(adjudicator=gus).exists()
        end_role(corpus=corpus, user=cast.ben, role="annotator")
        with pytest.raises(Conflict, match="Too few"):
            again(page)
        return
    round_ = again(page)
    assert round_.former_since
    assert claim_next(corpus=corpus, annotator=cast.cleo) is None
    assert claim_next(corpus=corpus, annotator=cast.ada)


def test_no_round_is_opened_that_nobody_could_fill(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = settled_page(make_page, cast)
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
    page = settled_page(make_page, cast)
    again(page)
    with pytest.raises(Conflict, match="already"):
        again(page)
    with pytest.raises(IntegrityError, match="one_later_round_at_once"), transaction.atomic():
        Round.objects.create(page=page, purpose=Purpose.GUIDELINE, number=9, blind=True, draw=9)


def test_gold_is_not_reopened_while_newer_gold_is_on_its_way(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = settled_page(make_page, cast)
    eve, fay = people(corpus, "eve", "fay")
    round_ = again(page)
    with pytest.raises(Conflict, match="on its way"):
        actions.reopen_gold(gold=page.gold.get(current=True), by=cast.hanne, why="look again")
    newer = all_mark(page, (eve, fay), [paragraph(page, SECOND, "body")])
    opened = actions.reopen_gold(gold=newer, by=cast.hanne, why="look again")
    assert opened.round == round_, "what it is looked at beside are the annotations that it came of"


def test_control_leaves_such_a_page_alone(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    page = settled_page(make_page, cast)
    people(corpus, "eve", "fay")
    assert repeat_pages(corpus, cast.ada, timezone.now()).get() == page
    again(page)
    assert not repeat_pages(corpus, cast.ada, timezone.now()).exists()


def test_an_audit_is_drawn_for_each_round(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    set_audit_share(corpus=corpus, share=0.5)
    pages = [make_page() for _ in range(20)]
    corpus.refresh_from_db()
    main = [opening.drawn_for_audit(page.rounds.get()) for page in pages]
    later = []
    for page in pages:
        Round.objects.filter(page=page).update(settled_at=page.added_at)
        later.append(opening.drawn_for_audit(again(page)))
    assert main != later
    assert 0 < sum(later) < 20


def test_earlier_releases_stay(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    page = settled_page(make_page, cast)
    eve, fay = people(corpus, "eve", "fay")
    first = release(corpus)
    held = first.rows.get()
    before = (first.sha256, held.gold_id, held.facts)
    guideline(corpus, cast)
    again(page)
    assert guidelines_of(corpus) == {page.pk: {1}}
    newer = all_mark(page, (eve, fay), [paragraph(page, SECOND, "body")])
    second = release(corpus)
    first.refresh_from_db()
    held.refresh_from_db()
    assert (first.sha256, held.gold_id, held.facts) == before
    assert second.rows.get().gold == newer
    assert guidelines_of(corpus) == {page.pk: {2}}, "by which the gold that is current was made"
    assert Slot.objects.filter(round__page=page).count() == 4
