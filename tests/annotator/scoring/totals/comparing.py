"""Leaderboards beside the figures of `independent`, to six decimals."""

from collections.abc import Iterable
from itertools import product

import pytest

from annotator.corpora.models import Corpus
from annotator.scoring.leaderboard.leaderboard import Choice, LeaderboardRow
from annotator.scoring.leaderboard.queries import board
from annotator.scoring.models import GoldTotal, ScoreTotal
from annotator.scoring.totals.figures import Kind, averages
from annotator.scoring.totals.queries import added, sums_of
from annotator.scoring.totals.slices import Slice
from tests.annotator.scoring.totals import independent
from tests.annotator.scoring.totals.independent import BY_PAGE, Cell, Figures, OnPage

# Half a unit of the seventh decimal.
NEAR = 5e-7


def assert_totals_are_right(corpus: Corpus) -> None:
    """Every total of every slice, metric, label set, gold and choice of pages."""
    cells = independent.cells(corpus, independent.stored_figures)
    known = ScoreTotal.objects.filter(corpus=corpus, pages__gt=0).exclude(extractor=None)
    stored = set(known.values_list("dimension", "value", "metric", "labels"))
    expected = {(*each, *cell) for row in cells for each in row.slices for cell in row.figures}
    assert stored == expected
    for dimension, value, metric, labels in sorted(stored):
        sums = sums_of(corpus, metric, labels, Slice(dimension, value))
        for blind, common in product((False, True), repeat=2):
            flag = (Kind.COMMON_BLIND if blind else Kind.COMMON) if common else None
            figures = {}
            for extractor, by_kind in sums.items():
                total = added(s for kind, s in by_kind.items() if kind.counts(blind=blind, common=flag))
                if extractor is not None and total.pages:
                    figures[extractor] = Figures(total.pages, total.failures, *averages(total))
            assert_same(
                figures,
                independent.board(
                    cells, metric=metric, labels=labels, of=(dimension, value), blind=blind, common=common
                ),
                f"{metric} {labels} {dimension}:{value} blind={blind} common={common}",
            )
    _assert_gold_is_right(corpus, cells)


def _assert_gold_is_right(corpus: Corpus, cells: Iterable[Cell]) -> None:
    pages: dict[tuple[str, str, str], set[int]] = {}
    for row in cells:
        for dimension, value in row.slices:
            for _metric, labels in row.figures:
                pages.setdefault((dimension, value, labels), set()).add(row.page)
    for (dimension, value, labels), some in pages.items():
        total = GoldTotal.objects.get(corpus=corpus, dimension=dimension, value=value, labels=labels)
        assert total.pages >= len(some)  # and pages that nothing was scored on yet
    every = GoldTotal.objects.filter(corpus=corpus, dimension="", labels="").first()
    assert (every.scores if every else 0) == len(list(cells))


def assert_same(found: dict[int, Figures], expected: dict[int, Figures], what: str) -> None:
    assert found.keys() == expected.keys(), what
    for extractor, figures in expected.items():
        assert found[extractor] == pytest.approx(figures, abs=NEAR), (what, extractor)


def assert_board_is_right(
    corpus: Corpus, cells: list[Cell], *, metric: str, labels: str, of: Slice, choice: Choice
) -> int:
    """Every figure of a board, and the interval of its first row; how many figures were compared."""
    made = board(
        corpus,
        labels=labels,
        metric=metric,
        gold=choice.gold,
        mean=choice.mean,
        page_set=choice.page_set,
        of=of,
    )
    pages = independent.pages_that_count(
        cells,
        metric=metric,
        labels=labels,
        of=(of.dimension, of.value),
        blind=choice.blind,
        common=choice.common is not None,
    )
    rows = {row.extractor_id: row for row in made.rows if row.shown.n}
    assert rows.keys() == pages.keys()
    compared = 0
    for place, (extractor, some) in enumerate(pages.items()):
        wanted = _wanted(some, metric, choice, with_interval=not place)
        found = _shown(rows[extractor], with_interval=not place)
        assert found == pytest.approx(wanted, abs=NEAR), (metric, labels, of, choice, extractor)
        compared += len(wanted)
    return compared


def _shown(row: LeaderboardRow, *, with_interval: bool) -> list[float | None]:
    shown, summary = row.shown, row.summary
    return [
        shown.n, shown.failures, shown.precision, shown.recall, shown.value,
        summary.f1_page_mean, summary.micro.precision, summary.micro.recall, summary.micro.f1,
        *((shown.low, shown.high) if with_interval else ()),
    ]  # fmt: skip


def _wanted(
    pages: list[tuple[OnPage, bool]], metric: str, choice: Choice, *, with_interval: bool
) -> list[float | None]:
    figures = independent.averaged(pages)
    f1 = figures.f1_page_mean if metric in BY_PAGE else figures.f1_of_means
    main = figures.precision, figures.recall, f1
    micro = figures.micro_precision, figures.micro_recall, figures.micro_f1
    bounds = independent.interval([row for row, _failed in pages], metric, pooled=choice.pooled)
    return [
        figures.n, figures.failures, *(micro if choice.pooled else main), figures.f1_page_mean, *micro,
        *((bounds or (None, None)) if with_interval else ()),
    ]  # fmt: skip
