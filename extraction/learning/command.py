"""`python -m extraction train`: learn a model from corpora, and print how it does on unseen pages."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from extraction.formats import READERS
from extraction.learning.architectures import NAMES, architecture
from extraction.learning.runs import MODEL, run
from extraction.learning.samples import PageSplit, Sample, samples, split_by_site, split_in_order
from extraction.learning.training import Control, LearningError, Progress, Settings
from extraction.spans import LABEL_SETS, label_set


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What the command can be told."""
    command.add_argument("architecture", choices=NAMES, metavar="ARCHITECTURE", help=", ".join(NAMES))
    command.add_argument(
        "--pages",
        nargs="+",
        required=True,
        metavar="FORMAT:PATH",
        help=f"corpora with gold, in this order; formats: {', '.join(READERS)}",
    )
    command.add_argument(
        "--to",
        type=Path,
        required=True,
        metavar="FOLDER",
        help=f"where {MODEL} and the checkpoints go; a run that was ended goes on from them",
    )
    command.add_argument(
        "--labels",
        choices=LABEL_SETS,
        default="main",
        metavar="SET",
        help=f"what is content: {', '.join(LABEL_SETS)}; %(default)s if left out",
    )
    command.add_argument(
        "--in-order",
        nargs=2,
        type=int,
        metavar=("TRAIN", "VALIDATE"),
        help="learn from the first pages and validate by the next; if left out, a fifth of the sites is for "
        "testing and a tenth to validate by",
    )
    command.add_argument("--seed", type=int, default=1, help="%(default)s if left out")
    command.add_argument("--rounds", type=int, metavar="N", help="at most; those of the paper if left out")
    command.add_argument("--patience", type=int, metavar="N", help="stop after N rounds without a better one")
    command.add_argument(
        "--class-weights",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether content and boilerplate count the same; as in the paper if left out",
    )
    command.add_argument(
        "--device", default="cpu", help="cuda for a GPU, whose results vary a little; %(default)s if left out"
    )
    command.add_argument("--json", action="store_true", help="as JSON in place of a text")


def train(options: argparse.Namespace) -> None:
    """Learn a model and print its figures; raises `LearningError` for what cannot be learned from."""
    chosen = architecture(options.architecture)
    pages = list(_pages(options.pages, label_set(options.labels)))
    split = split_in_order(pages, *options.in_order) if options.in_order else split_by_site(pages)
    settings = Settings(options.seed, options.rounds, options.patience, options.class_weights, options.device)
    with tqdm(unit=" rounds", disable=None) as progress:
        trained = run(
            chosen,
            split,
            settings=settings,
            folder=options.to,
            control=Control(on_progress=lambda heard: _show(progress, heard)),
        )
    found = {
        "model": str(options.to / MODEL),
        "digest": trained.model.digest,
        "pages": {"train": len(split.train), "validate": len(split.validate), "test": len(split.test)},
        "unseen": trained.unseen.to_json(),
        "seen": trained.seen.to_json(),
    }
    print(json.dumps(found, indent=2) if options.json else _text(found, split))


def _pages(corpora: Sequence[str], labels: frozenset[str]) -> Iterator[Sample]:
    for corpus in corpora:
        name, _, path = corpus.partition(":")
        if name not in READERS or not path:
            raise LearningError(f"{corpus}: write FORMAT:PATH; formats: {', '.join(READERS)}")
        records = tqdm(READERS[name].read(Path(path)), desc=path, unit=" pages", disable=None)
        yield from samples(records, labels)


def _show(progress: tqdm[Any], heard: Progress) -> None:
    progress.total = heard.rounds
    progress.n = heard.round
    progress.set_description(heard.part)
    progress.set_postfix(loss=f"{heard.loss:.4f}", score=f"{heard.score:.4f}")


def _text(found: dict[str, Any], split: PageSplit) -> str:
    lines = [
        f"learned from {len(split.train)} pages, chosen by {len(split.validate)}: {found['model']}",
        f"SHA-256 {found['digest']}",
    ]
    for part in ("unseen", "seen"):
        figures = found[part]
        if figures["pages"]:
            classes = ", ".join(
                f"{name} P {figures[name]['precision']:.3f} R {figures[name]['recall']:.3f} "
                f"F1 {figures[name]['f1']:.3f}"
                for name in ("positive", "negative")
            )
            lines.append(f"{part}: {figures['pages']} pages, {figures['blocks']} blocks: {classes}")
    return "\n".join(lines)
