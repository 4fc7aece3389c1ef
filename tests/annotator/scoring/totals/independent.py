"""The figures of leaderboards computed once more, page by page, by other code than the product's.

Only the names of rows and columns are shared with it. Averages are of Python's own fractions and floats.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher
from itertools import chain
from typing import NamedTuple

import numpy as np

from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.releases.models import ReleasePage
from annotator.scoring.models import Score

# Label sets of the glossary, and single labels.
MEMBERS = {
    "main": {"headline", "body"},
    "article": {"headline", "body", "supplemental"},
    "any": {"headline", "body", "supplemental", "comments", "related"},
    "body": {"body"},
    **{f"label:{label}": {label} for label in ("headline", "supplemental", "comments", "related")},
}
BY_PAGE = {"words", "cleaneval", "rouge"}


class OnPage(NamedTuple):
    """What one extractor did on one page: amounts, and shares, None where the metric leaves the page out."""

    true: float
    predicted: float
    gold: float
    precision: float | None
    recall: float | None


class Figures(NamedTuple):
    """The figures of one row of a board."""

    n: int
    failures: int
    precision: float
    recall: float
    f1_of_means: float
    f1_page_mean: float
    micro_precision: float
    micro_recall: float
    micro_f1: float


class Cell(NamedTuple):
    """One extractor on one page, with all that decides where it counts."""

    page: int
    extractor: int
    blind: bool
    tuned_on: bool
    failed: bool
    figures: dict[tuple[str, str], OnPage]
    slices: list[tuple[str, str]]


PageFigures = Callable[[Score, set[str], str], dict[str, OnPage]]


# ---- pages ----


def tells(gold: Gold, members: set[str]) -> bool:
    known = set(gold.distinguishable_labels)
    return members <= known or "+".join(sorted(members)) in known


def cells(corpus: Corpus, figures_of: PageFigures) -> list[Cell]:
    """All that counts now. `figures_of` gives the figures of a score on a label set by metric."""
    found = []
    golds = Gold.objects.filter(page__corpus=corpus, current=True, verdict__in=["article", "several"])
    for gold in golds.select_related("page", "document"):
        slices = slices_of(gold)
        scores = Score.objects.filter(gold=gold, finished_at__isnull=False, error="")
        for score in scores.select_related("extraction__extractor", "measurement"):
            figures = {
                (metric, name): on_page
                for name, members in MEMBERS.items()
                if tells(gold, members)
                for metric, on_page in figures_of(score, members, name).items()
                if metric == "character" or not name.startswith("label:")
            }
            found.append(
                Cell(
                    gold.page_id, score.extraction.extractor_id, score.blind, score.tuned_on,
                    bool(score.extraction.error), figures, slices,
                )
            )  # fmt: skip
    return found


def slices_of(gold: Gold) -> list[tuple[str, str]]:
    page = gold.page
    first = min(page.gold.values_list("finalised_at", flat=True))
    versions = [
        annotation.guideline_version
        for round_ in page.rounds.filter(purpose__in=["main", "guideline"])
        if round_.finalised_at and round_.finalised_at <= gold.finalised_at
        for slot in round_.slots.all()
        for annotation in slot.annotations.exclude(submitted_at=None)
    ]
    released = ReleasePage.objects.filter(gold=gold).exclude(release__sha256="")
    return [
        ("", ""),
        ("language", page.language),
        ("site", page.site),
        ("month", f"{page.captured_at or page.added_at:%Y-%m}"),
        ("verdict", gold.verdict),
        ("guideline", str(max(versions)) if versions else ""),
        ("day", f"{first:%Y-%m-%d}"),
        *(("release", str(number)) for number in released.values_list("release__number", flat=True)),
    ]


# ---- averages ----


def board(
    every: Iterable[Cell], *, metric: str, labels: str, of: tuple[str, str], blind: bool, common: bool
) -> dict[int, Figures]:
    """The figures of each extractor with a page that counts."""
    pages = pages_that_count(every, metric=metric, labels=labels, of=of, blind=blind, common=common)
    return {extractor: averaged(some) for extractor, some in pages.items()}


def pages_that_count(
    every: Iterable[Cell], *, metric: str, labels: str, of: tuple[str, str], blind: bool, common: bool
) -> dict[int, list[tuple[OnPage, bool]]]:
    """What each extractor did on its pages, in their order, and whether it failed there."""
    every = [cell for cell in every if of in cell.slices]
    for_all = {cell.page for cell in every} - {
        cell.page for cell in every if cell.tuned_on or (blind and not cell.blind)
    }
    pages: dict[int, list[tuple[OnPage, bool]]] = defaultdict(list)
    for cell in sorted(every, key=lambda cell: cell.page):
        counts = not cell.tuned_on and (cell.blind or not blind) and (not common or cell.page in for_all)
        if counts and (metric, labels) in cell.figures:
            pages[cell.extractor].append((cell.figures[metric, labels], cell.failed))
    return pages


def averaged(pages: list[tuple[OnPage, bool]]) -> Figures:
    rows = [row for row, _failed in pages]
    precision = mean([row.precision for row in rows if row.precision is not None])
    recall = mean([row.recall for row in rows if row.recall is not None])
    true, predicted, gold = (sum(row[index] for row in rows) for index in range(3))
    pooled = true / predicted if predicted else 0.0, true / gold if gold else 0.0
    return Figures(
        len(rows), sum(failed for _row, failed in pages), precision, recall, harmonic(precision, recall),
        mean([f1(row) for row in rows]), *pooled, harmonic(*pooled),
    )  # fmt: skip


def f1(row: OnPage) -> float:
    if row.precision is None and row.recall is None:
        return 1.0
    return harmonic(row.precision or 0.0, row.recall or 0.0)


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b else 0.0


def interval(rows: list[OnPage], metric: str, *, pooled: bool) -> tuple[float, float] | None:
    """The middle 95 % of a thousand resamples of the pages, drawn from the documented seed."""
    n = len(rows)
    if n < 30:
        return None
    random = np.random.default_rng(20101)
    values = []
    for _ in range(1000):
        drawn = [rows[index] for index in random.integers(0, n, n)]
        figures = averaged([(row, False) for row in drawn])
        f1_of_macro = figures.f1_page_mean if metric in BY_PAGE else figures.f1_of_means
        values.append(figures.micro_f1 if pooled else f1_of_macro)
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


# ---- figures of a page, from what is stored ----


def stored_figures(score: Score, members: set[str], name: str) -> dict[str, OnPage]:
    """From the matrix and the measurement of the score."""
    failed = bool(score.extraction.error)
    wanted = members | {"content"}
    rows = list(chain.from_iterable(
        [(gold, predicted, n) for predicted, n in cells.items()] for gold, cells in score.matrix.items()
    ))  # fmt: skip
    gold = sum(n for g, _p, n in rows if g in wanted)
    predicted = sum(n for _g, p, n in rows if p in wanted)
    true = sum(n for g, p, n in rows if g in wanted and p in wanted)
    found = {"character": shares(true, predicted, gold, failed=failed)}
    measurement = getattr(score, "measurement", None)
    for metric, sets in (measurement.figures if measurement else {}).items():
        if name in sets:
            t, p, g, *given = sets[name]
            found[metric] = OnPage(t, p, g, *(given or (t / p, t / g)))
    return found


def shares(true: float, predicted: float, gold: float, *, failed: bool = False) -> OnPage:
    """By the rule for empty texts in docs/metrics.md."""
    if failed:
        return OnPage(0, 0, gold, 0.0, 0.0)
    precision = true / predicted if predicted else float(not gold)
    return OnPage(true, predicted, gold, precision, true / gold if gold else 1.0)


# ---- figures of a page, from its text ----


def measured_figures(score: Score, members: set[str], name: str) -> dict[str, OnPage]:
    """By characters, words, shingles and CleanEval's alignment, from the text and the spans alone."""
    text, failed = score.gold.document.text, bool(score.extraction.error)
    wanted = members | {"content"}
    gold = {at for start, end, label, *_ in score.gold.spans if label in wanted for at in range(start, end)}
    spans = [] if failed else score.extraction.spans
    found = {at for start, end, label in spans if label in wanted for at in range(start, end)}
    visible = {at for at, char in enumerate(text) if not char.isspace()}
    blocks = score.gold.document.blocks
    marked, extracted = text_of(text, blocks, gold), text_of(text, blocks, found)
    return {
        "character": shares(
            len(gold & found & visible), len(found & visible), len(gold & visible), failed=failed
        ),
        **{metric: compare(marked, extracted, failed) for metric, compare in BY_TEXT.items()},
    }


