"""Counts of pages, what is stored of them, and the figures of any selection."""

import json
from collections.abc import Sequence

import numpy as np
import pytest

from extraction.agreement.counts import PageTables, count_page
from extraction.agreement.intervals import BEYOND_CHANCE, SHARE, bounds
from extraction.agreement.pool import Pool
from extraction.agreement.report import figures
from extraction.agreement.units import LEVELS, ContentUnits, paragraphs
from extraction.spans import Span
from tests.extraction.agreement import planted


def counts(number: int, names: Sequence[str] = ("ada", "ben")) -> list[PageTables]:
    return [page.counts() for page in planted.pages(number, names)]


def one_page(ada: list[Span], ben: list[Span], **more: dict[str, str]) -> PageTables:
    return count_page({"ada": ada, "ben": ben}, ContentUnits.of_text("one two three\n\nfour five"), **more)


def test_counts_are_the_same_after_storing() -> None:
    pages = counts(40, ("ada", "ben", "cleo"))
    stored = json.loads(json.dumps([page.to_json() for page in pages]))
    assert figures(Pool([PageTables.from_json(page) for page in stored])) == figures(Pool(pages))


def test_no_figure_of_an_empty_overlap_has_a_number() -> None:
    for pages in (
        [],
        [count_page({"ada": []}, ContentUnits.of_length(5))],
        [count_page({"ada": [], "ben": []}, ContentUnits.of_length(0))],
    ):
        pool = Pool(pages)
        report = figures(pool)
        assert pool.verdicts()["observed"].value is None
        for group in (*LEVELS, "span", "unitizing"):
            for figure in report[group].values():
                assert figure["value"] is None
                assert figure["withheld"]


def test_pages_are_left_out_with_a_reason() -> None:
    pages = [
        one_page([Span(0, 3, "body")], []),
        one_page([], []),
        count_page({"ada": [], "ben": [Span(0, 2, "body")]}, ContentUnits.of_length(4)),
        count_page({"ada": [], "ben": []}, ContentUnits.of_text("  ")),
        count_page({"ada": []}, ContentUnits.of_length(4)),
    ]
    pool = Pool(pages)
    alone = {"fewer than two annotators": 1}
    assert pool.units("character")["observed"].excluded == alone | {"no character that counts": 1}
    assert pool.units("block")["observed"].excluded == alone | {
        "its text is not known": 1,
        "no character that counts": 1,
    }
    assert pool.spans()["exact_f1"].excluded == alone | {"nobody marked it": 2}
    assert pool.units("character")["f1"].n == 2
    assert pool.units("character")["observed"].n == 3


def test_alpha_of_one_value_is_undefined_and_says_so() -> None:
    same = Pool([one_page([], [])] * 40)
    figures = same.units("character")
    assert (figures["krippendorff_alpha"].value, figures["cohen_kappa"].value) == (None, None)
    assert "one value" in (figures["krippendorff_alpha"].withheld or "")
    assert figures["observed"].value == 1.0


class TestPlantedDisagreements:
    """What has the same keys and not the same values must not look unanimous."""

    def test_the_same_edges_with_other_labels(self) -> None:
        page = one_page(
            [Span(0, 3, "body"), Span(4, 7, "headline")], [Span(0, 3, "headline"), Span(4, 7, "body")]
        )
        pool = Pool([page])
        assert pool.units("character")["observed"].value == pytest.approx(13 / 19)
        assert pool.units("word")["observed"].value == pytest.approx(3 / 5)
        assert pool.spans()["exact_f1"].value == 0
        assert pool.spans()["partial_f1"].value == 0
        assert pool.unitizing()["alpha_u"].value < 0
        assert pool.units("character", ("label", "body"))["f1"].value == 0
        assert pool.units("character", ("set", "main"))["f1"].value == 1

    def test_the_same_labels_in_other_places(self) -> None:
        page = one_page([Span(0, 3, "body")], [Span(4, 7, "body")])
        assert Pool([page]).units("character")["f1"].value == 0
        assert Pool([page]).spans()["partial_f1"].value == 0

    def test_the_same_annotators_with_other_verdicts(self) -> None:
        names = [("article", "article"), ("article", "none"), ("none", "article"), ("none", "none")]
        pages = [one_page([], [], verdicts={"ada": a, "ben": b}) for a, b in names]
        found = Pool(pages).verdicts()
        assert found["observed"].value == 0.5
        assert found["cohen_kappa"].value == 0
        assert found["observed"].units == 4

    def test_one_character_more(self) -> None:
        page = one_page([Span(0, 7, "body")], [Span(0, 9, "body")])
        assert Pool([page]).spans()["exact_f1"].value == 0
        assert Pool([page]).spans()["partial_f1"].value == 1
        assert Pool([page]).units("character")["f1"].value == pytest.approx(12 / 13)


