"""Holding the collector of reference cycles."""

import gc

import pytest

from extraction.collector import collector_held


def test_the_collector_is_held_inside_and_on_again_after() -> None:
    with collector_held():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_collector_comes_back_after_an_error() -> None:
    with pytest.raises(ValueError), collector_held():
        raise ValueError
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with collector_held():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
