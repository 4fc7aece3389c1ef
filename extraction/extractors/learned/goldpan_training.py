"""Learn the model of the extractor `goldpan` from gold.

Run `python -m extraction.extractors.learned.goldpan_training --help` for the options.

Only pages whose id has an even SHA-256 are learned from, so that the others can be scored on. The digests of
those that were go into a file beside the model, so that no score counts a page that the extractor was
tuned on.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from extraction.documents.document import Document
from extraction.extractors.goldpan.features import PageFeatures
from extraction.extractors.goldpan.model import MODEL, TUNED_ON
from extraction.extractors.learned.trees import Training, Trees, grow
from extraction.formats import READERS, GoldError, PageRecord, place
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse
from extraction.spans import Span

# A page whose gold is mostly somewhere else, or hardly there, teaches nothing.
MIN_PLACED, MIN_CHARACTERS = 0.8, 200
# Long blocks count more, but a long one less than its parts would.
LENGTH_POWER = 0.6


class Lesson(NamedTuple):
    """One page: the features of its blocks, whether each is body, and how much each counts."""

    features: NDArray[np.float32]
    is_body: NDArray[np.bool_]
    weights: NDArray[np.float32]
    sha256: str


def is_even(identity: str) -> bool:
    """Whether a page may be learned from: its SHA-256, as a number, is even."""
    return hashlib.sha256(identity.encode()).digest()[-1] % 2 == 0


def identity_of(record: PageRecord) -> str:
    """The id of a page in its corpus, without the folder that it lies in."""
    return record.location.rpartition("/")[2]


def lessons(records: Iterable[object]) -> Iterator[Lesson]:
    """What can be learned from the even pages that have gold."""
    for record in records:
        if isinstance(record, PageRecord) and record.gold and is_even(identity_of(record)):
            try:
                document = parse(record.raw, record.charset)
                placed = place(record.gold, document)
            except (ParseError, GoldError):
                continue
            share = 1 - placed.unplaced / max(1, placed.total)
            if document.blocks and placed.total > MIN_CHARACTERS and share >= MIN_PLACED:
                yield _lesson(document, placed.spans, record.sha256)


def _lesson(document: Document, gold: Sequence[Span], sha256: str) -> Lesson:
    page = PageFeatures.of(document)
    covered = np.zeros(len(document.text) + 1)
    for start, end, _ in gold:
        covered[start:end] = 1
    sums = np.concatenate(([0], np.cumsum(covered)))
    shares = np.array([(sums[end] - sums[start]) / (end - start) for start, end in document.blocks])
    weights = page.measures.characters**LENGTH_POWER
    weights = weights / weights.sum()
    weights[page.headings] = 0  # corpora differ on headlines, which are found by rule
    return Lesson(page.features, shares > 0.5, weights.astype(np.float32), sha256)


def learn(taught: Sequence[tuple[Lesson, float]], training: Training) -> Trees:
    """A model of pages and of how much each counts."""
    features = np.concatenate([lesson.features for lesson, _ in taught], axis=1)
    target = np.concatenate([lesson.is_body for lesson, _ in taught])
    weights = np.concatenate([lesson.weights * np.float32(weight) for lesson, weight in taught])
    used = weights > 0
    return grow(
        np.ascontiguousarray(features[:, used]),
        target[used],
        weights[used],
        PageFeatures.feature_names(),
        training,
        lambda numbers: tqdm(numbers, desc="trees", disable=None),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn from corpora, and write the model and the digests of its pages."""
    parser = argparse.ArgumentParser(
        prog="python -m extraction.extractors.learned.goldpan_training", description=__doc__
    )
    parser.add_argument(
        "corpora",
        nargs="+",
        metavar="FORMAT:PATH[:WEIGHT]",
        help=f"a corpus with gold, and how much one of its pages counts; formats: {', '.join(READERS)}",
    )
    parser.add_argument("--model", type=Path, default=MODEL, help="where the model goes")
    parser.add_argument("--tuned-on", type=Path, default=TUNED_ON, help="where the digests go")
    options = parser.parse_args(arguments)
    taught: list[tuple[Lesson, float]] = []
    for corpus in options.corpora:
        format_, path, *weight = corpus.split(":")
        if format_ not in READERS:
            parser.error(f"{corpus}: no format is called {format_!r}; known: {', '.join(READERS)}")
        pages = tqdm(READERS[format_].read(Path(path)), desc=path, unit=" pages", disable=None)
        taught += [(lesson, float(weight[0]) if weight else 1.0) for lesson in lessons(pages)]
    if not taught:
        parser.error("no page of these corpora can be learned from")
    model = learn(taught, Training())
    options.model.write_text(model.to_json(), encoding="utf-8")
    digests = sorted({lesson.sha256 for lesson, _ in taught})
    options.tuned_on.write_text("\n".join(digests) + "\n", encoding="ascii")
    print(f"learned from {len(taught)} pages: {options.model}, {options.tuned_on}")


if __name__ == "__main__":
    main()
