"""The kept numbers that stand for the state of agreement and of the weights: they change when it does."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.db.models import Count, Max, Sum

from annotator.agreement import queries
from annotator.agreement.models import AgreementVersion
from annotator.annotations.models import Purpose, Round, Slot
from annotator.annotations.study import weights
from annotator.annotations.study.models import WeightsVersion
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from tests.annotator.scored import compare_annotations
from tests.factories import MakePage, annotate

pytestmark = pytest.mark.django_db


def compared(corpus: Corpus) -> list[object]:
    """What the number stands for: the comparisons that count."""
    return list(queries.finished(corpus).order_by("pk").values_list("pk", "edition"))


def weighted(corpus: Corpus) -> tuple[object, ...]:
    """What the number stands for: probabilities, and the rounds whose slots are all submitted."""
    rounds = Round.objects.filter(page__corpus=corpus, inclusion_probability__isnull=False)
    found = rounds.aggregate(n=Count("pk"), last=Max("pk"), sum=Sum("inclusion_probability"))
    open_rounds = Slot.objects.filter(round__in=rounds, submitted_at=None).values("round")
    return (*found.values(), *sorted(rounds.exclude(pk__in=open_rounds).values_list("pk", flat=True)))


def test_it_changes_with_every_comparison_that_comes_to_count_or_no_longer_does(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    first, second, third = (make_page() for _ in range(3))

    def compare(page: Page) -> None:
        annotate(page, cast.ada)
        annotate(page, cast.ben)
        compare_annotations(page)

    steps: list[Callable[[], object]] = [
        lambda: compare(first),
        lambda: compare(second),
        lambda: Round.objects.filter(page__in=(first, second)).update(edition=2),
        lambda: compare(third),
    ]
    for number, step in enumerate(steps):
        before = compared(corpus), queries.state_of(corpus)
        step()
        after = compared(corpus), queries.state_of(corpus)
        assert before[0] != after[0], number
        assert before[1] != after[1], number
    stands = queries.state_of(corpus)
    annotate(make_page(), cast.ada)
    Round.objects.filter(page=first).update(blind=False)
    assert queries.state_of(corpus) == stands, "nothing was compared"


def test_one_statement_is_one_step_for_each_corpus(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    pages = [make_page() for _ in range(3)]
    for page in pages:
        annotate(page, cast.ada)
        annotate(page, cast.ben)
        compare_annotations(page)
    before = AgreementVersion.objects.get(corpus=corpus).number
    Round.objects.filter(page__in=pages).update(edition=2)
    assert AgreementVersion.objects.get(corpus=corpus).number == before + 1


def test_weights_have_another_state_when_what_they_depend_on_changes(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    pages = [make_page() for _ in range(3)]
    annotate(pages[0], cast.ada)
    assert not WeightsVersion.objects.exists(), "no page has a probability"
    rounds = Round.objects.filter(page__in=pages, purpose=Purpose.MAIN)
    steps: list[Callable[[], object]] = [
        lambda: rounds.update(inclusion_probability=0.5),
        lambda: rounds.filter(page=pages[0]).update(inclusion_probability=0.4),
        lambda: annotate(pages[0], cast.ben),
        lambda: Slot.objects.create(round=rounds.get(page=pages[0]), corpus=corpus, number=3),
        lambda: rounds.filter(page=pages[2]).update(inclusion_probability=None),
    ]
    for number, step in enumerate(steps):
        before = weighted(corpus), weights.state(corpus)
        step()
        after = weighted(corpus), weights.state(corpus)
        assert before[0] != after[0], number
        assert before[1] != after[1], number
    stands = weights.state(corpus)
    annotate(make_page(), cast.ada)
    Slot.objects.filter(round__page=pages[1]).update(queue_key="0")
    assert weights.state(corpus) == stands
