"""The chart "as the corpus grew": its points, its drawing, and the screen that shows it."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from annotator.corpora.models import Corpus
from annotator.leaderboard import queries
from annotator.leaderboard.chart import BOTTOM, HEIGHT, LEFT, LINE_APART, RIGHT, TOP, WIDTH, drawing_of
from annotator.leaderboard.growth import FEWEST, LINES, MOST_POINTS, Course, Growth, Line, growth_of, points
from extraction.metrics import PageScore, summarise
from extraction.metrics.pages import score
from tests.annotator.releases.made import release
from tests.annotator.scored import give_gold
from tests.factories import MakePage

FIRST = datetime(2026, 9, 14, 12, tzinfo=UTC)


def days(pages: int) -> list[datetime]:
    return [FIRST + timedelta(days=number) for number in range(pages)]


def scores(pages: int) -> list[PageScore]:
    return [score(40 + number % 7, 50 + number % 3, 60) for number in range(pages)]


def course(pages: int, *, title: str = "bte", first: int = 0, weights: list[float] | None = None) -> Course:
    """A course whose first pages are not the corpus's."""
    places = list(range(first, pages))
    return Course(title, scores(pages)[first:], places, weights or [1.0] * len(places))


def grown(pages: int, *courses: Course, pooled: bool = False, by_page: bool = False) -> Growth | None:
    return growth_of(days(pages), courses, pooled=pooled, by_page=by_page)


@pytest.mark.parametrize("pages", [5, 26, 27, 655])
def test_points_are_spread_from_the_third_page_to_the_last(pages: int) -> None:
    found = points(pages)
    assert (found[0], found[-1]) == (FEWEST, pages)
    assert len(found) == len(set(found)) == min(MOST_POINTS, pages - FEWEST + 1)


def test_few_pages_have_no_growth() -> None:
    assert grown(4, course(4)) is None
    assert grown(5, course(5))
    assert grown(12) is None


