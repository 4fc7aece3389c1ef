"""What a page of an order by disagreement stands for, wherever work stops."""

from types import SimpleNamespace

import numpy as np
import pytest

from annotator.annotations.models import Round
from annotator.annotations.study import weights
from annotator.annotations.study.actions import (
    LEAST_DISAGREEMENT,
    change_design,
    current_design,
    inclusion_probability,
)
from annotator.annotations.study.disagreement import weigh_rounds
from annotator.annotations.study.models import PageOrder
from annotator.annotations.study.weights import (
    SampledPage,
    inclusion_probabilities,
    key_reached,
    page_weights,
    probability_at,
)
from annotator.corpora.models import Corpus
from extraction.agreement.counts import count_page
from extraction.agreement.pool import Pool
from extraction.agreement.units import ContentUnits
from extraction.spans import Span
from tests.factories import MakePage, annotate

SHARE = 0.2
PAGES = 400
DRAWS = 150


class Population:
    """Pages on which annotators agree the less, the more extractors differ."""

    def __init__(self) -> None:
        draw = np.random.default_rng(8)
        self.disagreement = np.clip(draw.beta(1, 3, PAGES), LEAST_DISAGREEMENT, 1)
        self.probability = np.array(
            [inclusion_probability(disagreement=each, random_share=SHARE) for each in self.disagreement]
        )
        agreed = np.clip(100 - 60 * self.disagreement - draw.integers(0, 10, PAGES), 20, 99).astype(int)
        self.agreed = agreed / 100
        self.counts = [
            count_page({"ada": [], "ben": [Span(until, 100, "body")]}, ContentUnits.of_length(100))
            for until in agreed.tolist()
        ]

    def order(self, draw: np.random.Generator) -> np.ndarray:
        """Pages as their keys sort, which SQL writes down: see `study.actions.QUEUE_KEYS`."""
        first, second = draw.random(PAGES), draw.random(PAGES)
        return np.argsort(first / np.where(second < SHARE, 1, self.disagreement))

    def weights(self, done: np.ndarray) -> np.ndarray:
        """Of the pages that are done, by page."""
        is_done = np.isin(np.arange(PAGES), done)
        pages = [
            SampledPage(page, probability, SHARE, bool(is_done[page]), by_disagreement=True)
            for page, probability in enumerate(self.probability.tolist())
        ]
        return 1 / inclusion_probabilities(pages)


@pytest.mark.parametrize("done", [80, 350])
def test_weighted_estimates_meet_the_corpus_and_unweighted_ones_do_not(done: int) -> None:
    """80 end within the random stratum; at 350 the pages that disagree most are all there."""
    population, draw = Population(), np.random.default_rng(done)
    truth, weighed, plain, held = population.agreed.mean(), [], [], 0
    for _ in range(DRAWS):
        taken = np.sort(population.order(draw)[:done])
        each = population.weights(taken).tolist()
        sample = [population.counts[page] for page in taken]
        figure = Pool(sample, weights=each).units("character")["observed"]
        weighed.append(figure.value)
        held += figure.low <= truth <= figure.high
        plain.append(population.agreed[taken].mean())
    error = np.std(weighed) / DRAWS**0.5
    assert abs(np.mean(weighed) - truth) < 4 * error + 0.0005
    assert truth - np.mean(plain) > max(0.005, 4 * error)
    assert held / DRAWS > 0.9


def test_the_key_is_where_as_many_pages_are_expected_as_are_done() -> None:
    population = Population()
    shares = np.full(PAGES, SHARE)
    for done in (1, 40, 150, 250, 399):
        key = key_reached(population.probability, shares, done)
        assert probability_at(population.probability, shares, key).sum() == pytest.approx(done)
    assert (
        key_reached(population.probability, shares, 40) < 1 < key_reached(population.probability, shares, 350)
    )


def test_when_all_is_done_all_count_alike() -> None:
    population = Population()
    assert set(population.weights(np.arange(PAGES)).tolist()) == {1.0}


def test_pages_done_in_another_order_afterwards_are_a_random_part_of_what_was_left() -> None:
    pages = [SampledPage(n, 0.5, SHARE, done=n < 6, by_disagreement=n < 4) for n in range(10)]
    # Four of ten by their probability, then two of the six that were left.
    assert inclusion_probabilities(pages).tolist() == pytest.approx([0.4 + 0.6 * 2 / 6] * 6)


# ---- from rounds ----


@pytest.fixture
def by_disagreement(corpus: Corpus) -> None:
    stands = current_design(corpus=corpus)
    change_design(
        corpus=corpus, made_by=None, based_on=stands.number, order=PageOrder.DISAGREEMENT, random_share=SHARE
    )


@pytest.mark.django_db
@pytest.mark.usefixtures("by_disagreement")
def test_pages_weigh_by_the_probability_that_their_rounds_keep(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    made = [make_page() for _ in range(4)]
    assert page_weights(corpus) == {}
    assert weights.state(corpus) == ""
    for page, probability in zip(made, (0.9, 0.3, 0.3, 0.3), strict=True):
        Round.objects.filter(page=page).update(inclusion_probability=probability)
    seen = {weights.state(corpus)}
    for page in made[:2]:
        annotate(page, cast.ada)
    assert page_weights(corpus) == {}, "half of it is not submitted"
    annotate(made[0], cast.ben)
    seen.add(weights.state(corpus))
    assert page_weights(corpus) == {made[0].pk: pytest.approx(2.0)}
    annotate(made[1], cast.ben)
    found = page_weights(corpus)
    assert found[made[1].pk] / found[made[0].pk] > 1.2
    for page in made[2:]:
        annotate(page, cast.ada)
        annotate(page, cast.ben)
    assert page_weights(corpus) == dict.fromkeys([page.pk for page in made], 1.0)
    seen.add(weights.state(corpus))
    assert len(seen) == 3


@pytest.mark.django_db
def test_what_was_begun_in_another_order_gets_no_probability(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    begun, untouched = make_page(extracted=True), make_page(extracted=True)
    annotate(begun, cast.ada)
    stands = current_design(corpus=corpus)
    change_design(corpus=corpus, made_by=None, based_on=stands.number, order=PageOrder.DISAGREEMENT)
    assert weigh_rounds(at_most=10) == 1
    assert Round.objects.get(page=begun).inclusion_probability is None
    assert Round.objects.get(page=untouched).inclusion_probability is not None
