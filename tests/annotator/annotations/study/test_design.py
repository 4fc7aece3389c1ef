"""The study design: dated versions, the queue, who is assigned pages; the screen that sets them."""

import hashlib
from collections import Counter
from itertools import pairwise
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from annotator.annotations import actions, eligibility
from annotator.annotations.models import Round, Slot
from annotator.annotations.study.actions import (
    begin_design,
    change_design,
    current_design,
    inclusion_probability,
)
from annotator.annotations.study.disagreement import disagreement, weigh_rounds
from annotator.annotations.study.models import AssignmentMode, PageOrder, StudyDesign
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from annotator.runs.models import Extractor
from tests.factories import MakePage, annotate, make_user
from tests.factories import change_design as change

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]


def queue(corpus: Corpus) -> list[int]:
    """The pages in the order in which somebody new is offered them."""
    found = Slot.objects.filter(corpus=corpus, number=1).order_by("queue_key", "round_id")
    return list(found.values_list("round__page", flat=True))


def test_a_corpus_begins_with_the_design_it_is_made_with(make_page: MakePage, corpus: Corpus) -> None:
    made = create_corpus(slug="weeklies")
    begin_design(corpus=made, slots=3, blind_share=0.5)
    with transaction.atomic():
        first = current_design(corpus=Corpus.objects.select_for_update().get(pk=made.pk))
    assert (first.number, first.slots, first.blind_share, first.seed) == (1, 3, 0.5, made.seed)
    assert make_page().rounds.get().design.number == 1


def test_a_change_holds_for_rounds_opened_from_then_on(corpus: Corpus, make_page: MakePage) -> None:
    before = make_page().rounds.get()
    drawn = list(before.slots.values_list("number", "arm"))
    change(corpus, slots=4, blind_share=1.0)
    after = make_page().rounds.get()
    assert (before.design.number, after.design.number) == (1, 2)
    assert list(before.slots.values_list("number", "arm")) == drawn
    assert (after.slots.count(), after.blind, after.draw) == (4, True, 0)


