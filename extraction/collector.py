"""Python's collector of reference cycles, held off where a great many objects are made that have none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_held() -> Iterator[None]:
    """Look for no cycles inside; threads that run meanwhile do not either.

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
