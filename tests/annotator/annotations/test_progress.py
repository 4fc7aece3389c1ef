"""The number of pages left only goes down, unless pages are added; every screen shows the same."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from annotator.annotations import actions
from annotator.annotations.models import Slot
from annotator.annotations.queries import progress_of
from annotator.annotations.study.models import AssignmentMode
from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus, User
from tests.factories import MakePage, SignedIn, annotate, change_design, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


@pytest.mark.parametrize("who", [AssignmentMode.ALL, AssignmentMode.BALANCED])
def test_pages_left_only_go_down(
    who: AssignmentMode, cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    eve = make_user("eve")
    grant_role(corpus=corpus, user=eve, role="annotator")
    pages = [make_page() for _ in range(5)]
    change_design(corpus, who=who)

    def lapse(person: User) -> None:
        past = timezone.now() - timedelta(hours=1)
        Slot.objects.filter(annotator=person, submitted_at=None).update(lease_until=past)

    def reserve() -> None:
        active = actions.claim_next(corpus=corpus, annotator=cast.ada)
        assert actions.reserve_next(slot=active, annotator=cast.ada)

    steps = {
        "others hold all of a page": lambda: [
            actions.claim_on(page=pages[4], annotator=each) for each in (cast.ben, eve)
        ],
        "their leases lapse": lambda: [lapse(cast.ben), lapse(eve)],
        "they release it": lambda: [
            actions.release_all(corpus=corpus, user=each) for each in (cast.ben, eve)
        ],
        "a page and a reserve": reserve,
        "the reserve is released": lambda: actions.release_reserves(user=cast.ada),
        "the page is released": lambda: actions.release_all(corpus=corpus, user=cast.ada),
        "a page is submitted": lambda: annotate(pages[0], cast.ada),
        "a page is skipped": lambda: actions.skip(
            slot=actions.claim_on(page=pages[1], annotator=cast.ada), annotator=cast.ada
        ),
        "others submit all of a page": lambda: [annotate(pages[4], each) for each in (cast.ben, eve)],
    }
    left = {"at first": progress_of(corpus, cast.ada, recount=True).left}
    for name, step in steps.items():
        step()
        left[name] = progress_of(corpus, cast.ada, recount=True).left
    numbers = list(left.values())
    assert numbers == sorted(numbers, reverse=True), left
    assert (numbers[0], numbers[-1]) == (5, 2)
    make_page()
    assert progress_of(corpus, cast.ada, recount=True).left == 3


@pytest.mark.usefixtures("at_noon")
def test_home_and_the_page_show_the_same(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, signed_in: SignedIn
) -> None:
    for _ in range(3):
        make_page()
    client = signed_in(cast.ada)
    address = client.post("/c/dailies/next/").headers["Location"]
    left = []
    for _ in range(2):
        left.append(client.get(address).context["payload"]["progress"]["left"])
        left.append(client.get("/").context["summaries"][0].annotator.left)
    assert left == [3, 3, 3, 3]
    annotate(Slot.objects.get(annotator=cast.ada).round.page, cast.ada)
    assert client.get(address).context["payload"]["progress"] == {"done": 1, "today": 1, "left": 2}
