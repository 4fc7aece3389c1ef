"""Annotators see nothing of others: not of each other, and not by another role (invariant 4)."""

from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotator.annotations.actions import (
    claim_next,
    claim_on,
    release_all,
    reopen,
    reserve_next,
    save,
    submit,
)
from annotator.annotations.eligibility import pages_left
from annotator.annotations.models import Slot, Unblinded
from annotator.common import storage
from annotator.common.errors import Conflict
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, Membership, User
from annotator.corpora.queries import roles_of
from annotator.gold import actions as adjudicating
from annotator.home.queries import without_adjudicator, without_taker
from annotator.pages.actions import add_page
from annotator.pages.models import Page
from extraction.sandbox import Parser
from tests.annotator.gold.test_adjudication import dispute_of
from tests.factories import ARTICLE, MakePage, SignedIn, annotate, draft, page_maker

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def test_a_slot_that_two_had_in_turn_shows_each_their_own_marks(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, signed_in: SignedIn
) -> None:
    page = make_page()
    slots = set()
    for person, said in ((cast.ben, "kept-by-ben"), (cast.ada, "kept-by-ada")):
        slot = claim_on(page=page, annotator=person)
        assert slot.annotations.get(annotator=person).revision == 0, "a new person starts from nothing"
        save(slot=slot, annotator=person, draft=draft(slot, person, note=said))
        release_all(corpus=corpus, user=person)
        slots.add(slot.key)
    address = f"/c/dailies/slots/{slots.pop()}/"
    assert not slots, "both had the same slot"
    for person, own, other in ((cast.ada, "ada", "ben"), (cast.ben, "ben", "ada")):
        body = signed_in(person).get(address).content.decode()
        assert f"kept-by-{own}" in body
        assert f"kept-by-{other}" not in body


def test_a_window_opened_by_one_person_cannot_act_for_the_next(
    cast: SimpleNamespace, make_page: MakePage, signed_in: SignedIn
) -> None:
    slot = claim_on(page=make_page(), annotator=cast.ada)
    address = f"/c/dailies/slots/{slot.key}/heartbeat/"

    def heartbeat(opened_by: User) -> int:
        headers = {"X-Goldpan-User": opened_by.browser_key}
        return signed_in(cast.ada).post(address, "{}", "application/json", headers=headers).status_code

    assert [heartbeat(cast.ada), heartbeat(cast.ben)] == [200, 401]


def test_a_slot_opens_in_its_own_corpus_only(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, signed_in: SignedIn
) -> None:
    """Whoever has left a corpus reaches nothing of it through another one."""
    make_page()
    slot = claim_next(corpus=corpus, annotator=cast.ada)
    grant_role(corpus=create_corpus(slug="weeklies"), user=cast.ada, role="annotator")
    assert signed_in(cast.ada).get(f"/c/dailies/slots/{slot.key}/").status_code == 200
    assert signed_in(cast.ada).get(f"/c/weeklies/slots/{slot.key}/").status_code == 404


def test_a_superuser_who_annotates_is_an_annotator(cast: SimpleNamespace, signed_in: SignedIn) -> None:
    User.objects.filter(pk=cast.ada.pk).update(is_superuser=True)
    assert signed_in(cast.ada).get("/c/dailies/leaderboard/").status_code == 403


@pytest.mark.parametrize("roles", [("annotator", "researcher"), ("admin", "annotator")])
def test_the_database_keeps_annotators_from_roles_that_see_marks(
    corpus: Corpus, cast: SimpleNamespace, roles: tuple[str, str]
) -> None:
    """Whatever the code does; roles that have ended do not count, nor do those elsewhere."""
    first, second = roles
    ended = Membership.objects.create(corpus=corpus, user=cast.dov, role=second)
    Membership.objects.filter(pk=ended.pk).update(ended_at=timezone.now())
    Membership.objects.create(corpus=create_corpus(slug="weeklies"), user=cast.dov, role=second)
    Membership.objects.create(corpus=corpus, user=cast.dov, role=first)
    for begin in (
        lambda: Membership.objects.create(corpus=corpus, user=cast.dov, role=second),
        lambda: Membership.objects.filter(pk=ended.pk).update(ended_at=None),
    ):
        with pytest.raises(IntegrityError, match="cannot see the marks"), transaction.atomic():
            begin()


# ---- the same pages in another corpus ----


@pytest.fixture
def weeklies(db: None) -> Corpus:
    return create_corpus(slug="weeklies", name="Weeklies")


def add_to(other: Corpus, page: Page) -> None:
    add_page(corpus=other, raw=storage.get(page.sha256))


@pytest.mark.parametrize("role", ["researcher", "admin"])
@pytest.mark.parametrize("has_ended", [False, True])
def test_nobody_becomes_annotator_of_pages_that_they_could_see_marked_elsewhere(
    corpus: Corpus, cast: SimpleNamespace, weeklies: Corpus, make_page: MakePage, role: str, has_ended: bool
) -> None:
    grant_role(corpus=weeklies, user=cast.dov, role=role)
    if has_ended:
        Membership.objects.filter(user=cast.dov).update(ended_at=timezone.now())
    page = make_page()
    grant_role(corpus=corpus, user=cast.dov, role="adjudicator")
    add_to(weeklies, page)
    with pytest.raises(Conflict, match="seen them marked"):
        grant_role(corpus=corpus, user=cast.dov, role="annotator")


