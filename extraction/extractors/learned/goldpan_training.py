"""Learn the models of the extractor `goldpan` from gold.

Run `python -m extraction.extractors.learned.goldpan_training --help` for the options.

Only pages whose id has an even SHA-256 are learned from, so that the others can be scored on. The digests of
those that were go into a file beside the models, so that no score counts a page that the extractor was
tuned on.

The model of readers' comments is learned first, from the corpora whose gold tells comments apart; without
one, it stays as it is. The model of the body is told what that one says of pages that it has not seen. The
second look is learned last, from what models of the body say of pages that they have not seen.
"""

import argparse
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from extraction.documents.document import Document
from extraction.extractors.goldpan.features import PageFeatures
from extraction.extractors.goldpan.labels import alternatives
from extraction.extractors.goldpan.measures import Flags, Numbers
from extraction.extractors.goldpan.model import COMMENTS_MODEL, MODEL, SECOND_LOOK, TUNED_ON, comments_model
from extraction.extractors.goldpan.second_look import NAMES, choice_features
from extraction.extractors.learned.trees import Training, Trees, grow
from extraction.formats import READERS, GoldError, PageRecord, place
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse
from extraction.spans import Interval, Span

# A page whose gold is mostly somewhere else, or hardly there, teaches nothing.
MIN_PLACED, MIN_CHARACTERS = 0.8, 200
COMMENTS = "comments"
# Long blocks count more, but a long one less than its parts would.
LENGTH_POWER = 0.6
# Comments are told apart by fewer trees; each third of their pages is looked at by a model of the others.
COMMENT_TREES, FOLDS = 100, 3
# Which of a few hundred pages comes out how is chance with a single model, so the body is told by the mean of
# several. They share the trees, which so take larger steps, and each tree sees fewer of the blocks.
BODY_MODELS, BODY_RATE, BODY_ROWS = 4, 0.3, 0.5
# Of the second look: few pages, so shallow trees and small steps.
SECOND_LOOK_TREES, SECOND_LOOK_DEPTH, SECOND_LOOK_RATE = 100, 4, 0.05


class LabelledPage(NamedTuple):
    """One page: which of its blocks are body, which comments if its gold tells that, how much each counts."""

    page: PageFeatures
    is_body: Flags
    is_comment: Flags | None
    weights: NDArray[np.float32]
    sha256: str


def is_even(location: str) -> bool:
    """Whether a page may be learned from: the SHA-256 of its id, its location without folders, is even."""
    return hashlib.sha256(location.rpartition("/")[2].encode()).digest()[-1] % 2 == 0


def examples(records: Iterable[object]) -> Iterator[LabelledPage]:
    """What can be learned from the even pages that have gold."""
    for record in records:
        if isinstance(record, PageRecord) and record.gold and is_even(record.location):
            try:
                document = parse(record.raw, record.charset)
                placed = place(record.gold, document)
            except (ParseError, GoldError):
                continue
            if document.blocks and placed.total > MIN_CHARACTERS and placed.share_placed >= MIN_PLACED:
                yield _example(document, placed.spans, record)


def _example(document: Document, gold: Sequence[Span], record: PageRecord) -> LabelledPage:
    page = PageFeatures.of(document)
    comments = [(start, end) for start, end, label in gold if label == COMMENTS]
    body = [(start, end) for start, end, label in gold if label != COMMENTS]
    told = record.gold is not None and COMMENTS in record.gold.labels
    return LabelledPage(
        page=page,
        is_body=mostly_inside(document, body),
        is_comment=mostly_inside(document, comments) if told else None,
        weights=length_weights(page),
        sha256=record.sha256,
    )


def length_weights(page: PageFeatures) -> Numbers:
    """How much each block counts; together 1."""
    weights = page.measures.characters**LENGTH_POWER
    return np.asarray(weights / weights.sum(), dtype=np.float32)


def mostly_inside(document: Document, intervals: Iterable[Interval]) -> Flags:
    """Which blocks lie for more than a half inside the intervals."""
    covered = np.zeros(len(document.text) + 1)
    for start, end in intervals:
        covered[start:end] = 1
    sums = np.concatenate(([0], np.cumsum(covered)))
    return np.array([(sums[end] - sums[start]) * 2 > end - start for start, end in document.blocks])


Taught = Sequence[tuple[LabelledPage, float]]


def learn_comments(taught: Taught, training: Training) -> tuple[Trees | None, list[Numbers]]:
    """A model of comments, or None where no gold tells them, and for each example what a model says that did
    not see it."""
    telling = [(example, weight) for example, weight in taught if example.is_comment is not None]
    training = replace(training, trees=min(training.trees, COMMENT_TREES))
    if not any(example.is_comment.any() for example, _ in telling if example.is_comment is not None):
        return None, [comments_model().predict(example.page.features) for example, _ in taught]
    model = _learn_comments(telling, training)
    others = [
        _learn_comments(
            [(example, weight) for example, weight in telling if _fold(example) != fold], training
        )
        for fold in range(FOLDS)
    ]
    return model, [
        (model if example.is_comment is None else others[_fold(example)]).predict(example.page.features)
        for example, _ in taught
    ]


def _fold(example: LabelledPage) -> int:
    return int(example.sha256, 16) % FOLDS


