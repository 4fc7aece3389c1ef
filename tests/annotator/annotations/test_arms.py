"""Invariant 5: arms are drawn, at least a fifth of pages are blind, no two slots show the same extractor."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.annotations.rounds.arms import Draw, draw_arms, shares_of


def draw(**given: Any) -> Draw:
    """The eleventh draw of a seed, unless said otherwise."""
    usual: dict[str, Any] = {"seed": 3, "number": 10, "slots": 2, "blind_share": 0.2, "blind_before": 0}
    return draw_arms(**{"credit": {}, **usual, **given})


def draws(seed: int, pages: int) -> list[Draw]:
    made: list[Draw] = []
    for index in range(pages):
        blind = sum(each.blind for each in made)
        made.append(
            draw(seed=seed, number=index, blind_before=blind, extractors=dict.fromkeys((10, 11, 12), 1.0))
        )
    return made


weights = st.dictionaries(st.integers(1, 9), st.sampled_from([0, 1, 1, 2, 5, 9]), min_size=1, max_size=7)


@settings(deadline=None)
@given(st.integers(), st.integers(1, 5), weights, st.floats(0.2, 1))
def test_shares_hold_after_every_page_and_no_two_slots_show_the_same(
    seed: int, slots: int, weights: dict[int, float], blind_share: float
) -> None:
    wanted = shares_of(weights, slots)
    blind, pages = 0, 0
    credit: Mapping[int, float] = {}
    shown: Counter[int] = Counter()
    for index in range(60):
        drawn = draw(
            seed=seed,
            number=index,
            slots=slots,
            blind_share=blind_share,
            blind_before=blind,
            extractors=weights,
            credit=credit,
        )
        blind, credit, pages = blind + drawn.blind, drawn.credit, pages + (not drawn.blind)
        arms = [arm for arm in drawn.arms if arm is not None]
        assert len(drawn.arms) == slots
        assert len(arms) == len(set(arms))
        assert not (drawn.blind and arms)
        shown.update(arms)
        assert blind >= blind_share * (index + 1) - 1e-9
        assert set(shown) <= set(wanted)
        assert all(abs(shown[key] - share * pages) < 3 for key, share in wanted.items())


@given(weights, st.integers(1, 5))
def test_what_a_large_weight_cannot_have_goes_to_the_others(weights: dict[int, float], slots: int) -> None:
    shares = shares_of(weights, slots)
    assert set(shares) == {key for key, weight in weights.items() if weight}
    assert all(0 < share <= 1 for share in shares.values())
    assert sum(shares.values()) == pytest.approx(min(slots, len(shares)))


def test_who_is_enabled_later_begins_with_an_empty_account() -> None:
    before = draw(number=9, blind_before=9, extractors={1: 1.0, 2: 1.0}, credit={1: 0.5, 2: -0.5})
    after = draw(blind_before=9, extractors={1: 1.0, 2: 1.0, 3: 1.0}, credit=before.credit)
    assert set(after.credit) == ({1, 2} if after.blind else {1, 2, 3})
    assert all(abs(credit) < 2 for credit in after.credit.values())


@given(st.integers(), st.integers(1, 4), weights, st.sets(st.integers(0, 59)))
def test_who_may_not_be_shown_on_some_pages_has_its_share_of_the_others(
    seed: int, slots: int, weights: dict[int, float], known: set[int]
) -> None:
    """Of a page in `known`, the first extractor knows the gold."""
    first, rest = min(weights), {key: weight for key, weight in weights.items() if key != min(weights)}
    credit: Mapping[int, float] = {}
    due = dict.fromkeys(weights, 0.0)
    shown: Counter[int] = Counter()
    for index in range(60):
        extractors = rest if index in known else weights
        drawn = draw(
            seed=seed, number=index, slots=slots, blind_share=0, extractors=extractors, credit=credit
        )
        credit = drawn.credit
        shown.update(arm for arm in drawn.arms if arm is not None)
        for key, share in shares_of(extractors, slots).items():
            due[key] += share
        assert index not in known or first not in drawn.arms
        assert all(abs(shown[key] - wanted) < 3 for key, wanted in due.items())


def test_who_is_left_out_keeps_its_account() -> None:
    drawn = draw(slots=1, blind_share=0, extractors={2: 1.0, 3: 1.0}, credit={1: 0.5, 2: -0.5})
    assert not drawn.blind
    assert drawn.credit[1] == 0.5


def test_the_same_seed_draws_the_same() -> None:
    assert draws(7, 40) == draws(7, 40)
    assert draws(7, 40) != draws(8, 40)


def test_every_extractor_comes_up_in_every_slot() -> None:
    shown = {(slot, arm) for drawn in draws(1, 200) for slot, arm in enumerate(drawn.arms) if arm}
    assert shown == {(slot, arm) for slot in (0, 1) for arm in (10, 11, 12)}
