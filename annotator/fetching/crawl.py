"""Fetching many addresses: sites side by side, each one address at a time; later what did not answer.

for outcome in crawl(targets, fetcher=fetcher):
    ...  # None: nothing new within a second
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from annotator.common.sites import site_of
from annotator.fetching.client import Fetched, Fetcher
from annotator.fetching.errors import FetchError, NotAnswered, SiteBusy
from annotator.fetching.pace import LONGEST_PAUSE

# Sites that are asked at the same time.
SITES = 8
# Seconds until a site that did not answer is asked again, attempt by attempt; the last attempt is final.
RETRY_AFTER = (60, 600, 3600)
ATTEMPTS = len(RETRY_AFTER) + 1
# With nothing to do for longer, the crawl ends for now.
LONGEST_WAIT = timedelta(seconds=20)
TICK = 1.0


@dataclass
class Target:
    """An address to fetch, and how often that was tried. `not_before` is when it may be tried again."""

    key: int
    url: str
    attempts: int = 0
    not_before: datetime | None = None
    # Why the last attempt failed.
    problem: str = ""


@dataclass(frozen=True)
class CrawlResult:
    """What became of an address: `result` is what was fetched, or the final reason why nothing was.

    None: it will be tried again; its target says when and why.
    """

    target: Target
    result: Fetched | FetchError | None


class NotYet(Exception):
    """All that is left has to wait until then."""

    def __init__(self, until: datetime) -> None:
        super().__init__(f"until {until:%H:%M:%S}")
        self.until = until


def crawl(
    targets: Iterable[Target], *, fetcher: Fetcher, wait_for_all: bool = False
) -> Iterator[CrawlResult | None]:
    """Fetch all targets; yield each outcome, and None each second in which there is none.

    Raises NotYet where all that is left has to wait for long, unless it is to `wait_for_all`. Raises OSError
    for a fault of our own machine.
    """
    queues: dict[str, deque[Target]] = {}
    for target in targets:
        queues.setdefault(site_of(target.url), deque()).append(target)
    running: dict[Future[Fetched], tuple[str, Target]] = {}
    threads = ThreadPoolExecutor(max_workers=SITES, thread_name_prefix="fetch")
    try:
        while queues or running:
            _start(queues, running, threads, fetcher)
            if not running and not wait_for_all:
                _check_wait(queues)
            yield from _finished(queues, running)
    finally:
        # Whoever ends the crawl does not wait for what is being fetched.
        threads.shutdown(wait=False, cancel_futures=True)


def _start(
    queues: dict[str, deque[Target]],
    running: dict[Future[Fetched], tuple[str, Target]],
    threads: ThreadPoolExecutor,
    fetcher: Fetcher,
) -> None:
    """Fetch from every site that is free and has something due, as far as there are threads."""
    now = timezone.now()
    asked = {site for site, _ in running.values()}
    for site in [site for site in queues if site not in asked][: SITES * 100]:
        if len(running) >= SITES:
            return
        target = _due(queues[site], now)
        if target:
            running[threads.submit(fetcher.fetch, target.url)] = (site, target)
            queues[site].remove(target)
        # A site that is asked keeps its place, so that each has its turn.
        queues[site] = queues.pop(site)


def _due(waiting: deque[Target], now: datetime) -> Target | None:
    return next((target for target in waiting if target.not_before is None or target.not_before <= now), None)


def _check_wait(queues: dict[str, deque[Target]]) -> None:
    """Raise NotYet if the next target is due only after a while."""
    times = [target.not_before for waiting in queues.values() for target in waiting]
    known = [at for at in times if at is not None]
    if len(known) == len(times) and known and min(known) > timezone.now() + LONGEST_WAIT:
        raise NotYet(min(known))


def _finished(
    queues: dict[str, deque[Target]], running: dict[Future[Fetched], tuple[str, Target]]
) -> Iterator[CrawlResult | None]:
    """Yield what is finished within a second."""
    if not running:
        time.sleep(TICK)
    done = wait(running, timeout=TICK, return_when=FIRST_COMPLETED).done
    if not done:
        yield None
    for future in done:
        site, target = running.pop(future)
        outcome = CrawlResult(target, _result(future, target))
        if outcome.result is None:
            queues[site].append(target)
        elif not queues[site]:
            del queues[site]
        yield outcome


def _result(future: Future[Fetched], target: Target) -> Fetched | FetchError | None:
    try:
        return future.result()
    except SiteBusy as busy:
        _put_off(target, busy, at_least=TICK)
        return None
    except NotAnswered as error:
        target.attempts += 1
        if target.attempts >= ATTEMPTS:
            return NotAnswered(f"{error.message} ({target.attempts} attempts)")
        _put_off(target, error, at_least=RETRY_AFTER[target.attempts - 1])
        return None
    except FetchError as error:
        return error


def _put_off(target: Target, error: NotAnswered, *, at_least: float) -> None:
    target.problem = error.message
    wished = min(error.retry_after or 0, LONGEST_PAUSE)
    target.not_before = timezone.now() + timedelta(seconds=max(at_least, wished))