def _learn_comments(telling: Taught, training: Training) -> Trees:
    return grow(
        np.concatenate([example.page.features for example, _ in telling], axis=1),
        np.concatenate([example.is_comment for example, _ in telling if example.is_comment is not None]),
        np.concatenate([example.weights * np.float32(weight) for example, weight in telling]),
        PageFeatures.feature_names(),
        training,
        lambda numbers: tqdm(numbers, desc="trees of comments", disable=None),
    )


def learn_body(taught: Taught, comments: Sequence[Numbers], training: Training) -> Trees:
    """A model of the body from pages, how much each counts, and how likely their blocks are comments."""
    pages = [example.page.knowing(known) for (example, _), known in zip(taught, comments, strict=True)]
    weights = []
    for example, weight in taught:
        weights.append(example.weights * np.float32(weight))
        weights[-1][example.page.headings] = 0  # corpora differ on headlines, which are found by rule
    used = np.concatenate(weights) > 0
    rows = np.ascontiguousarray(np.concatenate([page.body_features for page in pages], axis=1)[:, used])
    target = np.concatenate([example.is_body for example, _ in taught])[used]
    training = replace(training, trees=training.trees // BODY_MODELS, rate=BODY_RATE, rows_share=BODY_ROWS)
    return Trees.mean(
        [
            grow(
                rows,
                target,
                np.concatenate(weights)[used],
                PageFeatures.body_feature_names(),
                replace(training, seed=training.seed + number),
                lambda numbers: tqdm(numbers, desc="trees", disable=None),
            )
            for number in range(BODY_MODELS)
        ]
    )


def learn_second_look(taught: Taught, comments: Sequence[Numbers], training: Training) -> Trees | None:
    """A model of when another body than the balanced one is better; None where no page tells.

    Each third of the pages is looked at by a model of the body that has not seen it. A choice counts as much
    as it changes F1 of the body, in characters.
    """
    rows, gains, weights = [], [], []
    for fold in range(FOLDS):
        inside = [_fold(example) == fold for example, _ in taught]
        others = [
            (example, known)
            for example, known, held_out in zip(taught, comments, inside, strict=True)
            if not held_out
        ]
        if not others or not any(inside):
            continue
        body = learn_body([example for example, _ in others], [known for _, known in others], training)
        for (example, weight), known, held_out in zip(taught, comments, inside, strict=True):
            if not held_out:
                continue
            page = example.page.knowing(known)
            probability, balanced, choices = alternatives(page, body.predict(page.body_features))
            if choices:
                rows.append(choice_features(page, probability, balanced, [one ^ balanced for one in choices]))
                before = _f1(page, balanced, example.is_body)
                gains += [_f1(page, one, example.is_body) - before for one in choices]
                weights += [weight] * len(choices)
    gain = np.array(gains)
    used = gain != 0
    if not (gain > 0).any() or not (gain < 0).any():
        return None
    return grow(
        np.ascontiguousarray(np.concatenate(rows, axis=1)[:, used]),
        (gain > 0)[used],
        (np.abs(gain) * weights).astype(np.float32)[used],
        NAMES,
        replace(
            training,
            trees=min(training.trees, SECOND_LOOK_TREES),
            depth=min(training.depth, SECOND_LOOK_DEPTH),
            rate=SECOND_LOOK_RATE,
        ),
    )


def _f1(page: PageFeatures, body: Flags, is_body: Flags) -> float:
    characters = page.measures.characters.copy()
    characters[page.headings] = 0
    both = characters[body].sum() + characters[is_body].sum()
    return 2 * float(characters[body & is_body].sum()) / max(1.0, float(both))


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn from corpora, and write the models and the digests of their pages."""
    parser = argparse.ArgumentParser(
        prog="python -m extraction.extractors.learned.goldpan_training", description=__doc__
    )
    parser.add_argument(
        "corpora",
        nargs="+",
        metavar="FORMAT:PATH[:WEIGHT]",
        help=f"a corpus with gold, and how much one of its pages counts; formats: {', '.join(READERS)}",
    )
    parser.add_argument(
        "--to",
        type=Path,
        default=MODEL.parent,
        metavar="FOLDER",
        help="where the models and the digests go; where the extractor reads them if left out",
    )
    options = parser.parse_args(arguments)
    taught: list[tuple[LabelledPage, float]] = []
    for corpus in options.corpora:
        format_, path, *weight = corpus.split(":")
        if format_ not in READERS:
            parser.error(f"{corpus}: no format is called {format_!r}; known: {', '.join(READERS)}")
        pages = tqdm(READERS[format_].read(Path(path)), desc=path, unit=" pages", disable=None)
        taught += [(example, float(weight[0]) if weight else 1.0) for example in examples(pages)]
    if not taught:
        parser.error("no page of these corpora can be learned from")
    options.to.mkdir(parents=True, exist_ok=True)
    learned, comments = learn_comments(taught, Training())
    if learned:
        (options.to / COMMENTS_MODEL.name).write_text(learned.to_json(), encoding="utf-8")
    body = learn_body(taught, comments, Training())
    (options.to / MODEL.name).write_text(body.to_json(), encoding="utf-8")
    looks = learn_second_look(taught, comments, Training())
    if looks:
        (options.to / SECOND_LOOK.name).write_text(looks.to_json(), encoding="utf-8")
    digests = sorted({example.sha256 for example, _ in taught})
    (options.to / TUNED_ON.name).write_text("\n".join(digests) + "\n", encoding="ascii")
    print(f"learned from {len(taught)} pages: {options.to}")


if __name__ == "__main__":
    main()
