"""The figures of leaderboards computed once more, page by page, by other code than the product's.

Only the names of rows and columns are shared with it. Averages are of Python's own fractions and floats.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.pages.models import Page
from annotator.releases.models import ReleasePage
from annotator.runs.models import TunedOnPage
from annotator.scoring.models import Score
from tests.annotator.scoring.totals import independent_metrics as metrics
from tests.annotator.scoring.totals.independent_metrics import OnPage, shares

# Label sets of the glossary, and single labels.
MEMBERS = {
    "main": {"headline", "body"},
    "article": {"headline", "body", "supplemental"},
    "any": {"headline", "body", "supplemental", "comments", "related"},
    "body": {"body"},
    **{f"label:{label}": {label} for label in ("headline", "supplemental", "comments", "related")},
}
BY_PAGE = {"words", "cleaneval", "rouge"}

Slices = Collection[tuple[str, str]]
Numbers = NDArray[np.float64]


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
    seconds: float | None
    digest: str
    # When the page first became gold.
    since: datetime
    # Characters of imported gold, and those of them that could be placed.
    placed: tuple[int, int]
    figures: dict[tuple[str, str], OnPage]
    slices: list[tuple[str, str]]

    def is_in(self, slices: Slices) -> bool:
        """Whether it is in all of these; all are in none."""
        return set(slices) <= set(self.slices)


PageFigures = Callable[[Score, set[str], str], dict[str, OnPage]]


# ---- pages ----


def tells(gold: Gold, members: set[str]) -> bool:
    known = set(gold.distinguishable_labels)
    return members <= known or "+".join(sorted(members)) in known


def has_every_metric(name: str) -> bool:
    """One label is scored by characters alone."""
    return not name.startswith("label:")


def cells(corpus: Corpus, figures_of: PageFigures) -> list[Cell]:
    """All that counts now. `figures_of` gives the figures of a score on a label set by metric."""
    found = []
    learned = training_pages(corpus)
    golds = Gold.objects.filter(page__corpus=corpus, current=True, verdict__in=["article", "several"])
    for gold in golds.select_related("page", "document"):
        slices = slices_of(gold)
        since = min(gold.page.gold.values_list("finalised_at", flat=True))
        placed = (gold.characters, gold.placed or 0) if gold.characters else (0, 0)
        scores = Score.objects.filter(gold=gold, finished_at__isnull=False, error="")
        for score in scores.select_related("extraction__extractor", "measurement"):
            score.gold = gold
            figures = {
                (metric, name): on_page
                for name, members in MEMBERS.items()
                if tells(gold, members)
                for metric, on_page in figures_of(score, members, name).items()
                if metric == "character" or has_every_metric(name)
            }
            found.append(
                Cell(
                    gold.page_id, score.extraction.extractor_id, score.blind,
                    (score.extraction.extractor_id, gold.page_id) in learned,
                    bool(score.extraction.error), score.extraction.seconds, gold.page.sha256, since, placed,
                    figures, slices,
                )
            )  # fmt: skip
    return found


def training_pages(corpus: Corpus) -> set[tuple[int, int]]:
    """Extractor and page, where it was tuned on the page, on a near duplicate or on a page of its site."""
    pages = {page.sha256: page for page in Page.objects.filter(corpus=corpus)}
    learned = [(row.extractor_id, pages[row.sha256]) for row in TunedOnPage.objects.filter(sha256__in=pages)]
    return {
        (extractor, page.pk)
        for extractor, known in learned
        for page in pages.values()
        if page == known or page.site == known.site != "" or page.cluster_id == known.cluster_id is not None
    }


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
        ("capture", page.capture),
        ("verdict", gold.verdict),
        ("guideline", str(max(versions)) if versions else ""),
        ("day", f"{first:%Y-%m-%d}"),
        *(("release", str(number)) for number in released.values_list("release__number", flat=True)),
    ]


# ---- averages ----


def board(
    every: Iterable[Cell], *, metric: str, labels: str, of: Slices, blind: bool, common: bool
) -> dict[int, Figures]:
    """The figures of each extractor with a page that counts."""
    pages = pages_that_count(every, metric=metric, labels=labels, of=of, blind=blind, common=common)
    return {
        extractor: averaged([on_page(cell, metric, labels) for cell in some])
        for extractor, some in pages.items()
    }


def pages_that_count(
    every: Iterable[Cell],
    *,
    metric: str,
    labels: str,
    of: Slices,
    blind: bool,
    common: bool,
    common_blind: bool | None = None,
) -> dict[int, list[Cell]]:
    """The cells of each extractor that count, in the order of pages.

    `common_blind`: what is common, on blind gold or on all; as `blind` unless given.
    """
    every = [cell for cell in every if cell.is_in(of)]
    for_all = pages_for_all(every, blind=blind if common_blind is None else common_blind)
    pages: dict[int, list[Cell]] = defaultdict(list)
    for cell in sorted(every, key=lambda cell: cell.page):
        counts = not cell.tuned_on and (cell.blind or not blind) and (not common or cell.page in for_all)
        if counts and (metric, labels) in cell.figures:
            pages[cell.extractor].append(cell)
    return pages


def pages_for_all(every: Iterable[Cell], *, blind: bool) -> set[int]:
    """The pages that count for every extractor that was scored on them."""
    every = list(every)
    return {cell.page for cell in every} - {
        cell.page for cell in every if cell.tuned_on or (blind and not cell.blind)
    }


class Counts(NamedTuple):
    """A page's figures, and whether the extractor failed there."""

    row: OnPage
    failed: bool


