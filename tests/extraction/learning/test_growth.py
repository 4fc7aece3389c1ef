"""The learning curve: who learns from what, the law of more pages, and how sure it is."""

import math
from itertools import pairwise

import pytest

from extraction.learning.growth import (
    PARTS,
    CurvePage,
    PageFigure,
    folds_of,
    growth_of,
    parts_of,
)
from extraction.learning.training import LearningError

PAGES = [CurvePage(f"{number:064x}", f"site{number % 23}") for number in range(100)]


def figures(f1: list[float], *, groups: int = 20, pages: int = 120) -> list[PageFigure]:
    """Pages on which each part has this precision and recall."""
    return [PageFigure(f"site{number % groups}", [*f1], [*f1]) for number in range(pages)]


def test_every_page_is_looked_at_once_by_models_of_other_sites() -> None:
    folds = folds_of(PAGES)
    assert sorted(index for fold in folds for index in fold) == list(range(100))
    assert max(map(len, folds)) - min(map(len, folds)) <= 5
    for fold in folds:
        held_out = {PAGES[index].group for index in fold}
        parts = parts_of(PAGES, fold)
        assert [len(part) for part in parts] == [round((100 - len(fold)) / part) for part in PARTS]
        for smaller, larger in pairwise(parts):
            assert set(smaller) < set(larger)
        assert not held_out & {PAGES[index].group for index in parts[-1]}


def test_one_site_has_no_learning_curve() -> None:
    with pytest.raises(LearningError, match="of one site"):
        folds_of([page._replace(group="same") for page in PAGES])


def test_the_law_of_an_error_that_falls_by_a_power_is_found() -> None:
    sizes = [12.0, 24.0, 48.0, 96.0]
    found = growth_of(figures([1 - n**-0.5 for n in sizes]), sizes)
    assert [part.f1 for part in found.parts] == pytest.approx([1 - n**-0.5 for n in sizes])
    assert (found.now.pages, found.next.pages) == (120, 220)
    assert found.now.f1 == pytest.approx(1 - 1 / math.sqrt(120))
    assert found.next.f1 == pytest.approx(1 - 1 / math.sqrt(220))
    assert found.gain.f1 == pytest.approx(found.next.f1 - found.now.f1)


def test_more_pages_are_not_expected_to_do_harm() -> None:
    found = growth_of(figures([0.9, 0.88, 0.87, 0.86]), [12, 24, 48, 96])
    assert found.gain.f1 == pytest.approx(0)


def test_the_interval_says_how_unlike_sites_are() -> None:
    alike = growth_of(figures([0.7, 0.8, 0.85, 0.9]), [12, 24, 48, 96])
    assert alike.parts[-1].low == pytest.approx(alike.parts[-1].high)
    unlike = [
        figure._replace(precision=[p * (0.5 if number % 20 < 10 else 1) for p in figure.precision])
        for number, figure in enumerate(figures([0.7, 0.8, 0.85, 0.9]))
    ]
    found = growth_of(unlike, [12, 24, 48, 96])
    assert found.gain.low is not None
    assert found.gain.high is not None
    assert found.gain.low < found.gain.f1 < found.gain.high
    assert found.parts[-1].high is not None
    assert found.parts[-1].low is not None
    assert found.parts[-1].high - found.parts[-1].low > 0.05


@pytest.mark.parametrize(("pages", "groups"), [(29, 20), (120, 7)])
def test_below_thirty_pages_or_eight_sites_the_interval_is_withheld(pages: int, groups: int) -> None:
    found = growth_of(figures([0.7, 0.8, 0.85, 0.9], pages=pages, groups=groups), [3, 6, 12, 24])
    assert [(part.low, part.high) for part in found.parts] == [(None, None)] * 4
    assert (found.gain.low, found.gain.high) == (None, None)
