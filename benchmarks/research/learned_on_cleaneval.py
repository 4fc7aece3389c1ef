"""The systems of the papers, learned as the papers did: from CleanEval's first pages, tested on all others.

`dev` then `final`, in the order of their numbers; pages without gold are left out; 55 pages to learn from,
5 to validate by. Run `python -m benchmarks.research.learned_on_cleaneval ARCHITECTURE... --seeds N --to
FOLDER`; a run that was ended goes on. Printed are blocks of all test pages together, as each paper counts,
means and spread over the seeds, and CPU time of one.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from benchmarks.published_corpora import CORPORA
from extraction.formats import READERS
from extraction.learning.architectures import NAMES, architecture
from extraction.learning.evaluation import BlockFigures
from extraction.learning.runs import run
from extraction.learning.samples import Sample, samples, split_in_order
from extraction.learning.training import Settings
from extraction.spans import LABEL_SETS

TRAIN, VALIDATE = 55, 5
SEEDS = 5


class SeedRun(NamedTuple):
    """One seed: figures of the test pages, CPU seconds and size of the model in bytes."""

    figures: BlockFigures
    seconds: float
    size: int


def pages() -> list[Sample]:
    """CleanEval's pages with gold in the order of the papers."""
    return list(_pages())


def _pages() -> Iterator[Sample]:
    for folder in ("dev", "final"):
        records = READERS["cleaneval"].read(CORPORA / "cleaneval" / folder)
        yield from samples(tqdm(records, desc=folder, unit=" pages", disable=None), LABEL_SETS["main"])


def runs(name: str, found: list[Sample], seeds: int, folder: Path) -> Iterator[SeedRun]:
    """One run for each seed from 1 on."""
    split = split_in_order(found, TRAIN, VALIDATE)
    for seed in range(1, seeds + 1):
        started = time.process_time()
        trained = run(
            architecture(name), split, settings=Settings(seed=seed), folder=folder / f"{name}-{seed}"
        )
        done = SeedRun(trained.unseen, time.process_time() - started, len(trained.model.to_bytes()))
        print(f"{name}, seed {seed}: {done}", file=sys.stderr, flush=True)
        yield done


def table_row(name: str, found: Sequence[SeedRun]) -> str:
    """Mean and spread (smallest to largest) of F1 of both classes, precision and recall of content."""
    columns = [
        [one.figures.positive.precision for one in found],
        [one.figures.positive.recall for one in found],
        [one.figures.positive.f1 for one in found],
        [one.figures.negative.f1 for one in found],
    ]
    cells = [f"{statistics.mean(values):.3f} ({min(values):.3f}-{max(values):.3f})" for values in columns]
    seconds = statistics.mean(one.seconds for one in found)
    pages, blocks = found[0].figures.pages, found[0].figures.blocks
    size = f"{max(one.size for one in found) / 1e6:.2f} MB"
    return f"| `{name}` | {' | '.join(cells)} | {pages} | {blocks} | {seconds:.0f} s | {size} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the architectures and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.research.learned_on_cleaneval")
    parser.add_argument("architectures", nargs="*", default=NAMES, metavar="ARCHITECTURE")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--to", type=Path, required=True, help="where models and checkpoints go")
    options = parser.parse_args(arguments)
    found = pages()
    print("| system | P | R | F1 | F1 of boilerplate | pages | blocks | CPU | model |", flush=True)
    print("| --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: |", flush=True)
    for name in options.architectures:
        print(table_row(name, list(runs(name, found, options.seeds, options.to))), flush=True)


if __name__ == "__main__":
    main()
