"""Holding the collector of reference cycles."""

import gc
import weakref

import pytest

from extraction.extractors import get, own_names
from extraction.gc_pause import gc_paused
from extraction.parsing.parse import parse


def test_the_collector_is_held_inside_and_on_again_after() -> None:
    with gc_paused():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_collector_comes_back_after_an_error() -> None:
    with pytest.raises(ValueError), gc_paused():
        raise ValueError
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("name", own_names())
def test_a_document_waits_for_no_collector(name: str) -> None:
    page = parse(b"<title>One</title><h1>One</h1><p>Two three, four.</p><a href=x>Five</a>")
    gc.disable()
    try:
        get(name)(page)
        gone = weakref.ref(page)
        del page
        assert gone() is None
    finally:
        gc.enable()
