"""Pause Python's garbage collector while many objects without reference cycles are made."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the garbage collector of the whole process, including other threads.

    A page's tree is some thousands of small lists. Every few hundred new ones the collector would walk over
    all that there are, which takes up to a seventh of the time that parsing takes.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
