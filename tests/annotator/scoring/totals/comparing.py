"""Leaderboards beside the figures of `independent`, to six decimals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import sqrt
from typing import Any

import pytest

from annotator.corpora.models import Corpus
from annotator.scoring.leaderboard.boards import board
from annotator.scoring.leaderboard.leaderboard import Leaderboard, LeaderboardFigures, LeaderboardRow
from annotator.scoring.leaderboard.ranking import Ranking
from annotator.scoring.leaderboard.score_by_size import ScoreBySize
from annotator.scoring.models import GoldTotal, ScoreTotal
from annotator.scoring.totals.figures import COLUMNS, Kind, Sums, added, averages
from annotator.scoring.totals.slices import Selection
from tests.annotator.scoring.totals import independent
from tests.annotator.scoring.totals.independent import Cell, Counts, Figures, averaged, known_by, on_page

# Half a unit of the seventh decimal.
NEAR = 5e-7


def assert_totals_are_right(corpus: Corpus) -> None:
    """Every total of every slice, metric, label set, gold and choice of pages."""
    cells = independent.cells(corpus, independent.stored_figures)
    stored = _stored(corpus)
    expected = {(*each, *cell) for row in cells for each in row.slices for cell in row.figures}
    assert stored.keys() == expected
    for dimension, value, metric, labels in sorted(stored):
        sums = stored[dimension, value, metric, labels]
        for blind, common in product((False, True), repeat=2):
            flag = (Kind.COMMON_BLIND if blind else Kind.COMMON) if common else None
            figures = {}
            for extractor, by_kind in sums.items():
                total = added(s for kind, s in by_kind.items() if kind.counts(blind=blind, common=flag))
                if total.pages:
                    figures[extractor] = Figures(total.pages, total.failures, *averages(total))
            assert_same(
                figures,
                independent.board(
                    cells, metric=metric, labels=labels, of=[(dimension, value)], blind=blind, common=common
                ),
                f"{metric} {labels} {dimension}:{value} blind={blind} common={common}",
            )
    _assert_gold_is_right(corpus, cells)


def _stored(corpus: Corpus) -> dict[tuple[str, str, str, str], dict[int, dict[Kind, Sums]]]:
    """The totals of extractors by slice, metric and label set; all of them at once."""
    found: dict[tuple[str, str, str, str], dict[int, dict[Kind, Sums]]] = {}
    rows = ScoreTotal.objects.filter(corpus=corpus, pages__gt=0).exclude(extractor=None)
    for dimension, value, metric, labels, extractor, kind, *sums in rows.values_list(
        "dimension", "value", "metric", "labels", "extractor", "kind", *COLUMNS
    ):
        of_slice = found.setdefault((dimension, value, metric, labels), {})
        of_slice.setdefault(extractor, {})[Kind(kind)] = Sums(*sums)
    return found


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


def rows_of(corpus: Corpus) -> list[set[tuple[object, ...]]]:
    """All totals that are not zero, without their keys."""
    found = []
    for model in (ScoreTotal, GoldTotal):
        names = [column.attname for column in model._meta.concrete_fields if column.name != "id"]
        found.append(set(model.objects.filter(corpus=corpus).exclude(pages=0).values_list(*names)))
    return found


def assert_same(found: dict[int, Figures], expected: dict[int, Figures], what: str) -> None:
    assert found.keys() == expected.keys(), what
    for extractor, figures in expected.items():
        assert found[extractor] == pytest.approx(figures, abs=NEAR), (what, extractor)


# ---- boards ----


@dataclass
class Compared:
    """How many figures were compared, and which of them differ: what they are, found and wanted."""

    figures: int = 0
    differences: list[str] = field(default_factory=list)

    def add(self, what: object, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        assert found.keys() == wanted.keys()
        for name, value in wanted.items():
            self.figures += 1
            if not _is_same(found[name], value):
                self.differences.append(f"{what}: {name} is {found[name]}, not {value}")


def _is_same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(_is_same, found, wanted))
    if isinstance(wanted, float) and found is not None:
        return abs(found - wanted) < NEAR
    return bool(found == wanted)


@dataclass(frozen=True)
class BoardCheck:
    """A board, and all that was computed once more for it."""

    corpus: Corpus
    cells: Sequence[Cell]
    metric: str
    labels: str
    of: Selection
    choice: Ranking

    def compare(self, into: Compared) -> None:
        made = self.made()
        rows = {row.extractor_id: row for row in made.rows}
        pages = self.pages(blind=self.choice.blind)
        other = self.pages(blind=not self.choice.blind)
        ranked = independent.comparable(
            self.cells,
            metric=self.metric,
            labels=self.labels,
            of=self.slices,
            blind=self.choice.blind,
            common=self.choice.common is not None,
        )
        here = [cell for cell in self.in_slice() if (self.metric, self.labels) in cell.figures]
        assert rows.keys() == {cell.extractor for cell in here}, self.what
        order = self._order(pages, ranked, {pk: row.title for pk, row in rows.items()})
        best = order[0] if order else None
        for extractor, row in rows.items():
            some = pages.get(extractor, [])
            what = (*self.what, row.title)
            into.add(what, _shown(row), self._wanted(some))
            beside = row.all_gold if self.choice.blind else row.blind
            into.add((*what, "beside"), _figures(beside), self._figures(other.get(extractor, [])))
            into.add(
                (*what, "rank"),
                {"ranked": row.is_ranked, **self._found_behind(row, best)},
                {"ranked": extractor in ranked, **self._behind(extractor, pages, ranked, best)},
            )
        self._compare_order(made, pages, order, into)
        self._compare_counts(made, here, into)

    @property
    def what(self) -> tuple[str, ...]:
        return (self.metric, self.labels, str(self.of), *self.choice[1:])

    @property
    def slices(self) -> list[tuple[str, str]]:
        return [(each.dimension, each.value) for each in self.of.slices]

    def made(self) -> Leaderboard:
        return board(
            self.corpus,
            labels=self.labels,
            metric=self.metric,
            gold=self.choice.gold,
            mean=self.choice.mean,
            page_set=self.choice.page_set,
            of=self.of,
        )

    def in_slice(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.is_in(self.slices)]

    def pages(self, *, blind: bool) -> dict[int, list[Cell]]:
        """The cells that count; what is common is common on the chosen gold."""
        return independent.pages_that_count(
            self.cells,
            metric=self.metric,
            labels=self.labels,
            of=self.slices,
            blind=blind,
            common=self.choice.common is not None,
            common_blind=self.choice.blind,
        )

    def counts(self, some: Iterable[Cell]) -> list[Counts]:
        return [on_page(cell, self.metric, self.labels) for cell in some]

    def value(self, some: Iterable[Cell]) -> float:
        return known_by(averaged(self.counts(some)), self.metric, pooled=self.choice.pooled)

    # ---- rows ----

    def _figures(self, some: list[Cell]) -> dict[str, Any]:
        if not some:
            return _figures(LeaderboardFigures(0, 0, None, None, None, None, None))
        figures = averaged(self.counts(some))
        low, high = self._interval(some, pooled=self.choice.pooled)
        shares = figures.precision, figures.recall
        if self.choice.pooled:
            shares = figures.micro_precision, figures.micro_recall
        return {
            "n": figures.n, "failures": figures.failures, "precision": shares[0], "recall": shares[1],
            "value": self.value(some), "low": low, "high": high,
        }  # fmt: skip

    def _interval(self, some: list[Cell], *, pooled: bool) -> tuple[float | None, float | None]:
        return independent.interval(self.counts(some), self.metric, pooled=pooled)

    def _wanted(self, some: list[Cell]) -> dict[str, Any]:
        figures = averaged(self.counts(some))
        low, high = self._interval(some, pooled=False)
        times = [cell.seconds for cell in some if cell.seconds is not None]
        return {
            **self._figures(some),
            "summary precision": figures.precision,
            "summary recall": figures.recall,
            "summary f1": known_by(figures, self.metric, pooled=False),
            "f1_page_mean": figures.f1_page_mean,
            "f1_low": low,
            "f1_high": high,
            "micro precision": figures.micro_precision,
            "micro recall": figures.micro_recall,
            "micro f1": figures.micro_f1,
            "effective": None,
            # Each is kept in microseconds.
            "seconds per page": sum(round(each, 6) for each in times) / len(times) if times else None,
        }

    # ---- ranks ----

    def _order(
        self, pages: Mapping[int, list[Cell]], ranked: set[int], titles: Mapping[int, str]
    ) -> list[int]:
        """The extractors with a rank, the best first; equal ones by title."""
        values = {extractor: self.value(pages[extractor]) for extractor in ranked if pages.get(extractor)}
        return sorted(values, key=lambda each: (-round(values[each], 9), titles[each]))

    def _found_behind(self, row: LeaderboardRow, best: int | None) -> dict[str, Any]:
        if row.behind is None or row.extractor_id == best:
            return {"behind": None, "behind low": None, "behind high": None}
        return {"behind": row.behind.value, "behind low": row.behind.low, "behind high": row.behind.high}

    def _behind(
        self, extractor: int, pages: Mapping[int, list[Cell]], ranked: set[int], best: int | None
    ) -> dict[str, Any]:
        if extractor not in ranked or best is None or extractor == best:
            return {"behind": None, "behind low": None, "behind high": None}
        mine, its = pages[extractor], pages[best]
        low, high = self._paired(mine, its)
        return {"behind": self.value(mine) - self.value(its), "behind low": low, "behind high": high}

    def _paired(self, mine: list[Cell], its: list[Cell]) -> tuple[float | None, float | None]:
        options: dict[str, Any] = {"metric": self.metric, "pooled": self.choice.pooled}
        a, b = (independent.resampled(self.counts(some), **options) for some in (mine, its))
        return (None, None) if a is None or b is None else independent.middle(a - b)

    def _compare_order(
        self, made: Leaderboard, pages: Mapping[int, list[Cell]], order: list[int], into: Compared
    ) -> None:
        """The values in their order, the ranked first; and how many cannot be told apart from the best."""
        with_rank = [self.value(pages[each]) for each in order]
        without = sorted(
            (self.value(some) for each, some in pages.items() if each not in order), reverse=True
        )
        shown = [row.shown.value for row in made.rows if row.shown.value is not None]
        tied = 0
        for extractor in order:
            high = self._behind(extractor, pages, set(order), order[0])["behind high"]
            if extractor != order[0] and (high is None or high < 0):
                break
            tied += 1
        first = made.groups[0] if made.groups and made.groups[0].first else None
        into.add(
            (*self.what, "order"),
            {"values": shown, "in the first group": len(first.rows) if first else 0},
            {"values": with_rank + without, "in the first group": tied},
        )

    # ---- the board ----

    def _compare_counts(self, made: Leaderboard, here: list[Cell], into: Compared) -> None:
        golds = {
            cell.page: cell.placed for cell in self.in_slice() if ("character", self.labels) in cell.figures
        }
        characters, placed = (sum(each[index] for each in golds.values()) for index in range(2))
        every = sum(("character", self.labels) in cell.figures for cell in self.in_slice())
        into.add(
            self.what,
            {"pages": made.pages, "unplaced": made.unplaced, "unmeasured": made.unmeasured},
            {
                "pages": len(golds),
                "unplaced": 1 - placed / characters if characters else 0.0,
                "unmeasured": every - len(here),
            },
        )
        tuned = {row.extractor_id: row.tuned_on for row in made.rows}
        for_all = independent.pages_for_all(self.in_slice(), blind=self.choice.blind)
        if self.choice.common is not None:
            here = [cell for cell in here if cell.page in for_all]
        wanted = {
            extractor: sum(cell.extractor == extractor and cell.tuned_on for cell in here)
            for extractor in tuned
        }
        into.add(
            (*self.what, "tuned on"), {"tuned on": list(tuned.values())}, {"tuned on": list(wanted.values())}
        )
        self._compare_trends(made, into)
        if made.by_size:
            self._compare_by_size(made, made.by_size, into)

    def _compare_trends(self, made: Leaderboard, into: Compared) -> None:
        """F1 on the pages that were gold at the end of each day."""
        pages = self.pages(blind=self.choice.blind)
        for row in made.rows:
            wanted = []
            for day in made.days:
                some = [cell for cell in pages.get(row.extractor_id, []) if cell.since.date() <= day]
                wanted.append(self.value(some) if some else None)
            into.add((*self.what, row.title, "trend"), {"trend": row.trend}, {"trend": wanted})

    def _compare_by_size(self, made: Leaderboard, chart: ScoreBySize, into: Compared) -> None:
        """Precision, recall and F1 of the first rows on the first pages that became gold, at each point."""
        golds = {
            cell.page: cell.since for cell in self.in_slice() if ("character", self.labels) in cell.figures
        }
        order = {
            page: place for place, page in enumerate(sorted(golds, key=lambda page: (golds[page], page)))
        }
        pages = self.pages(blind=self.choice.blind)
        for number, (row, line) in enumerate(zip(made.rows, chart.lines, strict=False)):
            some = sorted(pages.get(row.extractor_id, []), key=lambda cell: order[cell.page])
            wanted: dict[str, list[float | None]] = {"f1": [], "precision": [], "recall": []}
            for count in chart.counts:
                figures = self._figures([cell for cell in some if order[cell.page] < count])
                for name, key in (("f1", "value"), ("precision", "precision"), ("recall", "recall")):
                    wanted[name].append(figures[key])
            into.add((*self.what, row.title, "by size"), line.values, wanted)
            if not number:
                for point, bounds in line.bands["f1"].items():
                    first = [cell for cell in some if order[cell.page] < chart.counts[point]]
                    low, high = self._interval(first, pooled=self.choice.pooled)
                    into.add(
                        (*self.what, row.title, "band", point),
                        {"low": bounds[0], "high": bounds[1]},
                        {"low": low, "high": high},
                    )


class LargeBoardCheck(BoardCheck):
    """As if the corpus were too large to resample: errors by the delta method, pairs from a sample of pages.

    `SAMPLE` pages with the lowest digests are that sample.
    """

    SAMPLE = 40

    def _interval(self, some: list[Cell], *, pooled: bool) -> tuple[float | None, float | None]:
        if len(some) < 30:
            return None, None
        counts = self.counts(some)
        error = sqrt((independent.deviations(counts, self.metric, pooled=pooled) ** 2).sum())
        value = known_by(averaged(counts), self.metric, pooled=pooled)
        return value - 1.959964 * error, value + 1.959964 * error

    def _paired(self, mine: list[Cell], its: list[Cell]) -> tuple[float | None, float | None]:
        if len(mine) < 30:
            return None, None
        golds = {
            cell.page: int(cell.digest[:10], 16)
            for cell in self.in_slice()
            if ("character", self.labels) in cell.figures
        }
        drawn = set(sorted(golds, key=lambda page: golds[page])[: self.SAMPLE])
        a, b = (
            independent.deviations(
                self.counts(cell for cell in some if cell.page in drawn),
                self.metric,
                pooled=self.choice.pooled,
            )
            for some in (mine, its)
        )
        error = sqrt(((a - b) ** 2).sum()) * sqrt(len(a) / len(mine))
        value = self.value(mine) - self.value(its)
        return value - 1.959964 * error, value + 1.959964 * error


def _figures(figures: LeaderboardFigures) -> dict[str, Any]:
    return {
        "n": figures.n, "failures": figures.failures,
        "precision": figures.precision, "recall": figures.recall,
        "value": figures.value, "low": figures.low, "high": figures.high,
    }  # fmt: skip


def _shown(row: LeaderboardRow) -> dict[str, Any]:
    summary = row.summary
    return {
        **_figures(row.shown),
        "summary precision": summary.precision,
        "summary recall": summary.recall,
        "summary f1": summary.f1,
        "f1_page_mean": summary.f1_page_mean,
        "f1_low": summary.f1_low,
        "f1_high": summary.f1_high,
        "micro precision": summary.micro.precision,
        "micro recall": summary.micro.recall,
        "micro f1": summary.micro.f1,
        "effective": row.shown.effective,
        "seconds per page": row.seconds_per_page,
    }
