"""One run: an architecture, pages and a seed become a model and its figures, in a folder of its own."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from extraction.documents.document import PARSER_VERSION
from extraction.extractors.learned.tensors import Tensors
from extraction.extractors.registry import get
from extraction.learning.evaluation import BlockFigures, block_figures
from extraction.learning.samples import PageSplit, Sample
from extraction.learning.training import Architecture, Control, LearningError, Settings, learn, write
from extraction.spans import Interval

MODEL = "model.safetensors"
#: What comes with a model about the pages behind it.
LICENCE_NOTE = (
    "Learned from web pages of others. It holds numbers, and where its architecture reads words the most "
    "frequent of them, but no text of the pages."
)


class Trained(NamedTuple):
    """A model, and how it does on the test pages; those that it has seen are counted apart."""

    model: Tensors
    unseen: BlockFigures
    seen: BlockFigures


def run(
    architecture: Architecture,
    split: PageSplit,
    *,
    settings: Settings,
    folder: Path,
    control: Control | None = None,
) -> Trained:
    """Learn from the first part of the split, choose by the second, report on the third.

    The folder keeps the checkpoints and the model; a run that was ended goes on from there. Raises
    `LearningError` where a part has no page, and `Stopped` when `control` says so.
    """
    if not split.train or not split.validate:
        raise LearningError("there has to be at least one page to learn from and one to validate by")
    folder.mkdir(parents=True, exist_ok=True)
    train, validate = _examples(architecture, split.train), _examples(architecture, split.validate)
    fingerprint = _fingerprint(architecture, (train.pages, validate.pages), settings)
    learned = {
        learner.name: learn(
            learner, folder=folder, fingerprint=fingerprint, settings=settings, control=control or Control()
        )
        for learner in architecture.learners(train.examples, validate.examples, settings)
    }
    bare = architecture.tensors(learned)
    model = Tensors(bare.arrays, bare.about | _about(architecture, (*train.pages, *validate.pages), settings))
    write(folder / MODEL, model.to_bytes())
    return Trained(model, *figures(architecture, model, split.test))


def figures(
    architecture: Architecture, model: Tensors, pages: Iterable[Sample]
) -> tuple[BlockFigures, BlockFigures]:
    """How a model labels the blocks of pages: of those that it was not learned from, and of the others."""
    predict = architecture.predictor(model)
    known = set(model.about["learned_from"].split())
    unseen: list[Any] = []
    seen: list[Any] = []
    for sample in pages:
        example = architecture.example(sample)
        (seen if sample.sha256 in known else unseen).append((example.labels, predict(example)))
    return block_figures(unseen), block_figures(seen)


class LearnedPage(NamedTuple):
    """A page that was learned from, by its digest, and its gold."""

    sha256: str
    content: list[Interval]


class _Examples(NamedTuple):
    examples: list[Any]
    pages: list[LearnedPage]


def _examples(architecture: Architecture, samples: Iterable[Sample]) -> _Examples:
    found = _Examples([], [])
    for sample in samples:
        found.examples.append(architecture.example(sample))
        found.pages.append(LearnedPage(sample.sha256, sample.content))
    return found


def _about(architecture: Architecture, pages: Iterable[LearnedPage], settings: Settings) -> dict[str, str]:
    return {
        "architecture": architecture.name,
        "architecture_version": get(architecture.name).version,
        "seed": str(settings.seed),
        "settings": json.dumps(asdict(settings), sort_keys=True),
        "parser": PARSER_VERSION,
        "learned_from": " ".join(sorted({page.sha256 for page in pages})),
        "licence": LICENCE_NOTE,
    }


def _fingerprint(architecture: Architecture, parts: Sequence[list[LearnedPage]], settings: Settings) -> str:
    """What a checkpoint depends on: the pages in their order, their gold, and the settings."""
    text = json.dumps([architecture.name, PARSER_VERSION, asdict(settings), parts], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