def test_a_blank_at_the_edge_of_a_span_makes_no_difference() -> None:
    page = one_page([Span(0, 4, "body")], [Span(0, 3, "body")])
    assert Pool([page]).spans()["exact_f1"].value == 1
    assert Pool([page]).unitizing()["alpha_u"].value == 1


def test_a_label_set_sees_no_difference_between_its_labels() -> None:
    page = one_page([Span(0, 3, "headline"), Span(3, 7, "body")], [Span(0, 7, "body")])
    assert Pool([page]).spans(("set", "main"))["exact_f1"].value == 1
    assert Pool([page]).unitizing(("set", "main"))["alpha_u"].value == 1
    assert Pool([page]).spans()["exact_f1"].value == 0


def test_blank_lines_part_blocks_where_they_are_not_given() -> None:
    assert paragraphs("one\ntwo\n\n three \n \n\nfour\n") == [(0, 7), (10, 15), (20, 24)]
    page = one_page([Span(0, 13, "body")], [])
    assert Pool([page]).units("block")["observed"].units == 2


def test_ac1_knows_of_labels_that_nobody_gave() -> None:
    page = one_page([Span(0, 3, "body")], [])
    few = Pool([page]).units("character")["gwet_ac1"]
    many = Pool([page], labels=["body", "headline", "comments"]).units("character")["gwet_ac1"]
    assert many.chance == pytest.approx(few.chance / 3)


class TestIntervals:
    def test_they_need_thirty_pages(self) -> None:
        few, enough = (Pool(counts(n)).units("character")["cohen_kappa"] for n in (29, 30))
        assert (few.low, few.high, few.n) == (None, None, 29)
        assert "30" in (few.withheld or "")
        assert few.value is not None
        assert enough.low < enough.value < enough.high

    def test_a_label_needs_thirty_pages_that_have_it(self) -> None:
        pages = [one_page([Span(0, 3, "body")], [])] * 29 + [one_page([], [])] * 40
        found = Pool(pages).units("character", ("label", "body"))
        assert found["cohen_kappa"].low is None
        assert "29 pages" in (found["cohen_kappa"].withheld or "")
        assert found["cohen_kappa"].n == 69
        assert found["positive_agreement"].n == 29

    def test_a_label_needs_five_pages_on_which_two_agree_on_it(self) -> None:
        apart = [one_page([Span(0, 3, "body")], [Span(4, 7, "body")])] * 40
        both = [one_page([Span(0, 3, "body")], [Span(0, 3, "body")])]
        few, enough = Pool(apart + 4 * both), Pool(apart + 5 * both)
        rests_on_it = {"cohen_kappa", "krippendorff_alpha", "f1", "positive_agreement"}
        for view in (None, ("label", "body")):
            for name, figure in few.units("character", view).items():
                assert (figure.low is None) == (name in rests_on_it), name
            assert "4 pages have agreement" in (few.units("character", view)["f1"].withheld or "")
            assert few.unitizing(view)["alpha_u_2016"].low is None
            assert few.spans(view)["partial_f1"].low is None
            for name, figure in (enough.units("character", view) | enough.spans(view)).items():
                assert figure.low < figure.value < figure.high, name

    def test_they_stay_in_the_range_of_the_figure(self) -> None:
        one_bad = [one_page([Span(0, 7, "body")], [Span(0, 7, "body")])] * 39 + [
            one_page([Span(0, 7, "body")], [])
        ]
        for name, figure in Pool(one_bad).units("character").items():
            assert -1 <= figure.low < figure.value < figure.high <= 1, name

    def test_they_are_withheld_where_no_page_moves_the_figure(self) -> None:
        found = Pool([one_page([Span(0, 7, "body")], [Span(0, 7, "body")])] * 40).units("character")["f1"]
        assert (found.value, found.low) == (1.0, None)
        assert "whichever page" in (found.withheld or "")

    def test_of_a_mean_they_are_those_of_student(self) -> None:
        """On a scale that is almost straight, with values that are almost normal, for very many pages."""
        values = 0.5 + np.random.default_rng(5).normal(0, 0.01, 4000)
        estimates = np.concatenate([[values.mean()], (values.sum() - values) / 3999])
        for scale in (SHARE, BEYOND_CHANCE):
            low, high, _ = bounds(estimates, scale)
            assert (low, high) == pytest.approx(
                (values.mean() - 1.96 * 0.01 / 4000**0.5, values.mean() + 1.96 * 0.01 / 4000**0.5), abs=1e-5
            )

    def test_a_few_long_pages_make_them_wider(self) -> None:
        short = counts(200)
        long = [
            count_page(
                {"ada": [Span(0, 20000, "body")], "ben": [Span(0, end, "body")]},
                ContentUnits.of_length(40000),
            )
            for end in (20000, 9000)
        ]
        even, uneven = (Pool(pages).units("character")["observed"] for pages in (short, [*short, *long]))
        assert uneven.high - uneven.low > 5 * (even.high - even.low)
