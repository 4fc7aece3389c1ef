"""Re-annotation rounds: pages that have gold are annotated again for another version of the guideline.

Their slots show no suggestion, as pages of the blind stratum must stay blind in every slot (invariant 5); so
nothing is drawn. They come before every page that nobody has begun, in an order that the design's seed gives.
"""

from collections import defaultdict
from collections.abc import Collection
from hashlib import md5

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations.eligibility import SKIPPED, eligible_annotators
from annotator.annotations.models import HIDDEN, TO_GOLD, Purpose, Round, Slot
from annotator.annotations.study.actions import current_design
from annotator.common.errors import Conflict
from annotator.corpora.models import Corpus
from annotator.pages.models import Page

# Sorts before every queue key of a design.
FIRST = "!"


@transaction.atomic
def open_reannotation_round(*, page: Page) -> Round:
    """Open a round of a page with gold, under the current design and guideline.

    It is reserved for annotators new to the page, unless there are too few of them. Raises Conflict where a
    round of the page is open, or where there are too few annotators in any case.
    """
    # First the rounds, then the corpus, as finalising does.
    locked = page.rounds.select_for_update(no_key=True).order_by("pk")
    rounds = [each for each in locked if each.purpose in TO_GOLD]
    corpus = Corpus.objects.select_for_update(no_key=True).get(pk=page.corpus_id)
    if not rounds or any(each.finalised_at is None for each in rounds):
        raise Conflict(_("This page already has an open round."))
    design = current_design(corpus=corpus)
    people = eligible_annotators(corpus, [page.pk])[page.pk]
    if len(people.everybody) < design.slots:
        raise Conflict(_("Too few annotators are eligible for this page."))
    _withdraw_checks(page)
    number = sum(each.purpose == Purpose.GUIDELINE for each in rounds) + 1
    made = Round.objects.create(
        page=page,
        purpose=Purpose.GUIDELINE,
        number=number,
        design=design,
        blind=True,
        draw=number - 1,
        returning_annotators_since=None if len(people.new_to_page) >= design.slots else timezone.now(),
    )
    queue_key = FIRST + md5(f"{design.seed}:{page.sha256}".encode(), usedforsecurity=False).hexdigest()
    Slot.objects.bulk_create(
        Slot(round=made, corpus=corpus, number=slot, queue_key=queue_key)
        for slot in range(1, design.slots + 1)
    )
    return made


def _withdraw_checks(page: Page) -> None:
    """Close the checks and repeats of the page that nobody has begun: its gold is about to be replaced."""
    begun = Slot.objects.filter(round=OuterRef("pk"), annotator__isnull=False)
    pending = page.rounds.filter(purpose__in=HIDDEN, finalised_at=None).exclude(Exists(begun))
    pending.update(finalised_at=timezone.now())


def admit_returning_annotators(*, at_most: int) -> int:
    """Open rounds to those who annotated the page before, once the others cannot fill them; how many.

    Others leave, skip or adjudicate: otherwise such a round could stay open for ever. It checks `at_most`
    rounds, chosen at random, so that the next run checks others.
    """
    closed = Round.objects.filter(
        purpose=Purpose.GUIDELINE, finalised_at=None, returning_annotators_since=None
    )
    found = closed.select_related("page__corpus").prefetch_related("slots").order_by("?")[:at_most]
    by_corpus: dict[Corpus, list[Round]] = defaultdict(list)
    for round_ in found:
        by_corpus[round_.page.corpus].append(round_)
    lacking = [pk for corpus, rounds in by_corpus.items() for pk in _lacking_others(corpus, rounds)]
    return closed.filter(pk__in=lacking).update(returning_annotators_since=timezone.now()) if lacking else 0


def _lacking_others(corpus: Corpus, rounds: Collection[Round]) -> list[int]:
    """Keys of the rounds with more free slots than annotators new to the page who may still take one."""
    pages = [round_.page_id for round_ in rounds]
    people = eligible_annotators(corpus, pages)
    skipped = SKIPPED.by_target([round_.pk for round_ in rounds])
    found = []
    for round_ in rounds:
        held = {slot.annotator_id for slot in round_.slots.all()}
        free = sum(slot.annotator_id is None for slot in round_.slots.all())
        if free > len(people[round_.page_id].new_to_page - skipped[round_.pk] - held):
            found.append(round_.pk)
    return found
