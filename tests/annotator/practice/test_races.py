"""Several people, several windows of each, at once: one attempt, one active page, the same pages for all."""

from functools import partial
from threading import Barrier
from types import SimpleNamespace

import pytest

from annotator.annotations.models import Slot
from annotator.corpora.models import Corpus, User
from annotator.practice.models import PracticeAttempt, PracticePage
from extraction.sandbox import Parser
from tests.annotator.annotations.waiting import at_once
from tests.annotator.practice.made import ask, corpus_with_gold, newcomer
from tests.factories import SignedIn

PEOPLE, WINDOWS = 3, 3


@pytest.mark.django_db(transaction=True)
def test_windows_that_open_practice_at_once_open_one_page_each_person(
    corpus: Corpus, cast: SimpleNamespace, parser: Parser, signed_in: SignedIn
) -> None:
    ask(corpus, cast.hanne, corpus_with_gold(parser, cast.hanne, pages=4))
    people = [newcomer(corpus, f"person{n}") for n in range(PEOPLE)]
    start = Barrier(PEOPLE * WINDOWS)

    def window(person: User) -> str:
        client = signed_in(person)
        start.wait()
        return client.post("/c/dailies/practice/next/").headers["Location"]

    opened = at_once(partial(window, person) for person in people * WINDOWS)
    for first, person in enumerate(people):
        assert len(set(opened[first::PEOPLE])) == 1, f"{person} was given several pages"
    assert PracticeAttempt.objects.count() == PracticePage.objects.count() == PEOPLE
    pages = Slot.objects.filter(practice_page__isnull=False).values_list("round__page", "round__number")
    assert len({page for page, _number in pages}) == 1, "everybody begins with the same one"
    assert sorted(number for _page, number in pages) == [1, 2, 3]
