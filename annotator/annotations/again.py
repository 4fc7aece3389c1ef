"""Rounds of settled pages for another version of the guideline: who may have a place in them, and opening.

They show nothing: a suggestion knows no rule, and a page of the blind stratum stays blind in every slot (law
5). So nothing is drawn. They come before all that nobody has begun, in an order that the design's seed gives.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import md5
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations.models import Annotation, Purpose, Round, Skip, Slot, Unblinded
from annotator.annotations.study.actions import standing_design
from annotator.annotations.study.queries import given_pages
from annotator.common.errors import Conflict
from annotator.corpora.models import Corpus
from annotator.pages.models import Page

# Sorts before every turn that a design gives.
FIRST = "!"


@dataclass(frozen=True)
class Takers:
    """People, by key, who may have a place in a new round of a page; `fresh`: who never annotated it."""

    may: frozenset[int]
    fresh: frozenset[int]


def takers(corpus: Corpus, pages: Collection[int]) -> dict[int, Takers]:
    """For each page who may have a place: nobody who has seen there what others marked (law 4)."""
    given = frozenset(given_pages(corpus).values_list("pk", flat=True))
    settled = Annotation.objects.filter(slot__round__settled_at__isnull=False)
    annotated = _by_page(settled, "slot__round__page", "annotator", pages)
    adjudicated = _by_page(Unblinded.objects.all(), "page", "user", pages)
    practised = _by_page(
        Slot.objects.filter(round__purpose=Purpose.PRACTICE), "round__page", "meant_for", pages
    )
    found = {}
    for page in pages:
        may = given - adjudicated[page] - practised[page]
        found[page] = Takers(may, may - annotated[page])
    return found


def _by_page(rows: QuerySet[Any], page: str, person: str, pages: Collection[int]) -> Mapping[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for key, who in rows.filter(**{f"{page}__in": pages}).order_by().values_list(page, person):
        found[key].add(who)
    return found


@transaction.atomic
def open_again(*, page: Page) -> Round:
    """A round of a settled page under the design that stands, and for the guideline that stands.

    Who annotated the page before has no place in it, unless the others are too few. Raises Conflict where
    anything of the page is open, or its people are too few in any case.
    """
    # First the rounds, as settling does, then the corpus, as both do.
    rounds = list(page.rounds.select_for_update(no_key=True).order_by("pk"))
    corpus = Corpus.objects.select_for_update(no_key=True).get(pk=page.corpus_id)
    if not rounds or any(each.settled_at is None for each in rounds):
        raise Conflict(_("Somebody is to annotate this page already."))
    design = standing_design(corpus=corpus)
    people = takers(corpus, [page.pk])[page.pk]
    if len(people.may) < design.slots:
        raise Conflict(_("Too few annotators may take this page."))
    number = sum(each.purpose == Purpose.GUIDELINE for each in rounds) + 1
    made = Round.objects.create(
        page=page,
        purpose=Purpose.GUIDELINE,
        number=number,
        design=design,
        blind=True,
        draw=number - 1,
        former_since=None if len(people.fresh) >= design.slots else timezone.now(),
    )
    turn = FIRST + md5(f"{design.seed}:{page.sha256}".encode(), usedforsecurity=False).hexdigest()
    Slot.objects.bulk_create(
        Slot(round=made, corpus=corpus, number=place, turn=turn) for place in range(1, design.slots + 1)
    )
    return made


def let_former_in(*, at_most: int) -> int:
    """Open rounds to those who annotated the page before, once the others cannot fill them; how many.

    Others leave, skip, or adjudicate: without this such a round would wait for ever. Where more are open, any
    of them are looked at: the next time finds others.
    """
    closed = Round.objects.filter(purpose=Purpose.GUIDELINE, settled_at=None, former_since=None)
    found = closed.select_related("page__corpus").prefetch_related("slots").order_by("?")[:at_most]
    by_corpus: dict[Corpus, list[Round]] = defaultdict(list)
    for round_ in found:
        by_corpus[round_.page.corpus].append(round_)
    lacking = [pk for corpus, rounds in by_corpus.items() for pk in _lacking_others(corpus, rounds)]
    return closed.filter(pk__in=lacking).update(former_since=timezone.now()) if lacking else 0


def _lacking_others(corpus: Corpus, rounds: Collection[Round]) -> list[int]:
    """Of these rounds those with more free places than people new to the page who may still take one."""
    pages = [round_.page_id for round_ in rounds]
    people = takers(corpus, pages)
    skipped = _by_page(Skip.objects.filter(round__in=rounds), "round__page", "annotator", pages)
    found = []
    for round_ in rounds:
        held = {slot.annotator_id for slot in round_.slots.all()}
        free = sum(slot.annotator_id is None for slot in round_.slots.all())
        if free > len(people[round_.page_id].fresh - skipped[round_.page_id] - held):
            found.append(round_.pk)
    return found
