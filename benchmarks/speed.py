"""What a document and a view cost, beside a bare lxml parse of the same bytes."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lxml import html as lxml_html
from tqdm import tqdm

from extraction import extractors
from extraction.decode import decode
from extraction.parse import parse
from extraction.view import build_view
from tests.corpora import records

ROUNDS = 5
BARE, DOCUMENT, VIEW = "bare lxml parse", "decode + parse + document", "view"
LIMITS = {DOCUMENT: 2.5, VIEW: 2.0}


def run(limit: int | None = None) -> str:
    """A table of steps, milliseconds a page and ratios."""
    best: dict[str, dict[int, float]] = defaultdict(dict)
    pages = [record.raw for record in records(limit)]
    for _round in tqdm(range(ROUNDS), desc="speed", disable=None):
        for number, raw in enumerate(pages):
            for step, seconds in _measure(raw):
                best[step][number] = min(seconds, best[step].get(number, seconds))
    totals = {step: sum(by_page.values()) for step, by_page in best.items()}
    rows = [
        f"| {step} | {1000 * total / len(pages):.2f} | {total / totals[BARE]:.2f} | {LIMITS.get(step, '')} |"
        for step, total in totals.items()
    ]
    head = ["| step | ms a page | ratio to the bare parse | limit |", "| --- | ---: | ---: | ---: |"]
    intro = f"CPU time, best of {ROUNDS} rounds a page, {len(pages)} pages, steps interleaved."
    return "\n".join(["## Speed", "", intro, "", *head, *rows])


def _measure(raw: bytes) -> Iterator[tuple[str, float]]:
    """Every step once on one page, in turn."""
    yield _timed(BARE, lambda: _bare(raw))
    yield _timed("of it: decode", lambda: decode(raw))
    yield _timed(DOCUMENT, lambda: parse(raw))
    document = parse(raw)
    yield _timed(VIEW, lambda: build_view(document))
    for name in extractors.REGISTRY:
        yield _timed(f"extractor {name}", lambda name=name: extractors.extract(document, name))


def _bare(raw: bytes) -> None:
    text = raw.decode("utf-8", "replace")
    try:
        lxml_html.document_fromstring(text)
    except ValueError:  # lxml refuses a text with an encoding declaration
        lxml_html.document_fromstring(raw)


def _timed(step: str, act: Callable[[], object]) -> tuple[str, float]:
    started = time.process_time()
    act()
    return step, time.process_time() - started


@contextmanager
def clock() -> Iterator[Callable[[], float]]:
    """Wall-clock seconds since the start of the block."""
    started = time.perf_counter()
    yield lambda: time.perf_counter() - started