def test_a_design_is_never_edited(corpus: Corpus, make_page: MakePage) -> None:
    make_page()
    for change_of in (
        lambda: StudyDesign.objects.update(slots=3),
        lambda: StudyDesign.objects.all().delete(),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change_of()


@pytest.mark.parametrize(
    "wrong",
    [
        {"blind_share": 0.1},
        {"random_share": 0.0},
        {"check_rate": 0.5},
        {"order": "liked"},
        {"slots": 0},
        {"slots": 6},
    ],
)
def test_the_database_refuses_an_unsound_design(corpus: Corpus, wrong: dict[str, object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        StudyDesign.objects.create(corpus=corpus, number=1, seed=1, **wrong)


@pytest.mark.parametrize("wrong", [{"slots": 6}, {"blind_share": 0.1}, {"who": AssignmentMode.NAMED}])
def test_an_unsound_change_is_refused(corpus: Corpus, wrong: dict[str, object]) -> None:
    with pytest.raises(GoldpanError):
        change(corpus, **wrong)


def test_two_admins_do_not_undo_each_other(corpus: Corpus) -> None:
    first = change(corpus, slots=3)
    with pytest.raises(Conflict):
        change_design(corpus=corpus, made_by=None, based_on=first.number - 1, slots=1)


@pytest.mark.usefixtures("same_draws")  # All eight pages may be drawn blind.
def test_weights_decide_what_is_drawn(corpus: Corpus, make_page: MakePage) -> None:
    one = Extractor.objects.get(name="tree-filter")
    change(corpus, shares={str(one.pk): 1})
    for _ in range(8):
        make_page()
    shown = Slot.objects.filter(arm__isnull=False)
    assert set(shown.values_list("arm", flat=True)) == {one.pk}
    assert shown.count() == Round.objects.filter(blind=False).count() > 0


# ---- the queue ----


def test_a_random_queue_comes_from_the_seed_alone(corpus: Corpus, make_page: MakePage) -> None:
    pages = [make_page().pk for _ in range(8)]
    assert queue(corpus) == pages
    design = change(corpus, order=PageOrder.RANDOM)
    mixed = queue(corpus)
    assert sorted(mixed) == pages
    with connection.cursor() as cursor:
        cursor.execute(
            "select id from annotator_page order by substr(md5(%s || ':' || sha256), 1, 16)",
            [str(design.seed)],
        )
        assert [pk for (pk,) in cursor.fetchall()] == mixed
    assert make_page().rounds.get().slots.first().queue_key


def test_site_by_site_finishes_a_site_first(corpus: Corpus, make_page: MakePage) -> None:
    sites = {make_page(url=f"https://site{n % 3}.example/{n}").pk: n % 3 for n in range(9)}
    change(corpus, order=PageOrder.SITE)
    order = [sites[pk] for pk in queue(corpus)]
    assert sum(one != other for one, other in pairwise(order)) == 2


def test_the_next_page_is_the_first_in_the_queue(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    for _ in range(6):
        make_page()
    change(corpus, order=PageOrder.RANDOM)
    given = []
    for _ in range(6):
        slot = actions.claim_next(corpus=corpus, annotator=cast.ada)
        given.append(slot.round.page_id)
        annotate(slot.round.page, cast.ada)
    assert given == queue(corpus)


def test_what_is_begun_keeps_its_queue_key(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada)
    before = list(page.rounds.get().slots.values_list("queue_key", flat=True))
    change(corpus, order=PageOrder.RANDOM)
    assert list(page.rounds.get().slots.values_list("queue_key", flat=True)) == before


def test_by_disagreement_a_page_waits_until_it_is_known_and_is_then_drawn_by_its_probability(
    corpus: Corpus, make_page: MakePage
) -> None:
    """Sequential Poisson sampling: in the order of a uniform number, divided by the weight of the page."""
    waiting, *known = [make_page() for _ in range(40)]
    disagreements = {page.pk: 1.0 if n % 2 else 0.05 for n, page in enumerate(known)}
    change(corpus, random_share=0.1)
    for pk, value in disagreements.items():
        Round.objects.filter(page=pk).update(
            inclusion_probability=inclusion_probability(disagreement=value, random_share=0.1)
        )
    design = change(corpus, order=PageOrder.DISAGREEMENT)

    def key(page: Page) -> float:
        digest = hashlib.md5(f"{design.seed}:{page.sha256}".encode()).hexdigest()
        uniform, stratum = (int(digest[at : at + 8], 16) / 2**32 for at in (0, 8))
        return uniform / (1.0 if stratum < 0.1 else disagreements[page.pk])

    assert queue(corpus) == [page.pk for page in [*sorted(known, key=key), waiting]]


def test_what_extractors_say_is_weighed_and_weighed_again(corpus: Corpus, make_page: MakePage) -> None:
    page, unread = make_page(extracted=True), make_page()
    assert weigh_rounds(at_most=10) == 0
    change(corpus, order=PageOrder.DISAGREEMENT, random_share=0.5)
    assert weigh_rounds(at_most=10) == 1
    probabilities = Round.objects.get(page=page).inclusion_probability
    assert probabilities == inclusion_probability(
        disagreement=disagreement(page.documents.get()), random_share=0.5
    )
    assert queue(corpus) == [page.pk, unread.pk]
    change(corpus, random_share=0.2)
    assert Round.objects.get(page=page).inclusion_probability is None
    assert weigh_rounds(at_most=10) == 1
    assert Round.objects.get(page=page).inclusion_probability < probabilities


# ---- who ----


def test_only_selected_annotators_are_assigned_pages(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    make_page()
    change(corpus, who=AssignmentMode.NAMED, people=[cast.ben])
    assert actions.claim_next(corpus=corpus, annotator=cast.ada) is None
    assert actions.claim_next(corpus=corpus, annotator=cast.ben)


def test_who_is_selected_stays_so_under_another_order(cast: SimpleNamespace, corpus: Corpus) -> None:
    change(corpus, who=AssignmentMode.NAMED, people=[cast.ben])
    assert list(change(corpus, order=PageOrder.RANDOM).people.all()) == [cast.ben]
    assert not change(corpus, who=AssignmentMode.ALL).people.exists()


def test_nobody_but_annotators_is_selected(cast: SimpleNamespace, corpus: Corpus) -> None:
    with pytest.raises(GoldpanError, match="not an annotator"):
        change(corpus, who=AssignmentMode.NAMED, people=[cast.rhea])


def test_balance_gives_each_an_even_share_of_people_sites_and_languages(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    for n in range(12):
        make_page(url=f"https://site{n // 4}.example/{n}")
    change(corpus, who=AssignmentMode.BALANCED, slots=2)
    sites = []
    for _ in range(6):
        slot = actions.claim_next(corpus=corpus, annotator=cast.ada)
        sites.append(slot.round.page.site)
        annotate(slot.round.page, cast.ada)
    assert set(Counter(sites).values()) == {2}
    assert eligibility.pages_left(corpus, cast.ada) == 6
    for person in ("fay", "gus", "ida", "jon"):
        grant_role(corpus=corpus, user=make_user(person), role="annotator")
    assert actions.claim_next(corpus=corpus, annotator=cast.ada) is None
    assert actions.claim_next(corpus=corpus, annotator=cast.ben)


def test_whoever_cannot_sign_in_has_no_share(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    """Their pages would wait for them for ever, as everybody else has had their share."""
    for _ in range(12):
        make_page()
    change(corpus, who=AssignmentMode.BALANCED, slots=2)
    for person in ("fay", "gus", "ida", "jon"):
        grant_role(corpus=corpus, user=make_user(person, is_active=False), role="annotator")
    assert eligibility.pages_left(corpus, cast.ada) == 12


# ---- the screen ----


def test_an_admin_sets_the_design(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, hanne: Client
) -> None:
    make_page()
    shown = hanne.get("/c/dailies/settings/study/")
    assert shown.status_code == 200
    form = shown.context["form"]
    sent = {name: form[name].value() for name in form.fields if name != "people"}
    sent |= {"slots": 3, "blind_share": 50, "who": "named", "people": [cast.ada.pk], "order": "random"}
    assert hanne.post("/c/dailies/settings/study/", sent).status_code == 302
    stands = StudyDesign.objects.latest("number")
    assert (stands.slots, stands.blind_share, stands.order, stands.made_by) == (3, 0.5, "random", cast.hanne)
    assert list(stands.people.all()) == [cast.ada]
    assert stands.shares == {}
    assert hanne.post("/c/dailies/settings/study/", sent).status_code == 409
    assert hanne.post("/c/dailies/settings/study/", {**sent, "blind_share": 10}).status_code == 422


def test_screen_says_which_pages_a_change_is_for(corpus: Corpus, make_page: MakePage, hanne: Client) -> None:
    """Slots are made once a page is processed: before anybody has opened it, and before settings change."""
    page = make_page()
    form = hanne.get("/c/dailies/settings/study/").context["form"]
    sent = {name: form[name].value() for name in form.fields if name != "people"}
    saved = hanne.post("/c/dailies/settings/study/", {**sent, "slots": 3}, follow=True).content.decode()
    assert page.rounds.get().slots.count() == 2
    assert "Version 2 applies to pages processed from now on." in saved
    assert "Overlap and pre-annotation apply to pages processed from now on." in saved
    assert "opened" not in saved


def test_where_every_weight_is_zero_nothing_is_shown(
    corpus: Corpus, make_page: MakePage, hanne: Client
) -> None:
    """The screen says of a weight of 0 that it is never shown; all zeros are not the equal weights of all."""
    make_page()
    form = hanne.get("/c/dailies/settings/study/").context["form"]
    sent = {name: form[name].value() for name in form.fields if name != "people"}
    sent |= {field.name: 0 for field in form.weights()}
    assert hanne.post("/c/dailies/settings/study/", sent).status_code == 302
    for _ in range(8):
        make_page()
    assert not Slot.objects.filter(round__design__number__gt=1, arm__isnull=False).exists()
    form = hanne.get("/c/dailies/settings/study/").context["form"]
    assert {field.value() for field in form.weights()} == {0}


def test_who_was_selected_stays_so_when_somebody_else_was_faster(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, hanne: Client
) -> None:
    make_page()
    form = hanne.get("/c/dailies/settings/study/").context["form"]
    sent = {name: form[name].value() for name in form.fields}
    sent |= {"who": "named", "people": [cast.ada.pk, cast.ben.pk]}
    change(corpus, slots=3)
    refused = hanne.post("/c/dailies/settings/study/", sent)
    assert refused.status_code == 409
    form = refused.context["form"]
    assert form["people"].value() == [str(cast.ada.pk), str(cast.ben.pk)]
    assert hanne.post("/c/dailies/settings/study/", dict(form.data.lists())).status_code == 302
    assert set(StudyDesign.objects.latest("number").people.all()) == {cast.ada, cast.ben}
