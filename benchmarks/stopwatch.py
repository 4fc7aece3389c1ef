"""CPU time of steps on pages, taken in rounds: what counts is a page's best round."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from lxml import html as lxml_html

_T = TypeVar("_T")


class Stopwatch:
    """For each step the fewest CPU seconds that each page ever took."""

    def __init__(self) -> None:
        self._best: dict[str, dict[int, float]] = defaultdict(dict)

    def time(self, step: str, page: int, act: Callable[[], _T]) -> _T:
        """Do something, in this process, and note what it took."""
        # Not the clock of the process: under a limit of CPU seconds that one counts in ticks.
        started = time.thread_time()
        done = act()
        self.note(step, page, time.thread_time() - started)
        return done

    def note(self, step: str, page: int, seconds: float) -> None:
        """Note what a step took elsewhere."""
        self._best[step][page] = min(seconds, self._best[step].get(page, seconds))

    def pages(self, step: str) -> int:
        """On how many pages a step was measured."""
        return len(self._best[step])

    def seconds(self, *steps: str) -> float:
        """What these steps took together on all pages."""
        return sum(sum(self._best[step].values()) for step in steps)

    def ratio(self, steps: Iterable[str], to: str) -> float:
        """What steps took together, by what another took on the pages where all of them were measured.

        Not a number where there is no such page, or the other took no time that the clock can see.
        """
        steps = list(steps)
        common = set.intersection(*(set(self._best[step]) for step in [*steps, to]))
        took = sum(self._best[step][page] for step in steps for page in common)
        whole = sum(self._best[to][page] for page in common)
        return took / whole if whole else float("nan")


def bare_parse(raw: bytes) -> None:
    """What everything is measured by: lxml's tree of a page, and nothing done with it."""
    text = raw.decode("utf-8", "replace")
    try:
        lxml_html.document_fromstring(text)
    except ValueError:  # lxml refuses a text with an encoding declaration
        lxml_html.document_fromstring(raw)


@contextmanager
def clock() -> Iterator[Callable[[], float]]:
    """Wall-clock seconds since the start of the block."""
    started = time.perf_counter()
    yield lambda: time.perf_counter() - started