def on_page(cell: Cell, metric: str, labels: str) -> Counts:
    return Counts(cell.figures[metric, labels], cell.failed)


def averaged(pages: list[Counts]) -> Figures:
    rows = [row for row, _failed in pages]
    precision = mean([row.precision for row in rows if row.precision is not None])
    recall = mean([row.recall for row in rows if row.recall is not None])
    true, predicted, gold = (sum(row[index] for row in rows) for index in range(3))
    pooled = true / predicted if predicted else 0.0, true / gold if gold else 0.0
    return Figures(
        len(rows), sum(failed for _row, failed in pages), precision, recall, harmonic(precision, recall),
        mean([f1(row) for row in rows]), *pooled, harmonic(*pooled),
    )  # fmt: skip


def known_by(figures: Figures, metric: str, *, pooled: bool) -> float:
    """The F1 by which rows are ranked."""
    macro = figures.f1_page_mean if metric in BY_PAGE else figures.f1_of_means
    return figures.micro_f1 if pooled else macro


def f1(row: OnPage) -> float:
    if row.precision is None and row.recall is None:
        return 1.0
    return harmonic(row.precision or 0.0, row.recall or 0.0)


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b else 0.0


# ---- intervals ----

RESAMPLES = 1_000


@lru_cache(maxsize=32)
def times_drawn(pages: int) -> Numbers:
    """How often each page is in each of a thousand resamples, drawn from the documented seed."""
    random = np.random.default_rng(20101)
    return np.array(
        [np.bincount(random.integers(0, pages, pages), minlength=pages) for _ in range(RESAMPLES)],
        dtype=float,
    )


def resampled(pages: list[Counts], metric: str, *, pooled: bool) -> Numbers | None:
    """F1 of each resample; None below 30 pages."""
    if len(pages) < 30:
        return None
    columns = np.array(
        [
            (row.precision or 0, row.precision is not None, row.recall or 0, row.recall is not None,
             f1(row), row.true, row.predicted, row.gold)
            for row, _failed in pages
        ],
        dtype=float,
    )  # fmt: skip
    p, n_p, r, n_r, page_f1, true, predicted, gold = (times_drawn(len(pages)) @ columns).T
    if pooled:
        return _harmonics(_shares(true, predicted), _shares(true, gold))
    if metric in BY_PAGE:
        return page_f1 / len(pages)
    return _harmonics(_shares(p, n_p), _shares(r, n_r))


def _shares(parts: Numbers, wholes: Numbers) -> Numbers:
    return np.where(wholes > 0, parts / np.where(wholes > 0, wholes, 1), 0)


def _harmonics(a: Numbers, b: Numbers) -> Numbers:
    return _shares(2 * a * b, a + b)


def middle(values: Numbers | None) -> tuple[float | None, float | None]:
    """The middle 95 % of resamples."""
    if values is None:
        return None, None
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def interval(pages: list[Counts], metric: str, *, pooled: bool) -> tuple[float | None, float | None]:
    return middle(resampled(pages, metric, pooled=pooled))