def test_an_annotator_is_given_no_role_in_which_they_see_their_pages_marked(
    cast: SimpleNamespace, weeklies: Corpus, make_page: MakePage, signed_in: SignedIn
) -> None:
    """The corpus is named to whoever belongs to it, and to nobody else."""
    grant_role(corpus=weeklies, user=cast.hanne, role="admin")
    add_to(weeklies, make_page())
    grant_role(corpus=weeklies, user=cast.ada, role="adjudicator")
    address = f"/c/weeklies/settings/people/{cast.ada.pk}/roles/"
    wanted = {"roles": ["adjudicator", "researcher"]}
    grant_role(corpus=weeklies, user=cast.dov, role="admin")
    for admin, named in ((cast.hanne, "“Dailies”"), (cast.dov, "another corpus")):
        said = (
            signed_in(admin)
            .post(address, wanted, follow=True, headers={"accept": "text/html"})
            .content.decode()
        )
        assert f"Ada annotates in {named}, which has pages of this corpus" in said
        assert ("Dailies" in said) == (admin == cast.hanne)
    assert roles_of(cast.ada, weeklies) == {"adjudicator"}
    Membership.objects.filter(user=cast.ada, role="annotator").update(ended_at=timezone.now())
    grant_role(corpus=weeklies, user=cast.ada, role="researcher")


def test_a_page_added_later_to_a_corpus_whose_marks_they_see_goes_to_others(
    corpus: Corpus, cast: SimpleNamespace, weeklies: Corpus, make_page: MakePage, signed_in: SignedIn
) -> None:
    """Also the page that they hold in reserve; the attention list and the count on home say the same."""
    grant_role(corpus=weeklies, user=cast.ada, role="researcher")
    pages = [make_page() for _ in range(4)]
    slot = claim_on(page=pages[0], annotator=cast.ada)
    reserve = reserve_next(slot=slot, annotator=cast.ada).round.page
    add_to(weeklies, reserve)
    save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))
    submit(slot=slot, annotator=cast.ada, based_on=1)
    assert pages_left(corpus, cast.ada) == 2
    given = claim_next(corpus=corpus, annotator=cast.ada).round.page
    assert given != reserve
    assert not Slot.objects.filter(round__page=reserve, annotator=cast.ada).exists()
    assert claim_on(page=reserve, annotator=cast.ben)
    Membership.objects.filter(corpus=corpus, user=cast.ben).update(ended_at=timezone.now())
    (left,) = set(pages) - {pages[0], reserve, given}
    waiting = [round_.page for round_ in without_taker(corpus)]
    assert reserve in waiting
    assert left not in waiting


def test_what_was_submitted_is_not_changed_once_they_see_marks_of_the_page_elsewhere(
    cast: SimpleNamespace, weeklies: Corpus, make_page: MakePage
) -> None:
    """Neither what is still to be reopened, nor what was reopened before."""
    grant_role(corpus=weeklies, user=cast.ada, role="researcher")
    closed, opened = annotate(make_page(), cast.ada), annotate(make_page(), cast.ada)
    reopen(slot=opened.slot, annotator=cast.ada)
    saved = save(slot=opened.slot, annotator=cast.ada, draft=draft(opened.slot, cast.ada, note="later"))
    for annotation in (closed, opened):
        add_to(weeklies, annotation.slot.round.page)
    with pytest.raises(Conflict, match="seen what others marked"):
        reopen(slot=closed.slot, annotator=cast.ada)
    with pytest.raises(Conflict, match="seen what others marked"):
        submit(slot=opened.slot, annotator=cast.ada, based_on=saved.number)


def test_whoever_adjudicated_a_page_elsewhere_is_not_offered_it(
    corpus: Corpus, cast: SimpleNamespace, weeklies: Corpus, make_page: MakePage
) -> None:
    for _ in range(2):
        page = make_page()
    add_to(weeklies, page)
    Unblinded.objects.create(page=Page.objects.get(corpus=weeklies), user=cast.ada)
    assert (pages_left(corpus, cast.ada), pages_left(corpus, cast.ben)) == (1, 2)


@pytest.mark.parametrize("opens", [False, True])
@pytest.mark.parametrize("allows_own", [False, True])
def test_whoever_annotates_a_page_elsewhere_does_not_adjudicate_it_here(
    corpus: Corpus, cast: SimpleNamespace, weeklies: Corpus, parser: Parser, allows_own: bool, opens: bool
) -> None:
    """They would see what others marked, and could still change what they marked themselves."""
    story = ARTICLE.format(number=0)
    dispute = dispute_of(page_maker(corpus, parser)(story), cast)
    elsewhere = page_maker(weeklies, parser)(story)
    Corpus.objects.filter(pk=corpus.pk).update(annotators_may_adjudicate=allows_own)
    corpus.refresh_from_db()
    grant_role(corpus=weeklies, user=cast.cleo, role="annotator")
    assert list(without_adjudicator(corpus)) == []
    if opens:
        claim_on(page=elsewhere, annotator=cast.cleo)
    else:
        # Its window was closed before it showed the page.
        assert claim_next(corpus=weeklies, annotator=cast.cleo)
    assert adjudicating.claim_next(corpus=corpus, user=cast.cleo) is None
    assert list(without_adjudicator(corpus)) == [dispute]
