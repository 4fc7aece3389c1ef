"""Annotators see nothing of others: not of each other, and not by another role (invariant 4)."""

from types import SimpleNamespace

import pytest

from annotator.annotations.actions import claim_next, claim_on, release_all, save
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, Membership, User
from tests.factories import MakePage, SignedIn, draft

pytestmark = pytest.mark.django_db


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
        slots.add(slot.pk)
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
    address = f"/c/dailies/slots/{slot.pk}/heartbeat/"

    def beat(opened_by: User) -> int:
        headers = {"X-Goldpan-User": opened_by.browser_key}
        return signed_in(cast.ada).post(address, "{}", "application/json", headers=headers).status_code

    assert [beat(cast.ada), beat(cast.ben)] == [200, 401]


def test_a_slot_opens_in_its_own_corpus_only(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, signed_in: SignedIn
) -> None:
    """Whoever has left a corpus reaches nothing of it through another one."""
    make_page()
    slot = claim_next(corpus=corpus, annotator=cast.ada)
    grant_role(corpus=create_corpus(slug="weeklies"), user=cast.ada, role="annotator")
    assert signed_in(cast.ada).get(f"/c/dailies/slots/{slot.pk}/").status_code == 200
    assert signed_in(cast.ada).get(f"/c/weeklies/slots/{slot.pk}/").status_code == 404


def test_a_superuser_who_annotates_is_an_annotator(cast: SimpleNamespace, signed_in: SignedIn) -> None:
    User.objects.filter(pk=cast.ada.pk).update(is_superuser=True)
    assert signed_in(cast.ada).get("/c/dailies/leaderboard/").status_code == 403


def test_an_annotator_who_came_by_another_role_is_still_blind(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn
) -> None:
    """No action gives both roles; if the rows say so all the same, the blind one counts."""
    Membership.objects.create(corpus=corpus, user=cast.ada, role="researcher")
    assert signed_in(cast.ada).get("/c/dailies/leaderboard/").status_code == 403
