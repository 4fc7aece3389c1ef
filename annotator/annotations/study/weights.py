"""How often a page counts in an estimate of its corpus, where its turn depended on what extractors say.

The order by disagreement gives a page a key: an even number u in the reserved random stratum, u / unlike
elsewhere, and takes the smallest keys. Once all keys below t have had their turn, a page is among them with
the probability

    t * odds                                 up to t = 1
    min(1, share + t * (odds - share))       beyond, when the random stratum is worked through

t is not read off the keys, as pages may be skipped, balanced or held: it is where as many pages are expected
to be done as are done. In the end every page is, and all count alike. A page that has no odds stands for
itself.
"""

from bisect import bisect
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet, Sum
from numpy.typing import NDArray

from annotator.annotations.models import Purpose, Round, Slot
from annotator.annotations.study.actions import LEAST_UNLIKE
from annotator.annotations.study.models import Order, StudyDesign
from annotator.corpora.models import Corpus

Numbers = NDArray[np.float64]
# Beyond, every page has had its turn, however alike its extractors are.
LAST = 1 / LEAST_UNLIKE
# Halvings of the search for t: to the last bit.
HALVINGS = 60


class Turn(NamedTuple):
    """A page with odds. `share` is the reserved random share under which it has or will have its turn;
    `done`: all its annotators have handed in; `by_odds`: begun while the order was by disagreement."""

    page: int
    odds: float
    share: float
    done: bool
    by_odds: bool


def page_weights(corpus: Corpus) -> dict[int, float]:
    """Page -> how many pages of the corpus it stands for, itself among them, of those that are done.

    A page that is not in it stands for itself. Empty where no page has odds.
    """
    turns = _turns(corpus)
    done = [turn for turn in turns if turn.done]
    return dict(zip((turn.page for turn in done), (1 / chances(turns)).tolist(), strict=True))


def state(corpus: Corpus) -> str:
    """A name of what the weights are made of, under which figures are kept; "" where no page has odds."""
    found = _weighed(corpus).aggregate(
        pages=Count("pk"), odds=Sum("inclusion"), done=Count("pk", filter=_is_done())
    )
    return f"{found['pages']}:{found['odds']:.6f}:{found['done']}" if found["pages"] else ""


def chances(turns: Sequence[Turn]) -> Numbers:
    """The probability of having been done by now, of each page that is.

    Pages done in another order, after the one by disagreement, are taken to be a random part of what it left.
    """
    odds = np.array([turn.odds for turn in turns], dtype=np.float64)
    share = np.array([turn.share for turn in turns], dtype=np.float64)
    done = np.array([turn.done for turn in turns], dtype=np.bool_)
    by_odds = sum(turn.done and turn.by_odds for turn in turns)
    others = int(done.sum()) - by_odds
    found = chance(odds[done], share[done], reached(odds, share, by_odds))
    left = len(turns) - by_odds
    return found + (1 - found) * (others / left) if others else found


def reached(odds: Numbers, share: Numbers, done: int) -> float:
    """The key t below which so many pages are expected."""
    if done >= len(odds):
        return LAST
    if done <= odds.sum():
        return float(done / odds.sum())
    low, high = 1.0, LAST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if chance(odds, share, middle).sum() < done else (low, middle)
    return high


def chance(odds: Numbers, share: Numbers, key: float) -> Numbers:
    """The probability of having had one's turn when all keys below this one have."""
    if key <= 1:
        return key * odds
    if key >= LAST:
        return np.ones(len(odds))
    # Odds of another time may lie below today's share; nobody's falls as more is done.
    return np.minimum(1.0, np.maximum(odds, share + key * (odds - share)))


# ---- rows ----


def _weighed(corpus: Corpus) -> QuerySet[Round]:
    return Round.objects.filter(page__corpus=corpus, purpose=Purpose.MAIN, inclusion__isnull=False)


def _is_done() -> Q:
    return ~Q(Exists(Slot.objects.filter(round=OuterRef("pk"), submitted_at=None)))


def _turns(corpus: Corpus) -> list[Turn]:
    rows = _weighed(corpus).annotate(begun=Min("slots__begun_at"), is_done=_is_done()).order_by("page")
    found = list(rows.values_list("page", "inclusion", "begun", "is_done"))
    if not found:
        return []
    stood = _Designs(list(StudyDesign.objects.filter(corpus=corpus).order_by("number")))
    return [
        Turn(page, odds, stood.share(begun), is_done, stood.is_by_odds(begun))
        for page, odds, begun, is_done in found
    ]


class _Designs:
    """Which version stood when a page was begun; the newest, for what nobody has begun."""

    def __init__(self, versions: Sequence[StudyDesign]) -> None:
        self._versions = versions
        self._days = [design.made_at for design in versions]

    def is_by_odds(self, day: datetime | None) -> bool:
        return self._at(day).order == Order.DISAGREEMENT

    def share(self, day: datetime | None) -> float:
        """The random share of the version that stood, or of the last one before it that ordered by odds."""
        at = self._at(day)
        before = self._versions[: self._versions.index(at) + 1]
        by_odds = [design for design in before if design.order == Order.DISAGREEMENT]
        return (by_odds[-1] if by_odds else at).random_share

    def _at(self, day: datetime | None) -> StudyDesign:
        return self._versions[max(0, bisect(self._days, day) - 1) if day else -1]
