"""The cost of all agreement coefficients, for 10,000 pages of 160 blocks and two annotators, on one core.

`python -m benchmarks.agreement PAGES` is the measured process; it prints its figures as JSON.
"""

import json
import sys
import time
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from benchmarks.memory import peak
from benchmarks.results import yes_no
from benchmarks.steps import printed_by
from extraction.agreement.counts import PageTables, count_page
from extraction.agreement.pool import Pool
from extraction.agreement.report import figures
from extraction.agreement.units import ContentUnits
from extraction.spans import LABELS, Span

PAGES = 10_000
BLOCKS = 160
TARGET_SECONDS = 120
TARGET_MB = 500
WORDS = ("council", "said", "on", "Monday", "that", "the", "bridge", "would", "open", "again")


def run(limit: int | None = None) -> str:
    """Measure the counts from texts and spans, and all coefficients with intervals."""
    pages = PAGES if limit is None else min(PAGES, limit)
    took = printed_by("benchmarks.agreement", str(pages))
    together, most = took["counting"] + took["computing"], took["peak"] / 1024
    fast = yes_no(together <= TARGET_SECONDS) if pages == PAGES else ""
    return "\n".join(
        [
            "## Agreement",
            "",
            f"{pages} synthetic pages of {BLOCKS} blocks and {BLOCKS * 10} words, two annotators each: "
            "counts from texts and spans, then all coefficients of all levels, labels and label sets, with "
            "intervals. CPU time of one process; peak memory includes all imports.",
            "",
            "| measure | value | target | met |",
            "| --- | ---: | --- | --- |",
            f"| counting, s | {took['counting']:.1f} | | |",
            f"| coefficients, s | {took['computing']:.1f} | | |",
            f"| together, s | {together:.1f} | {TARGET_SECONDS} for {PAGES:,} pages | {fast} |",
            f"| peak, MB | {most:.0f} | {TARGET_MB} | {yes_no(most <= TARGET_MB)} |",
        ]
    )


def measure(pages: int) -> dict[str, float]:
    """Return the CPU seconds of both steps, and the peak memory in KB."""
    started = time.process_time()
    counts = list(counted(pages))
    done = time.process_time()
    figures(Pool(counts))
    return {"counting": done - started, "computing": time.process_time() - done, "peak": peak()}


def counted(pages: int) -> Iterator[PageTables]:
    """Yield the counts of pages with random spans."""
    random = np.random.default_rng(1)
    words = [" ".join(random.choice(WORDS, 10)) for _ in range(BLOCKS)]
    text = "\n\n".join(words)
    edges = np.cumsum([0, *(len(block) + 2 for block in words)]).tolist()
    blocks = [(start, end - 2) for start, end in pairwise(edges)]
    for _ in range(pages):
        truth = random.choice(["", *LABELS], BLOCKS, p=[0.6, 0.05, 0.2, 0.05, 0.05, 0.05])
        marked = {name: _spans(truth, blocks, random) for name in ("ada", "ben")}
        yield count_page(marked, ContentUnits.of_text(text, blocks))


def _spans(truth: np.ndarray, blocks: list[tuple[int, int]], random: np.random.Generator) -> list[Span]:
    mistakes = random.random(BLOCKS) < 0.05
    others = random.choice(["", *LABELS], BLOCKS)
    labels = np.where(mistakes, others, truth).tolist()
    return [Span(start, end, label) for (start, end), label in zip(blocks, labels, strict=True) if label]


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
