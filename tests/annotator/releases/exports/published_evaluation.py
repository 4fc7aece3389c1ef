"""The evaluation of the article extraction benchmark, written from its description, for folders like its own.

Runs of four words as a multiset; true and false positives and false negatives as shares of a page; precision
is the mean over pages with an output, recall that over pages with gold, F1 their harmonic mean. It shares no
code with `extraction.metrics`.
"""

import json
import re
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import NamedTuple


class Figures(NamedTuple):
    """Of one system on all pages."""

    f1: float
    precision: float
    recall: float


def evaluate(folder: Path) -> dict[str, Figures]:
    """Judge each of `output/SYSTEM.json` against `ground-truth.json`."""
    truth = _texts(folder / "ground-truth.json")
    return {file.stem: _judge(truth, _texts(file)) for file in sorted((folder / "output").glob("*.json"))}


def _texts(file: Path) -> dict[str, str]:
    said = json.loads(file.read_text(encoding="utf-8"))
    return {page: entry["articleBody"] or "" for page, entry in said.items()}


def _judge(truth: dict[str, str], said: dict[str, str]) -> Figures:
    assert truth.keys() == said.keys(), "as the benchmark demands"
    pages = [_amounts(_shingles(truth[page]), _shingles(said[page])) for page in truth]
    precision = fmean(tp / (tp + fp) for tp, fp, _ in pages if tp + fp)
    recall = fmean(tp / (tp + fn) for tp, _, fn in pages if tp + fn)
    return Figures(2 * precision * recall / (precision + recall), precision, recall)


def _amounts(true: Counter[str], found: Counter[str]) -> tuple[int, int, int]:
    """Common shingles, those found beside, those missed."""
    return (true & found).total(), (found - true).total(), (true - found).total()


def _shingles(text: str) -> Counter[str]:
    """All runs of four words; all words of a text of fewer; none of a text without."""
    words = re.findall(r"\w+", text)
    runs = [" ".join(words[at : at + 4]) for at in range(max(1, len(words) - 3))]
    return Counter(filter(None, runs))
