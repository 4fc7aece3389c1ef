"""The next page is found without a look at all others, however many there are."""

from hashlib import sha256
from types import SimpleNamespace

import pytest
from django.db import connection
from django.utils import timezone

from annotator.annotations.eligibility import claimable_slots
from annotator.annotations.models import Round, Slot
from annotator.annotations.study.actions import current_design
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus
from annotator.pages.models import Page

pytestmark = pytest.mark.django_db

MANY = 3_000


def add_pages(corpus: Corpus, count: int) -> list[Page]:
    return Page.objects.bulk_create(
        Page(corpus=corpus, sha256=sha256(f"{corpus.slug} {count} {number}".encode()).hexdigest(), size=9)
        for number in range(count)
    )


def test_the_first_slot_in_order_is_read_from_its_index(corpus: Corpus, cast: SimpleNamespace) -> None:
    design = current_design(corpus=corpus)
    rounds = Round.objects.bulk_create(
        Round(page=page, design=design, blind=False, draw=position, account={"blind": 0, "credit": {}})
        for position, page in enumerate(add_pages(corpus, MANY))
    )
    Slot.objects.bulk_create(
        Slot(corpus=corpus, round=each, number=number, queue_key=f"{each.pk:012}")
        for each in rounds
        for number in (1, 2)
    )
    elsewhere = create_corpus(slug="weeklies", name="Weeklies")
    for more_elsewhere in (0, 1, MANY):
        if more_elsewhere:
            grant_role(corpus=elsewhere, user=cast.ada, role="researcher")
            add_pages(elsewhere, more_elsewhere)
        with connection.cursor() as cursor:
            cursor.execute("analyze")
        plan = claimable_slots(corpus, cast.ada, timezone.now())[:1].explain()
        assert "slots_open" in plan
        assert "Sort" not in plan
