"""Law 5: arms are drawn, at least a fifth of the pages show nothing, no two slots show the same extractor."""

from hypothesis import given
from hypothesis import strategies as st

from annotator.annotations.arms import Draw, draw_arms


def draws(seed: int, pages: int, *, slots: int = 2, share: float = 0.2, extractors: int = 3) -> list[Draw]:
    made: list[Draw] = []
    for place in range(pages):
        blind = sum(draw.blind for draw in made)
        made.append(
            draw_arms(
                seed=seed,
                place=place,
                slots=slots,
                blind_share=share,
                blind_before=blind,
                extractors=range(10, 10 + extractors),
            )
        )
    return made


@given(st.integers(), st.integers(1, 60), st.floats(0.2, 1))
def test_blind_pages_are_never_fewer_than_their_share(seed: int, pages: int, share: float) -> None:
    made = draws(seed, pages, share=share)
    for n in range(1, pages + 1):
        assert sum(draw.blind for draw in made[:n]) >= share * n - 1e-9


@given(st.integers(), st.integers(1, 5), st.integers(0, 4))
def test_two_slots_never_show_the_same_extractor(seed: int, slots: int, extractors: int) -> None:
    for draw in draws(seed, 12, slots=slots, extractors=extractors):
        shown = [arm for arm in draw.arms if arm is not None]
        assert len(draw.arms) == slots
        assert len(shown) == len(set(shown))
        assert not (draw.blind and shown)


def test_the_same_seed_draws_the_same() -> None:
    assert draws(7, 40) == draws(7, 40)
    assert draws(7, 40) != draws(8, 40)


def test_every_extractor_comes_up_in_every_slot() -> None:
    shown = {(slot, arm) for draw in draws(1, 200) for slot, arm in enumerate(draw.arms) if arm}
    assert shown == {(slot, arm) for slot in (0, 1) for arm in (10, 11, 12)}