@pytest.mark.parametrize("by_page", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_each_point_is_the_figure_of_the_pages_until_then(by_page: bool, weighted: bool) -> None:
    weights = [1.0 + number % 4 for number in range(40)] if weighted else None
    found = grown(40, course(40, weights=weights), by_page=by_page)
    for place, pages in enumerate(found.counts):
        expected = summarise(
            scores(40)[:pages], by_page=by_page, weights=weights[:pages] if weights else None
        )
        (line,) = found.lines
        assert line.values["f1"][place] == pytest.approx(expected.f1)
        assert line.values["precision"][place] == pytest.approx(expected.precision)
        assert line.values["recall"][place] == pytest.approx(expected.recall)


def test_pooled_points_are_those_of_all_text_together() -> None:
    found = grown(40, course(40), pooled=True)
    expected = summarise(scores(40)[: found.counts[3]]).micro
    (line,) = found.lines
    assert line.values["f1"][3] == pytest.approx(expected.f1)
    assert line.values["recall"][3] == pytest.approx(expected.recall)


def test_pages_that_do_not_count_for_an_extractor_leave_it_behind() -> None:
    found = grown(40, course(40, first=8))
    values = found.lines[0].values["f1"]
    assert [value is None for value in values] == [pages <= 8 for pages in found.counts]
    at = next(place for place, pages in enumerate(found.counts) if pages > 20)
    expected = summarise(scores(40)[8 : found.counts[at]])
    assert values[at] == pytest.approx(expected.f1)


@pytest.mark.parametrize("pooled", [False, True])
def test_an_extractor_without_a_page_has_a_name_and_no_line(pooled: bool) -> None:
    found = grown(12, course(12), Course("mss", [], [], []), pooled=pooled)
    assert set(found.lines[1].values["f1"]) == {None}
    drawn = drawing_of(found, "f1").lines[1]
    assert (drawn.path, drawn.value, drawn.name_y) == ("", None, "")


@pytest.mark.parametrize("weighted", [False, True])
def test_the_last_interval_is_that_of_the_board_and_is_the_first_lines_alone(weighted: bool) -> None:
    weights = [1.0 + 3 * (number % 4) for number in range(60)] if weighted else None
    found = grown(60, course(60, weights=weights), course(60, title="mss"))
    best, other = found.lines
    assert not any(other.bands.values())
    last = len(found.counts) - 1
    whole = summarise(scores(60), weights=weights)
    assert best.bands["f1"][last] == pytest.approx((whole.f1_low, whole.f1_high))
    assert best.bands["precision"][last] == pytest.approx((whole.precision_low, whole.precision_high))
    assert all(found.counts[place] >= 30 for place in best.bands["f1"])


def test_the_first_five_are_drawn() -> None:
    found = grown(12, *(course(12, title=str(number)) for number in range(8)))
    assert [line.title for line in found.lines] == [str(number) for number in range(LINES)]


# ---- the drawing ----


def line_of(
    title: str, values: list[float | None], bands: dict[int, tuple[float, float]] | None = None
) -> Line:
    return Line(title, {"f1": values}, {"f1": bands or {}})


def made(*lines: Line, pages: int = 40) -> Growth:
    return Growth([10, 20, 30, 40], days(pages), list(lines))


def heights(path: str) -> list[float]:
    return [float(y) for _x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", path)]


def test_lines_run_from_left_to_right_and_better_is_higher() -> None:
    drawn = drawing_of(made(line_of("a", [0.7, 0.8, 0.9, 0.85])), "f1")
    (line,) = drawn.lines
    across = [float(x) for x, _y in re.findall(r"[ML]([\d.]+) ([\d.]+)", line.path)]
    assert across == sorted(across)
    assert (across[0], across[-1]) == (LEFT, WIDTH - RIGHT)
    low, middle, best, last = heights(line.path)
    assert HEIGHT - BOTTOM >= low > middle > last > best >= TOP


def test_a_line_that_begins_later_is_not_drawn_before() -> None:
    (line,) = drawing_of(made(line_of("a", [None, 0.8, 0.9, 0.9])), "f1").lines
    assert line.path.count("M") == 1
    assert line.path.count("L") == 2


@pytest.mark.parametrize("best", [0.5, 0.84])
def test_names_can_be_told_apart_and_stay_in_the_drawing(best: float) -> None:
    """Alone in the middle, or all at the lower edge below a better one."""
    values = [best, *(0.5 - number / 1000 for number in range(4))]
    drawn = drawing_of(made(*(line_of(str(value), [value] * 4) for value in values)), "f1", people=0.499)
    places = [float(line.name_y) for line in drawn.lines]
    assert places == sorted(places)
    places = sorted([*places, float(drawn.ceiling_y)])
    assert all(after - before >= LINE_APART - 0.1 for before, after in pairwise(places))
    assert places[0] > TOP
    assert places[-1] < HEIGHT - BOTTOM + 5


def test_the_band_is_closed_around_the_line() -> None:
    drawn = drawing_of(made(line_of("a", [0.8] * 4, {2: (0.7, 0.9), 3: (0.75, 0.85)})), "f1")
    assert drawn.band.startswith("M")
    assert drawn.band.endswith("Z")
    around = heights(drawn.band)
    (level,) = set(heights(drawn.lines[0].path))
    assert [height < level for height in around] == [True, True, False, False]
    assert drawing_of(made(line_of("a", [0.8] * 4, {3: (0.7, 0.9)})), "f1").band == ""


def test_releases_stand_where_the_pages_came_to_be_and_the_first_ones_too_early_do_not() -> None:
    when = [(1, FIRST + timedelta(days=2)), (2, FIRST + timedelta(days=19)), (3, FIRST + timedelta(days=20))]
    drawn = drawing_of(made(line_of("a", [0.8] * 4)), "f1", releases=when)
    assert [mark.number for mark in drawn.marks] == [2, 3]
    # 20 of 10 to 40 pages is a third of the way.
    assert float(drawn.marks[0].x) == pytest.approx(LEFT + (WIDTH - RIGHT - LEFT) / 3, abs=0.1)
    assert [mark.is_named for mark in drawn.marks] == [True, False]


def test_days_are_said_once_each() -> None:
    growth = Growth([10, 20, 30, 40], [FIRST] * 40, [line_of("a", [0.8] * 4)])
    ticks = drawing_of(growth, "f1").ticks
    assert (ticks[0].pages, ticks[-1].pages) == (10, 40)
    assert [tick.day for tick in ticks] == [FIRST, *[None] * (len(ticks) - 1)]


def test_the_table_has_every_point() -> None:
    drawn = drawing_of(made(line_of("a", [None, 0.8, 0.9, 0.9])), "f1")
    assert [row[0] for row in drawn.rows] == [10, 20, 30, 40]
    assert [row[1] for row in drawn.rows] == [days(40)[n - 1] for n in (10, 20, 30, 40)]
    assert [row[2] for row in drawn.rows] == [[None], [0.8], [0.9], [0.9]]


# ---- the screen ----


@pytest.fixture
def rhea(client: Client, cast: SimpleNamespace) -> Client:
    client.force_login(cast.rhea)
    return client


@pytest.mark.django_db
def test_a_page_stands_where_it_first_became_gold(
    corpus: Corpus, cast: SimpleNamespace, rhea: Client, make_page: MakePage
) -> None:
    pages = [give_gold(make_page()).page for _ in range(10)]
    # Settled anew, it keeps its place.
    give_gold(pages[0])
    release(corpus, user=cast.hanne)
    board = queries.board(Corpus.objects.get(pk=corpus.pk), labels="body")
    since = [page.gold.earliest("settled_at").settled_at for page in pages]
    assert board.growth.days == since == sorted(since)
    assert board.growth.counts == list(range(3, 11))
    best = board.rows[0]
    assert board.growth.lines[0].title == best.title
    assert board.growth.lines[0].values["f1"][-1] == pytest.approx(best.shown.value)
    for grew in ("f1", "recall"):
        answer = rhea.get(reverse("leaderboard", args=[corpus.slug]) + f"?labels=body&grew={grew}")
        drawing = answer.context["drawing"]
        assert [mark.number for mark in drawing.marks] == [1]
        shown = best.shown.value if grew == "f1" else best.shown.recall
        assert drawing.lines[0].value == pytest.approx(shown)
        html = answer.content.decode()
        assert html.count('class="line l') == 2 * LINES
        assert 'href="?labels=body&amp;grew=precision"' in html
        assert f'data-table="/c/{corpus.slug}/leaderboard/table/?labels=body' in html


@pytest.mark.django_db
def test_a_small_corpus_has_no_chart(corpus: Corpus, rhea: Client, make_page: MakePage) -> None:
    give_gold(make_page())
    answer = rhea.get(reverse("leaderboard", args=[corpus.slug]))
    assert answer.context["drawing"] is None
    assert 'class="trend"' not in answer.content.decode()
