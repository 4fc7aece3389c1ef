"""Measures the CPU time of steps on pages, as the best of several rounds per page."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from lxml import html as lxml_html

_T = TypeVar("_T")


class Stopwatch:
    """The minimum CPU seconds of each step on each page."""

    def __init__(self) -> None:
        self._best: dict[str, dict[int, float]] = defaultdict(dict)

    def time(self, step: str, page: int, act: Callable[[], _T]) -> _T:
        """Call `act` in this process, and record its CPU time."""
        # Under a CPU limit, the clock of the process counts in ticks.
        started = time.thread_time()
        done = act()
        self.note(step, page, time.thread_time() - started)
        return done

    def note(self, step: str, page: int, seconds: float) -> None:
        """Record a measured time."""
        self._best[step][page] = min(seconds, self._best[step].get(page, seconds))

    def pages(self, step: str) -> int:
        """Return the number of pages on which a step was measured."""
        return len(self._best[step])

    def seconds(self, *steps: str) -> float:
        """Return the total time of these steps on all pages."""
        return sum(sum(self._best[step].values()) for step in steps)

    def ratio(self, steps: Iterable[str], to: str) -> float:
        """Return the total time of `steps` divided by that of `to`, on pages where all were measured.

        NaN if there is no such page, or if `to` took no measurable time.
        """
        steps = list(steps)
        common = set.intersection(*(set(self._best[step]) for step in [*steps, to]))
        took = sum(self._best[step][page] for step in steps for page in common)
        whole = sum(self._best[to][page] for page in common)
        return took / whole if whole else float("nan")


def bare_parse(raw: bytes) -> None:
    """Parse a page by lxml: the unit of all ratios."""
    text = raw.decode("utf-8", "replace")
    try:
        lxml_html.document_fromstring(text)
    except ValueError:  # lxml refuses a text with an encoding declaration
        lxml_html.document_fromstring(raw)


@contextmanager
def clock() -> Iterator[Callable[[], float]]:
    """Yield a function that returns the wall-clock seconds since the start of the block."""
    started = time.perf_counter()
    yield lambda: time.perf_counter() - started