def text_of(text: str, blocks: list[list[int]], marked: set[int]) -> str:
    """The marked runs of each block, joined by a space; blocks by a blank line."""
    found = []
    for start, end in blocks:
        runs = "".join(text[at] if at in marked else "\0" for at in range(start, end)).split("\0")
        pieces = [run.strip() for run in runs if run.strip()]
        if pieces:
            found.append(" ".join(pieces))
    return "\n\n".join(found)


def _words(gold: str, predicted: str, failed: bool) -> OnPage:
    a, b = re.findall(r"\w+", gold.lower()), re.findall(r"\w+", predicted.lower())
    if failed or not a or not b:
        right = float(not failed and not a and not b)
        return OnPage(0, 0 if failed else len(b), len(a), right, right)
    both = sum(min(n, b.count(word)) for word, n in Counter(a).items())
    return OnPage(both, len(b), len(a), both / len(b), both / len(a))


def _shingles(gold: str, predicted: str, failed: bool) -> OnPage:
    a, b = (_runs_of_four(re.findall(r"\w+", text)) for text in (gold, predicted))
    both = sum(min(n, b[run]) for run, n in a.items())
    either = sum(max(a[run], b[run]) for run in {*a, *b}) or 1
    n_a, n_b = sum(a.values()), sum(b.values())
    if failed:
        return OnPage(0, 0, n_a / either, 0.0, 0.0)
    return OnPage(
        both / either, n_b / either, n_a / either, both / n_b if n_b else None, both / n_a if n_a else None
    )


def _runs_of_four(words: list[str]) -> Counter[tuple[str, ...]]:
    runs = zip(words, words[1:], words[2:], words[3:], strict=False)
    return Counter(runs) if len(words) > 3 else Counter([tuple(words)] if words else [])


def _cleaneval(gold: str, predicted: str, failed: bool) -> OnPage:
    a, b = (_tokens(text) for text in (gold, predicted))
    if failed:
        return OnPage(0, 0, len(a), 0.0, 0.0)
    blocks = SequenceMatcher(None, b, a).get_matching_blocks()
    both = sum(block.size for block in blocks)
    return OnPage(both, len(b), len(a), both / len(b), both / len(a))


def _tokens(text: str) -> list[str]:
    lines = [line for line in text.split("\n") if not line.lstrip(" \t").startswith("URL")]
    plain = re.sub(r"[\x00-\x1f]", " ", "\n".join(lines))
    return re.split(r"\s+", re.sub(r"(<[phlPHL]>)", r" \1 ", plain))


BY_TEXT = {"words": _words, "shingle": _shingles, "cleaneval": _cleaneval}
