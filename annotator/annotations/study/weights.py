"""Weights of annotated pages in estimates over their corpus, where the order depended on disagreement.

The order by disagreement gives a page a key: a uniform number u in the random stratum, u / disagreement
elsewhere, and takes the smallest keys first. Once all keys below t are done, a page is among them with the
probability

    t * p                              up to t = 1
    min(1, share + t * (p - share))    beyond, when the random stratum is done

where p is its inclusion probability and share that of the random stratum (inverse probability weighting of
Poisson samples: Särndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992). t is not read off the
keys, as pages may be skipped, balanced or held: it is chosen so that as many pages are expected to be done as
are done. In the end all pages are, and weigh the same. A page without an inclusion probability has weight 1.
"""

from bisect import bisect
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from django.db.models import Exists, Min, OuterRef
from numpy.typing import NDArray

from annotator.annotations.models import Purpose, Round, Slot
from annotator.annotations.study.actions import LEAST_DISAGREEMENT
from annotator.annotations.study.models import PageOrder, StudyDesign, WeightsVersion
from annotator.corpora.models import Corpus

Numbers = NDArray[np.float64]
# The largest possible key, that of extractors that agree in full.
LAST = 1 / LEAST_DISAGREEMENT
# Halvings of the search for t: to double precision.
HALVINGS = 60


class SampledPage(NamedTuple):
    """A page with an inclusion probability. `share` is the random share of the version under which it was or
    will be begun, or of the last one before it that ordered by disagreement; `done`: all its annotators have
    submitted; `by_disagreement`: begun under that order."""

    key: int
    probability: float
    share: float
    done: bool
    by_disagreement: bool


def page_weights(corpus: Corpus) -> dict[int, float]:
    """Page -> its weight, the number of pages that it stands for, of those that are done.

    Other pages have weight 1. Empty where no page has an inclusion probability.
    """
    pages = _sampled_pages(corpus)
    done = [page for page in pages if page.done]
    return dict(zip((page.key for page in done), (1 / inclusion_probabilities(pages)).tolist(), strict=True))


def state(corpus: Corpus) -> str:
    """A cache key of what the weights depend on; "" where no page ever had an inclusion probability."""
    found = WeightsVersion.objects.filter(corpus=corpus).values_list("number", flat=True).first()
    return str(found) if found else ""


def inclusion_probabilities(pages: Sequence[SampledPage]) -> Numbers:
    """Of each page that is done, the probability of being done by now.

    Pages done under a later order count as a random sample of those left by the order by disagreement.
    """
    probability = np.array([page.probability for page in pages], dtype=np.float64)
    share = np.array([page.share for page in pages], dtype=np.float64)
    done = np.array([page.done for page in pages], dtype=np.bool_)
    by_disagreement = sum(page.done and page.by_disagreement for page in pages)
    others = int(done.sum()) - by_disagreement
    found = probability_at(probability[done], share[done], key_reached(probability, share, by_disagreement))
    left = len(pages) - by_disagreement
    return found + (1 - found) * (others / left) if others else found


def key_reached(probability: Numbers, share: Numbers, done: int) -> float:
    """The key t below which this many pages are expected."""
    if done >= len(probability):
        return LAST
    if done <= probability.sum():
        return float(done / probability.sum())
    low, high = 1.0, LAST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        expected = probability_at(probability, share, middle).sum()
        low, high = (middle, high) if expected < done else (low, middle)
    return high


def probability_at(probability: Numbers, share: Numbers, key: float) -> Numbers:
    """The probability of being among the pages with a key below this one."""
    if key <= 1:
        return key * probability
    if key >= LAST:
        return np.ones(len(probability))
    # A probability from another version may lie below the share; none falls as more pages are done.
    return np.minimum(1.0, np.maximum(probability, share + key * (probability - share)))


# ---- rows ----


def _sampled_pages(corpus: Corpus) -> list[SampledPage]:
    weighed = Round.objects.filter(
        page__corpus=corpus, purpose=Purpose.MAIN, inclusion_probability__isnull=False
    )
    not_submitted = Slot.objects.filter(round=OuterRef("pk"), submitted_at=None)
    rows = weighed.annotate(begun=Min("slots__begun_at"), is_done=~Exists(not_submitted)).order_by("page")
    found = list(rows.values_list("page", "inclusion_probability", "begun", "is_done"))
    if not found:
        return []
    designs = list(StudyDesign.objects.filter(corpus=corpus).order_by("number"))
    days = [design.made_at for design in designs]
    pages = []
    for page, probability, begun, is_done in found:
        assert probability is not None
        # The versions up to that in force when the page was begun; all for a page that nobody has begun.
        before = designs[: max(1, bisect(days, begun))] if begun else designs
        by_disagreement = [design for design in before if design.order == PageOrder.DISAGREEMENT]
        share = (by_disagreement or before)[-1].random_share
        is_by_disagreement = before[-1].order == PageOrder.DISAGREEMENT
        pages.append(SampledPage(page, probability, share, is_done, is_by_disagreement))
    return pages
