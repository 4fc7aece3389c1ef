"""The nightly check: a sample of totals computed once more from gold and scores, and compared."""

import random
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from django.db import transaction

from annotator.common.dates import utc_bounds
from annotator.corpora.models import Corpus
from annotator.scoring.models import CountedPage, GoldTotal, PageToCount, ScoreTotal
from annotator.scoring.totals import counting
from annotator.scoring.totals.figures import COLUMNS
from annotator.scoring.totals.queries import selected
from annotator.scoring.totals.slices import CHOSEN, DAY, Selection, Slice
from annotator.scoring.totals.state import PageState, counted_before, counts_now

# Slices of each dimension that are summed up again, and pages that are read again from gold and scores.
SLICES, PAGES = 2, 300
# No slice of more pages is summed up.
MOST_PAGES = 5_000


class Checked(NamedTuple):
    """How many slices and pages were looked at, and what differs, in words for admins."""

    compared: int
    differences: list[str]


def compare_sample(corpus: Corpus) -> Checked:
    """Compare some totals with the sums over their pages, and some pages with their gold and scores."""
    with transaction.atomic():
        counting.lock(corpus)
        slices = _slices(corpus)
        pages = _pages(corpus)
        # One page that was missed is in many slices: it comes first.
        differences = _differences_of_pages(corpus, pages)
        differences += [line for each in slices for line in _differences_of_slice(corpus, each)]
    return Checked(len(slices) + len(pages), differences)


def _slices(corpus: Corpus) -> list[Slice]:
    """Some slices of each dimension, of a size that can be summed up again; all pages are one."""
    totals = GoldTotal.objects.filter(corpus=corpus, labels="", pages__lte=MOST_PAGES)
    found: list[Slice] = []
    for dimension in ("", *CHOSEN, DAY):
        values = list(totals.filter(dimension=dimension).values_list("value", flat=True)[:MOST_PAGES])
        found += [Slice(dimension, value) for value in random.sample(values, min(len(values), SLICES))]
    return found


def _differences_of_slice(corpus: Corpus, of: Slice) -> list[str]:
    pages = _pages_of_slice(corpus, of)
    states = counted_before(pages)
    expected = {
        key: total
        for key, total in counting.score_sums({}, states).items()
        if Slice(key.dimension, key.value) == of
    }
    rows = ScoreTotal.objects.filter(corpus=corpus, dimension=of.dimension, value=of.value)
    stored = {
        counting.TotalKey(*values[: -len(COLUMNS)]): values[-len(COLUMNS) :]
        for values in rows.values_list(*counting.TotalKey._fields, *COLUMNS)
        if any(values[-len(COLUMNS) :])
    }
    return [
        f"{str(of) or 'all pages'}, {key.metric}, {key.labels}, extractor {key.extractor}:"
        f" {name} is {has}, not {wanted}"
        for key in sorted({*stored, *expected}, key=str)
        for name, has, wanted in _unlike(stored.get(key), expected.get(key))
    ]


def _unlike(stored: Sequence[int] | None, expected: Sequence[int] | None) -> list[tuple[str, int, int]]:
    nothing = [0] * len(COLUMNS)
    pairs = zip(COLUMNS, stored or nothing, expected or nothing, strict=True)
    return [(name, has, wanted) for name, has, wanted in pairs if has != wanted][:1]


def _pages_of_slice(corpus: Corpus, of: Slice) -> list[int]:
    if of.dimension != DAY:
        return list(selected(corpus, Selection((of,))).values_list("page", flat=True))
    day = date.fromisoformat(of.value)
    pages = CountedPage.objects.filter(corpus=corpus.pk, since__range=utc_bounds(day))
    return list(pages.values_list("page", flat=True))


def _pages(corpus: Corpus) -> list[int]:
    """Pages in the order of their digests from a random one on; none that is still to be counted."""
    first = random.randrange(16**10)
    pages = CountedPage.objects.filter(corpus=corpus.pk).order_by("draw")
    drawn = list(pages.filter(draw__gte=first).values_list("page", flat=True)[:PAGES])
    drawn += list(pages.filter(draw__lt=first).values_list("page", flat=True)[: PAGES - len(drawn)])
    waiting = set(PageToCount.objects.filter(corpus=corpus.pk, page__in=drawn).values_list("page", flat=True))
    return [page for page in drawn if page not in waiting]


def _differences_of_pages(corpus: Corpus, pages: Sequence[int]) -> list[str]:
    before, now = counted_before(pages), counts_now(corpus, pages)
    return [
        f"page {page} does not count with what its gold and scores say: {_what(before[page], now.get(page))}"
        for page in pages
        if before[page] != now.get(page)
    ]


def _what(before: PageState, now: PageState | None) -> str:
    if now is None:
        return "it has no gold"
    return "its gold or its slices" if before.facts != now.facts else "its scores"
