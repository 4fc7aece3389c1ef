"""A design is changed while people work: nobody waits for ever, nothing that was drawn moves."""

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from django.test import Client

from annotator.annotations.models import Slot
from annotator.annotations.study.actions import change_design, current_design
from annotator.annotations.study.models import AssignmentMode, PageOrder, StudyDesign
from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus, User
from tests.annotator.annotations.waiting import at_once
from tests.factories import MakePage, SignedIn, make_user, submit_by_http

PEOPLE, PAGES, CHANGES = 6, 8, 8


@pytest.mark.django_db(transaction=True)
def test_designs_change_while_people_submit(corpus: Corpus, make_page: MakePage, signed_in: SignedIn) -> None:
    for _ in range(PAGES):
        make_page()
    drawn = set(Slot.objects.values_list("pk", "arm", "round__design"))
    people = [make_user(f"person{n}") for n in range(PEOPLE)]
    for person in people:
        grant_role(corpus=corpus, user=person, role="annotator")

    def work(person: User) -> None:
        client: Client = signed_in(person)
        address: str | None = client.post("/c/dailies/next/").headers["Location"]
        while address and address != "/":
            address = submit_by_http(client, address, person)

    def change() -> None:
        for number in range(CHANGES):
            stands = StudyDesign.objects.latest("number")
            order = (PageOrder.RANDOM, PageOrder.SITE, PageOrder.OLDEST, PageOrder.DISAGREEMENT)[number % 4]
            who = AssignmentMode.BALANCED if number % 2 else AssignmentMode.ALL
            change_design(corpus=corpus, made_by=None, based_on=stands.number, order=order, who=who)

    acts: list[Callable[[], None]] = [partial(work, person) for person in people]
    at_once([*acts, change])
    assert StudyDesign.objects.count() == CHANGES + 1
    assert set(Slot.objects.values_list("pk", "arm", "round__design")) == drawn
    submitted = Slot.objects.filter(submitted_at__isnull=False)
    assert set(Counter(submitted.values_list("round", "annotator")).values()) == {1}
    assert current_design(corpus=Corpus.objects.get(pk=corpus.pk)).number == CHANGES + 1
