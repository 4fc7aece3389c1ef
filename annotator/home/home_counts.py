"""What home counts over all rounds of a corpus: what is left to do, and where annotators disagree."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from django.db.models import Avg, Count, Exists, Min, OuterRef
from django.db.models.functions import TruncDate

from annotator.agreement.queries import compared_rounds
from annotator.annotations.models import TO_GOLD, Purpose, Slot
from annotator.common.dates import midnight
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.home import pace
from annotator.home.queries import without_taker

# Sites are compared from so many compared pages on.
SHOWN_SITES, LEAST_PAGES = 5, 2


class HotSpot(NamedTuple):
    """A site on whose pages annotators disagree: compared pages, mean and lowest F1 of a page."""

    site: str
    pages: int
    mean: float
    lowest: float


class AdminCounts(NamedTuple):
    # Pages that wait for an annotator whom nobody can be, and annotations that are still to be made.
    without_annotator: int
    to_go: int
    # The annotations of the last days that lead to gold, by day and person.
    submitted: Sequence[tuple[date, str, int]]


def for_admin(corpus: Corpus) -> AdminCounts:
    """Count now."""
    return AdminCounts(
        without_annotator=without_taker(corpus).values("page").distinct().count(),
        to_go=_to_go(corpus),
        submitted=_submitted(corpus),
    )


def _to_go(corpus: Corpus) -> int:
    to_go = Slot.objects.filter(corpus=corpus, submitted_at=None, round__finalised_at=None).order_by()
    # A page that has its gold already, as imported pages may, waits for no annotation of its main round.
    has_gold = Gold.objects.filter(page=OuterRef("round__page"), current=True)
    main = to_go.filter(round__purpose=Purpose.MAIN).exclude(Exists(has_gold))
    others = to_go.filter(round__purpose=Purpose.GUIDELINE)
    # Apart: where gold matters for some of the rows only, the database looks it up row by row.
    return main.values("pk").union(others.values("pk"), all=True).count()


def _submitted(corpus: Corpus) -> list[tuple[date, str, int]]:
    # A time, not a date, for which there is an index.
    since = midnight() - timedelta(days=pace.DAYS)
    slots = Slot.objects.filter(corpus=corpus, round__purpose__in=TO_GOLD, submitted_at__gte=since)
    names = ("annotator__first_name", "annotator__last_name", "annotator__username")
    rows = slots.order_by().values_list(TruncDate("submitted_at"), *names).annotate(n=Count("pk"))
    return [(day, f"{first} {last}".strip() or username, n) for day, first, last, username, n in rows]


def hot_spots(corpus: Corpus) -> list[HotSpot]:
    """The sites of several compared pages, most disputed first; those on which all agree are none."""
    compared = compared_rounds(corpus).filter(f1__isnull=False).exclude(round__page__site="").order_by()
    by_site = compared.values("round__page__site").annotate(n=Count("pk"), mean=Avg("f1"), lowest=Min("f1"))
    rows = by_site.filter(n__gte=LEAST_PAGES, mean__lt=1).order_by("mean", "round__page__site")
    return [
        HotSpot(*row) for row in rows.values_list("round__page__site", "n", "mean", "lowest")[:SHOWN_SITES]
    ]
