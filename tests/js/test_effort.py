"""The ideal annotator of the benchmark at work: her plans come out exact, and a slip of the hand is seen."""

from typing import Any

import pytest

from benchmarks import effort
from benchmarks.effort import BLANK, KEYBOARD, SUGGESTION, Effort, play_page
from benchmarks.planning import Act
from extraction.parse import parse
from extraction.view import build_view

pytestmark = pytest.mark.browser

PAGE = (
    "<!doctype html><nav><p>News</p><p>Sport</p></nav><div class=text><h1>Ferry line returns</h1>"
    "<p>The first boats leave in December.</p><p>The second boats leave in spring.</p>"
    "<div class=ad>Autumn boots</div><p>Owners are glad. Click to tweet</p></div><p>Read more</p>"
)
HEADLINE, LAST = 2, 6


def wanted() -> tuple[dict[str, Any], list[tuple[int, int]]]:
    """Headline to the last paragraph, without the advertisement and the last words."""
    view = build_view(parse(PAGE.encode()))
    gold = [(start, end) for start, end in view["blocks"][HEADLINE : LAST + 1]]
    del gold[3]
    gold[-1] = (gold[-1][0], gold[-1][1] - len(" Click to tweet"))
    return view, gold


def test_all_three_ways_end_on_the_gold(open_bench: Any) -> None:
    _, gold = wanted()
    suggested = [[start, end, "body"] for start, end in gold]
    bench = open_bench(PAGE, suggestion={"spans": suggested})
    efforts = play_page(bench.window, gold)
    # A range and a drag; accept; space, `i`, the last words off by find.
    assert efforts[BLANK] == Effort(3, 0, is_exact=True)
    assert efforts[SUGGESTION] == Effort(1, 0, is_exact=True)
    assert efforts[KEYBOARD].is_exact
    assert efforts[KEYBOARD].cost == 1 + 1 + len("Click to tweet") + 3
    assert bench.marks == []


def test_a_suggestion_that_is_no_help_is_cleared(open_bench: Any) -> None:
    view, _ = wanted()
    nav, sport, headline, *_ = view["blocks"]
    bench = open_bench(PAGE, suggestion={"spans": [[*nav, "body"], [*sport, "body"]]})
    efforts = play_page(bench.window, [(headline[0], headline[1])])
    assert efforts[BLANK].cost == 1
    assert efforts[SUGGESTION] == Effort(2, 0, is_exact=True)


def test_a_slip_of_the_hand_is_seen(open_bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, gold = wanted()
    do = effort.Hand.do
    monkeypatch.setattr(effort.Hand, "do", lambda self, act: do(self, act) if act.what != "drag" else None)
    efforts = play_page(open_bench(PAGE).window, gold)
    assert not efforts[BLANK].is_exact
    assert efforts[KEYBOARD].is_exact


def test_the_page_that_reading_view_alone_shows_costs_one_key_more(open_bench: Any) -> None:
    page = (
        PAGE.replace("<p>Read more</p>", "<p hidden>Behind a curtain</p>")
        + "<style>"
        + "/**/" * 6000
        + "</style>"
    )
    view = build_view(parse(page.encode()))
    start, end = view["blocks"][-1]
    bench = open_bench(page)
    assert bench.mode == "page"
    efforts = play_page(bench.window, [(start, end)])
    assert efforts[BLANK] == Effort(2, 0, is_exact=True)


def test_only_what_is_done_counts() -> None:
    assert Act("walk", 3, 0).cost == 0
    assert Act("click", (0, 4)).cost == 1
