"""Extractors with a model of one's own: an architecture, and a file that `extraction.learning` wrote."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from extraction.documents.document import Document
from extraction.extractors import boilernet, crf, goldpan, mss_supervised, web2text
from extraction.extractors.boilernet.network import BoilerNet
from extraction.extractors.crf.model import Crf
from extraction.extractors.learned.tensors import Tensors, TensorsError
from extraction.extractors.learned.trees import Trees
from extraction.extractors.mss_supervised.bayes import NaiveBayes
from extraction.extractors.registry import get
from extraction.extractors.spec import BlockReason, ExtractorError, ExtractorSpec
from extraction.extractors.web2text.network import Web2Text
from extraction.spans import Span

SUFFIX = ".safetensors"


class _Program(NamedTuple):
    """How an architecture reads a model, and what it does with it."""

    read: Callable[[Tensors], Any]
    spans_by: Callable[[Document, Any], list[Span]]
    explain_by: Callable[[Document, Any], list[BlockReason]] | None = None


_PROGRAMS = {
    "boilernet": _Program(BoilerNet.of, boilernet.spans_by),
    "crf": _Program(Crf.of, crf.spans_by),
    "goldpan": _Program(Trees.of, goldpan.spans_by, goldpan.explain_by),
    "mss-supervised": _Program(NaiveBayes.of, mss_supervised.spans_by),
    "web2text": _Program(Web2Text.of, web2text.spans_by),
}


def find(name: str) -> ExtractorSpec:
    """The extractor of that name, or of the model's file with that path.

    For names from the terminal: those that came over the network must not name our files. Raises OSError, and
    `ExtractorError` for what is neither, and for a model of another version of its architecture.
    """
    return _of_file(name) if name.endswith(SUFFIX) else get(name)


@cache
def _of_file(path: str) -> ExtractorSpec:
    data = Path(path).read_bytes()
    try:
        about = Tensors.from_bytes(data).about
        architecture = about.get("architecture", "")
        if architecture not in _PROGRAMS:
            raise TensorsError("no model that Goldpan has trained")
        spec = trained_extractor(architecture, data)
    except TensorsError as error:
        raise ExtractorError(f"{path}: {error}") from error
    trained_for = about.get("architecture_version", spec.version)
    if trained_for != spec.version:
        raise ExtractorError(
            f"{path}: a model of {architecture} {trained_for}; this is {architecture} {spec.version}: "
            "train it again, or use it with the Goldpan that trained it"
        )
    return replace(spec, name=path)


def trained_extractor(architecture: str, data: bytes) -> ExtractorSpec:
    """The extractor of an architecture with the model in a file; it is not registered.

    Raises `TensorsError` for a file that is none, and for one of another architecture.
    """
    tensors = Tensors.from_bytes(data)
    if tensors.about.get("architecture") != architecture:
        raise TensorsError(f"a model of {tensors.about.get('architecture')!r}, not of {architecture!r}")
    program, base = _PROGRAMS[architecture], get(architecture)
    model = program.read(tensors)
    explain = program.explain_by
    return ExtractorSpec(
        name=architecture,
        own_version=base.version,
        family=base.family,
        function=lambda document: program.spans_by(document, model),
        tuned_on=seen_by(architecture, tensors),
        can_be_arm=False,
        explain=None if explain is None else lambda document: explain(document, model),
    )


def seen_by(architecture: str, tensors: Tensors) -> frozenset[str]:
    """The digests of the pages behind a model: those that it was learned from or chosen by.

    One of `goldpan` stands on the trees for comments that come with it, and so on their pages too.
    """
    pages = frozenset(tensors.about["learned_from"].split())
    return pages | get(architecture).tuned_on if architecture == "goldpan" else pages