def deviations(pages: list[Counts], metric: str, *, pooled: bool) -> Numbers:
    """By how much F1 changes, to the first order, with the weight of each page: the delta method.

    Central differences of the figure itself, with no formula of it.
    """
    whole = [row for row, _failed in pages]

    def figure(weights: Numbers) -> float:
        def weighted(values: list[float | None]) -> float:
            known = [
                (weight, value) for weight, value in zip(weights, values, strict=True) if value is not None
            ]
            total = sum(weight for weight, _value in known)
            return sum(weight * value for weight, value in known) / total if total else 0.0

        if pooled:
            true, predicted, gold = (float(weights @ [row[index] for row in whole]) for index in range(3))
            return harmonic(true / predicted if predicted else 0, true / gold if gold else 0)
        if metric in BY_PAGE:
            return weighted([f1(row) for row in whole])
        return harmonic(weighted([row.precision for row in whole]), weighted([row.recall for row in whole]))

    found = []
    for index in range(len(whole)):
        step = np.zeros(len(whole))
        step[index] = 1e-4
        found.append((figure(1 + step) - figure(1 - step)) / 2e-4)
    return np.array(found)


# ---- ranks ----


def comparable(
    every: Iterable[Cell], *, metric: str, labels: str, of: Slices, blind: bool, common: bool
) -> set[int]:
    """The extractors that have a rank: with a score on all pages that have any, and the same pages as most.

    Between sets of as many extractors the larger one is taken, then that with the lower digests.
    """
    every = [cell for cell in every if cell.is_in(of) and (metric, labels) in cell.figures]
    for_all = pages_for_all(every, blind=blind)
    scored: Counter[int] = Counter(cell.extractor for cell in every if not common or cell.page in for_all)
    counted: dict[int, dict[int, str]] = {extractor: {} for extractor in scored}
    for cell in every:
        if not cell.tuned_on and (cell.blind or not blind) and (not common or cell.page in for_all):
            counted[cell.extractor][cell.page] = cell.digest
    most = max(scored.values(), default=0)
    groups: dict[frozenset[int], list[int]] = defaultdict(list)
    for extractor, pages in counted.items():
        if scored[extractor] == most:
            groups[frozenset(pages)].append(extractor)
    digests = {
        frozenset(pages): sum(int(each[:10], 16) for each in pages.values()) for pages in counted.values()
    }
    best = min(
        groups,
        key=lambda pages: (not pages, -len(groups[pages]), -len(pages), digests[pages]),
        default=frozenset(),
    )
    return set(groups.get(best, []))


# ---- people ----


def people(corpus: Corpus) -> list[dict[tuple[str, str], Counts]]:
    """Of each page with gold the later of two annotators who were shown nothing, on the earlier one.

    The pages are in the order of their digests.
    """
    found = []
    golds = Gold.objects.filter(page__corpus=corpus, current=True, verdict__in=["article", "several"])
    for gold in golds.order_by("page__sha256").select_related("page"):
        annotations = [
            annotation
            for round_ in gold.page.rounds.filter(purpose="main")
            for slot in round_.slots.order_by("number")
            for annotation in slot.annotations.exclude(submitted_at=None).filter(shown=None)
        ][:2]
        if len(annotations) < 2:
            continue
        first, second = (each.revisions.order_by("-number")[0].spans for each in annotations)
        document = annotations[0].document
        page = metrics.PageText.of(document.text, document.blocks)
        found.append(
            {
                (metric, name): Counts(row, False)
                for name, members in MEMBERS.items()
                for metric, row in metrics.figures(
                    page, first, second, members, failed=False, every=has_every_metric(name)
                ).items()
            }
        )
    return found


def ceiling(pages: list[Counts], metric: str, *, pooled: bool) -> dict[str, float | None]:
    figures = averaged(pages)
    low, high = interval(pages, metric, pooled=pooled)
    return {
        "n": figures.n,
        "precision": figures.micro_precision if pooled else figures.precision,
        "recall": figures.micro_recall if pooled else figures.recall,
        "value": known_by(figures, metric, pooled=pooled),
        "low": low,
        "high": high,
    }


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


# ---- figures of a page, from its text ----


def measured_figures(score: Score, members: set[str], name: str) -> dict[str, OnPage]:
    """By every metric, from the text and the spans alone."""
    document = score.gold.document
    page = metrics.PageText.of(document.text, document.blocks)
    failed = bool(score.extraction.error)
    return metrics.figures(
        page,
        score.gold.spans,
        score.extraction.spans,
        members,
        failed=failed,
        every=has_every_metric(name),
    )
