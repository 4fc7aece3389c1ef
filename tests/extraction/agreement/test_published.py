"""Worked examples as their authors printed them."""

import pytest

from extraction.agreement.counts import PageTables, count_page
from extraction.agreement.pool import Pool
from extraction.agreement.units import ContentUnits
from extraction.spans import Span


def coded(*columns: str) -> list[PageTables]:
    """One page of one character a unit; a dot is a unit that the observer did not code."""
    return [
        count_page(
            {f"observer {n}": [Span(0, 1, code)] for n, code in enumerate(codes) if code != "."},
            ContentUnits.of_length(1),
        )
        for codes in zip(*columns, strict=True)
    ]


@pytest.mark.parametrize(
    ("observers", "alpha"),
    [
        (["0100000010", "1110010000"], 0.095),
        (["aabbdcccedda", "babbbccceddd"], 0.692),
        (["123321412...", "12332241 25.3".replace(" ", ""), ".3332342251.", "12332441251."], 0.743),
    ],
)
def test_krippendorffs_examples_of_nominal_alpha(observers: list[str], alpha: float) -> None:
    """Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), examples A, B and C, the last with
    four observers and missing codes."""
    figures = Pool(coded(*observers)).units("character")
    assert figures["krippendorff_alpha"].value == pytest.approx(alpha, abs=0.0005)


def test_gwets_example_of_ac1() -> None:
    """Two abstractors and 100 pregnancies (ectopic, abnormal and normal intrauterine) of Gwet, Handbook of
    Inter-Rater Reliability (4th edition, 2014); the figures are by his package irrCAC."""
    table = {
        ("ectopic", "ectopic"): 13,
        ("aiu", "aiu"): 20,
        ("aiu", "niu"): 7,
        ("niu", "aiu"): 4,
        ("niu", "niu"): 56,
    }
    pages = [
        count_page({"x": [], "y": []}, ContentUnits.of_length(1), verdicts={"x": first, "y": second})
        for (first, second), times in table.items()
        for _ in range(times)
    ]
    figures = Pool(pages).verdicts()
    assert figures["gwet_ac1"].value == pytest.approx(0.8493305, abs=5e-8)
    assert figures["cohen_kappa"].value == pytest.approx(0.7964094, abs=5e-8)
    assert figures["observed"].value == pytest.approx(0.89)


def test_krippendorffs_alpha_of_gwets_table() -> None:
    """The same table as labels of characters: 0.7972585 by irrCAC."""
    codes = {"x": "e" * 13 + "a" * 27 + "n" * 60, "y": "e" * 13 + "a" * 20 + "n" * 7 + "a" * 4 + "n" * 56}
    page = count_page(
        {name: [Span(at, at + 1, code) for at, code in enumerate(given)] for name, given in codes.items()},
        ContentUnits.of_length(100),
    )
    figures = Pool([page]).units("character")
    assert figures["krippendorff_alpha"].value == pytest.approx(0.7972585, abs=5e-8)


def test_the_example_of_the_documentation() -> None:
    pages = [
        count_page({"ada": [Span(0, 4, "body")], "ben": [Span(0, 6, "body")]}, ContentUnits.of_length(10)),
        count_page({"ada": [], "ben": []}, ContentUnits.of_length(10)),
    ]
    pool = Pool(pages)
    found = pool.units("character") | pool.spans() | pool.unitizing()
    values = {name: figure.value and round(figure.value, 3) for name, figure in found.items()}
    assert values == {
        "observed": 0.9,
        "cohen_kappa": 0.737,
        "krippendorff_alpha": 0.74,
        "gwet_ac1": 0.84,
        "positive_agreement": 0.8,
        "f1": 0.8,
        "exact_f1": 0.0,
        "partial_f1": 1.0,
        "alpha_u": 0.815,
        "alpha_u_2016": values["alpha_u_2016"],
    }
    assert (found["f1"].n, found["f1"].excluded) == (1, {"nobody marked it": 1})
    assert found["cohen_kappa"].chance == pytest.approx(0.62)
    assert found["alpha_u"].chance == pytest.approx(0.0542, abs=0.00005)
