"""The chart of scores by corpus size: its points, its layout, and the screen that shows it."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from types import SimpleNamespace

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.corpora.models import Corpus
from annotator.scoring.leaderboard import boards
from annotator.scoring.leaderboard.chart import (
    BOTTOM,
    HEIGHT,
    LEFT,
    NAME_DISTANCE,
    RIGHT,
    TOP,
    WIDTH,
    chart_of,
)
from annotator.scoring.leaderboard.score_by_size import (
    FIRST_POINT,
    MAX_LINES,
    MAX_POINTS,
    CurveLine,
    ScoreBySize,
    ScoreSeries,
    points,
    score_by_size,
)
from extraction.metrics import PageScore, summarise
from extraction.metrics.averages import PageAverages
from extraction.metrics.bootstrap import interval
from extraction.metrics.pages import score
from tests.annotator.releases.made import release
from tests.annotator.scored import give_gold
from tests.factories import MakePage

FIRST = datetime(2026, 9, 14, 12, tzinfo=UTC)


def days(pages: int) -> list[datetime]:
    return [FIRST + timedelta(days=number) for number in range(pages)]


def scores(pages: int) -> list[PageScore]:
    return [score(40 + number % 7, 50 + number % 3, 60) for number in range(pages)]


def series(
    pages: int, *, title: str = "bte", first: int = 0, weights: list[float] | None = None
) -> ScoreSeries:
    """Scores that begin at page `first` of the corpus."""
    positions = list(range(first, pages))
    return ScoreSeries(title, scores(pages)[first:], positions, weights or [1.0] * len(positions))


def by_size(
    pages: int, *lines: ScoreSeries, pooled: bool = False, by_page: bool = False
) -> ScoreBySize | None:
    return score_by_size(days(pages), lines, pooled=pooled, by_page=by_page)


@pytest.mark.parametrize("pages", [5, 26, 27, 655])
def test_points_are_spread_from_the_third_page_to_the_last(pages: int) -> None:
    found = points(pages)
    assert (found[0], found[-1]) == (FIRST_POINT, pages)
    assert len(found) == len(set(found)) == min(MAX_POINTS, pages - FIRST_POINT + 1)


def test_few_pages_have_no_chart() -> None:
    assert by_size(4, series(4)) is None
    assert by_size(5, series(5))
    assert by_size(12) is None


@pytest.mark.parametrize("by_page", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_each_point_covers_the_pages_up_to_it(by_page: bool, weighted: bool) -> None:
    weights = [1.0 + number % 4 for number in range(40)] if weighted else None
    found = by_size(40, series(40, weights=weights), by_page=by_page)
    for point, pages in enumerate(found.counts):
        means = PageAverages(
            scores(40)[:pages], by_page=by_page, weights=weights[:pages] if weights else None
        )
        (line,) = found.lines
        for name in ("f1", "precision", "recall"):
            assert line.values[name][point] == pytest.approx(getattr(means, name)(means.everywhere))


def test_micro_averaged_points() -> None:
    found = by_size(40, series(40), pooled=True)
    expected = summarise(scores(40)[: found.counts[3]]).micro
    (line,) = found.lines
    assert line.values["f1"][3] == pytest.approx(expected.f1)
    assert line.values["recall"][3] == pytest.approx(expected.recall)


def test_excluded_pages_delay_the_line_of_an_extractor() -> None:
    found = by_size(40, series(40, first=8))
    values = found.lines[0].values["f1"]
    assert [value is None for value in values] == [pages <= 8 for pages in found.counts]
    at = next(point for point, pages in enumerate(found.counts) if pages > 20)
    expected = summarise(scores(40)[8 : found.counts[at]])
    assert values[at] == pytest.approx(expected.f1)


@pytest.mark.parametrize("pooled", [False, True])
def test_an_extractor_without_a_page_has_a_name_and_no_line(pooled: bool) -> None:
    found = by_size(12, series(12), ScoreSeries("mss", [], [], []), pooled=pooled)
    assert set(found.lines[1].values["f1"]) == {None}
    drawn = chart_of(found, "f1").lines[1]
    assert (drawn.path, drawn.value, drawn.name_y) == ("", None, "")


@pytest.mark.parametrize("weighted", [False, True])
def test_the_last_interval_is_that_of_the_leaderboard_and_only_the_first_line_has_one(weighted: bool) -> None:
    weights = [1.0 + 3 * (number % 4) for number in range(60)] if weighted else None
    found = by_size(60, series(60, weights=weights), series(60, title="mss"))
    best, other = found.lines
    assert not any(other.bands.values())
    last = len(found.counts) - 1
    means = PageAverages(scores(60), weights=weights)
    f1 = interval(60, lambda times: means.f1(times * means.everywhere))
    precision = interval(60, lambda times: means.precision(times * means.everywhere))
    assert best.bands["f1"][last] == pytest.approx(f1)
    assert best.bands["precision"][last] == pytest.approx(precision)
    assert all(found.counts[point] >= 30 for point in best.bands["f1"])


def test_only_the_best_extractors_are_drawn() -> None:
    found = by_size(12, *(series(12, title=str(number)) for number in range(8)))
    assert [line.title for line in found.lines] == [str(number) for number in range(MAX_LINES)]


# ---- the chart ----


def line_of(
    title: str, values: list[float | None], bands: dict[int, tuple[float, float]] | None = None
) -> CurveLine:
    return CurveLine(title, {"f1": values}, {"f1": bands or {}})


def made(*lines: CurveLine, pages: int = 40) -> ScoreBySize:
    return ScoreBySize([10, 20, 30, 40], days(pages), list(lines))


def heights(path: str) -> list[float]:
    return [float(y) for _x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", path)]


def test_lines_run_from_left_to_right_and_better_is_higher() -> None:
    drawn = chart_of(made(line_of("a", [0.7, 0.8, 0.9, 0.85])), "f1")
    (line,) = drawn.lines
    across = [float(x) for x, _y in re.findall(r"[ML]([\d.]+) ([\d.]+)", line.path)]
    assert across == sorted(across)
    assert (across[0], across[-1]) == (LEFT, WIDTH - RIGHT)
    low, middle, best, last = heights(line.path)
    assert HEIGHT - BOTTOM >= low > middle > last > best >= TOP


def test_a_line_that_begins_later_is_not_drawn_before() -> None:
    (line,) = chart_of(made(line_of("a", [None, 0.8, 0.9, 0.9])), "f1").lines
    assert line.path.count("M") == 1
    assert line.path.count("L") == 2


@pytest.mark.parametrize("best", [0.5, 0.84])
def test_names_do_not_overlap_and_stay_in_the_chart(best: float) -> None:
    """Names in the middle, and names at the lower edge."""
    values = [best, *(0.5 - number / 1000 for number in range(4))]
    drawn = chart_of(made(*(line_of(str(value), [value] * 4) for value in values)), "f1", people=0.499)
    heights = [float(line.name_y) for line in drawn.lines]
    assert heights == sorted(heights)
    heights = sorted([*heights, float(drawn.ceiling_y)])
    assert all(after - before >= NAME_DISTANCE - 0.1 for before, after in pairwise(heights))
    assert heights[0] > TOP
    assert heights[-1] < HEIGHT - BOTTOM + 5


def test_the_band_is_closed_around_the_line() -> None:
    drawn = chart_of(made(line_of("a", [0.8] * 4, {2: (0.7, 0.9), 3: (0.75, 0.85)})), "f1")
    assert drawn.band.startswith("M")
    assert drawn.band.endswith("Z")
    around = heights(drawn.band)
    (level,) = set(heights(drawn.lines[0].path))
    assert [height < level for height in around] == [True, True, False, False]
    assert chart_of(made(line_of("a", [0.8] * 4, {3: (0.7, 0.9)})), "f1").band == ""


def test_releases_are_marked_at_their_number_of_pages_unless_too_early() -> None:
    when = [(1, FIRST + timedelta(days=2)), (2, FIRST + timedelta(days=19)), (3, FIRST + timedelta(days=20))]
    drawn = chart_of(made(line_of("a", [0.8] * 4)), "f1", releases=when)
    assert [mark.number for mark in drawn.marks] == [2, 3]
    # 20 of 10 to 40 pages is a third of the way.
    assert float(drawn.marks[0].x) == pytest.approx(LEFT + (WIDTH - RIGHT - LEFT) / 3, abs=0.1)
    assert [mark.is_named for mark in drawn.marks] == [True, False]


def test_each_day_is_labelled_once() -> None:
    found = ScoreBySize([10, 20, 30, 40], [FIRST] * 40, [line_of("a", [0.8] * 4)])
    ticks = chart_of(found, "f1").ticks
    assert (ticks[0].pages, ticks[-1].pages) == (10, 40)
    assert [tick.day for tick in ticks] == [FIRST.date(), *[None] * (len(ticks) - 1)]


@pytest.mark.parametrize("zone", ["America/Sao_Paulo", "Pacific/Apia"])
def test_days_are_those_of_the_figures_wherever_people_are(zone: str) -> None:
    early, late = datetime(2026, 9, 14, 1, tzinfo=UTC), datetime(2026, 9, 14, 23, tzinfo=UTC)
    found = ScoreBySize([10, 20], [early] * 10 + [late] * 10, [line_of("a", [0.8] * 2)])
    with timezone.override(zone):
        drawn = chart_of(found, "f1")
        of_points = '{% for point in chart.points %}{{ point.day|date:"Y-m-d" }} {% endfor %}'
        shown = Template(of_points).render(Context({"chart": drawn}))
    assert shown.split() == ["2026-09-14"] * 2
    assert [tick.day for tick in drawn.ticks[1:]] == [None] * (len(drawn.ticks) - 1)


def test_the_table_has_every_point() -> None:
    drawn = chart_of(made(line_of("a", [None, 0.8, 0.9, 0.9])), "f1")
    assert [point.pages for point in drawn.points] == [10, 20, 30, 40]
    assert [point.day for point in drawn.points] == [days(40)[n - 1].date() for n in (10, 20, 30, 40)]
    assert [point.values for point in drawn.points] == [[("a", value)] for value in (None, 0.8, 0.9, 0.9)]


def test_versions_are_marked_among_releases_and_stand_at_the_next_point() -> None:
    releases = [(1, FIRST + timedelta(days=14))]
    versions = [("a 2", FIRST + timedelta(days=24)), ("a 1", FIRST - timedelta(days=3))]
    drawn = chart_of(made(line_of("a", [0.8] * 4)), "f1", releases=releases, versions=versions)
    assert [(mark.number, mark.version, mark.pages) for mark in drawn.marks] == [(1, "", 15), (0, "a 2", 25)]
    assert [[mark.version for mark in point.marks] for point in drawn.points] == [[], [""], ["a 2"], []]


# ---- the screen ----


@pytest.mark.django_db
def test_pages_are_ordered_by_their_first_gold(
    corpus: Corpus, cast: SimpleNamespace, rhea: Client, make_page: MakePage
) -> None:
    pages = [give_gold(make_page()).page for _ in range(10)]
    # A new version of its gold does not move the page.
    give_gold(pages[0])
    release(corpus, user=cast.hanne)
    board = boards.board(Corpus.objects.get(pk=corpus.pk), labels="body")
    since = [page.gold.earliest("finalised_at").finalised_at for page in pages]
    assert board.by_size.days == since == sorted(since)
    assert board.by_size.counts == list(range(3, 11))
    best = board.rows[0]
    assert board.by_size.lines[0].title == best.title
    assert board.by_size.lines[0].values["f1"][-1] == pytest.approx(best.shown.value)
    for figure in ("f1", "recall"):
        answer = rhea.get(reverse("leaderboard", args=[corpus.slug]) + f"?labels=body&figure={figure}")
        chart = answer.context["chart"]
        assert [mark.number for mark in chart.marks] == [1]
        shown = best.shown.value if figure == "f1" else best.shown.recall
        assert chart.lines[0].value == pytest.approx(shown)
        html = answer.content.decode()
        assert html.count('class="line l') == 2 * MAX_LINES
        assert 'href="?labels=body&amp;figure=precision"' in html
        assert f'data-table="/c/{corpus.slug}/leaderboard/table/?labels=body' in html


@pytest.mark.django_db
def test_a_small_corpus_has_no_chart(corpus: Corpus, rhea: Client, make_page: MakePage) -> None:
    give_gold(make_page())
    answer = rhea.get(reverse("leaderboard", args=[corpus.slug]))
    assert answer.context["chart"] is None
    assert answer.content.decode().count('class="trend"') == 1, "the figure of the board alone"
