"""What a stopwatch keeps, and how it compares."""

import math

from benchmarks.stopwatch import Stopwatch, bare_parse


def test_a_stopwatch_keeps_the_best_round_of_each_page() -> None:
    watch = Stopwatch()
    for page, seconds in ((0, 3.0), (1, 5.0), (0, 2.0), (1, 7.0)):
        watch.note("step", page, seconds)
    assert watch.seconds("step") == 7.0
    assert watch.pages("step") == 2


def test_a_ratio_is_of_the_pages_on_which_all_was_measured() -> None:
    watch = Stopwatch()
    for step, page, seconds in (
        ("a", 0, 2.0),
        ("a", 1, 90.0),
        ("b", 0, 4.0),
        ("bare", 0, 3.0),
        ("bare", 1, 1.0),
    ):
        watch.note(step, page, seconds)
    assert watch.ratio(["a", "b"], "bare") == 2.0
    assert math.isnan(watch.ratio(["a"], "never measured"))


def test_time_gives_back_what_was_made() -> None:
    watch = Stopwatch()
    assert watch.time("step", 0, lambda: 42) == 42
    assert watch.seconds("step") >= 0


def test_the_bare_parse_takes_a_page_that_declares_its_encoding() -> None:
    bare_parse(b"<?xml version='1.0' encoding='utf-8'?><html><body><p>A</p></body></html>")


def test_a_ratio_to_no_time_is_not_a_number() -> None:
    watch = Stopwatch()
    watch.note("step", 0, 1.0)
    watch.note("nothing", 0, 0.0)
    assert math.isnan(watch.ratio(["step"], "nothing"))
