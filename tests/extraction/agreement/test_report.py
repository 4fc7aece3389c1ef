"""The figures over a file of annotations."""

import json
from pathlib import Path
from typing import Any

import pytest

from extraction.agreement.report import ReportError, read, report

ADA = [[0, 40, "body"], [60, 80, "comments"]]
BEN = [[0, 50, "body"], [60, 80, "comments"]]


def pages(count: int, **changes: Any) -> dict[str, Any]:
    page = {"length": 100, "annotations": {"ada": ADA, "ben": BEN}} | changes
    return {"pages": [{"page": f"p{i}"} | page for i in range(count)]}


def figures(folder: Path, data: object) -> dict[str, Any]:
    path = folder / "annotations.json"
    path.write_text(json.dumps(data))
    return report(read(path))


def test_report_has_the_shape_that_is_promised(tmp_path: Path) -> None:
    result = figures(tmp_path, pages(2))
    assert list(result) == ["pages", "character", "labels", "span", "unitizing"]
    assert list(result["character"]) == [
        "observed",
        "cohen_kappa",
        "krippendorff_alpha",
        "positive_agreement",
        "f1",
    ]
    assert set(result["labels"]) == {"body", "comments"}
    assert set(result["character"]["f1"]) == {"value", "low", "high", "n", "withheld"}
    assert result["unitizing"]["alpha_u"]["value"] is None
    assert result["unitizing"]["alpha_u"]["withheld"]


def test_report_counts_every_position_where_the_text_is_unknown(tmp_path: Path) -> None:
    character = figures(tmp_path, pages(3))["character"]
    assert character["observed"]["value"] == 0.9
    assert character["f1"]["value"] == pytest.approx(2 * 60 / (60 + 70))
    expected = (0.4 * 0.5) + (0.2 * 0.2) + (0.4 * 0.3)
    assert character["cohen_kappa"]["value"] == pytest.approx((0.9 - expected) / (1 - expected))


def test_report_counts_only_ink_where_the_text_is_known(tmp_path: Path) -> None:
    annotations = {"ada": [[0, 2, "body"]], "ben": [[0, 2, "body"], [5, 6, "body"]]}
    data = {"pages": [{"text": "ab   c", "annotations": annotations}]}
    assert figures(tmp_path, data)["character"]["observed"]["value"] == pytest.approx(2 / 3)


def test_report_compares_labels_and_spans(tmp_path: Path) -> None:
    result = figures(tmp_path, pages(1))
    assert result["labels"]["comments"]["f1"]["value"] == 1.0
    assert result["labels"]["body"]["f1"]["value"] == pytest.approx(80 / 90)
    assert result["span"]["exact_f1"]["value"] == 0.5


def test_interval_is_withheld_below_thirty_pages(tmp_path: Path) -> None:
    few = figures(tmp_path, pages(29))["character"]["f1"]
    assert (few["low"], few["high"], few["n"]) == (None, None, 29)
    assert "30" in few["withheld"]
    data = pages(30)
    data["pages"][0]["annotations"] = {"ada": ADA, "ben": ADA}
    enough = figures(tmp_path, data)["character"]["f1"]
    assert enough["withheld"] is None
    assert enough["low"] < enough["value"] < enough["high"]


def test_pages_of_one_annotator_are_not_compared(tmp_path: Path) -> None:
    data = pages(2)
    data["pages"].append({"page": "alone", "length": 5, "annotations": {"ada": []}})
    assert figures(tmp_path, data)["pages"] == 2


def test_an_undefined_figure_is_withheld(tmp_path: Path) -> None:
    result = figures(tmp_path, pages(2, annotations={"ada": [], "ben": []}))
    kappa = result["character"]["cohen_kappa"]
    assert (kappa["value"], result["character"]["observed"]["value"]) == (None, 1.0)
    assert "undefined" in kappa["withheld"]


def test_a_file_without_pages_gives_no_figures(tmp_path: Path) -> None:
    assert figures(tmp_path, {"pages": []})["character"]["f1"]["value"] is None


def test_three_annotators_are_compared_in_pairs(tmp_path: Path) -> None:
    result = figures(tmp_path, pages(1, annotations={"ada": ADA, "ben": BEN, "cleo": ADA}))
    assert result["character"]["observed"]["value"] == pytest.approx((0.9 + 1 + 0.9) / 3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"annotations": {"ada": [[0, 5, "a"], [3, 7, "b"]], "ben": []}},
            "page p0, ada: a 0-5 and b 3-7 overlap",
        ),
        ({"annotations": {"ada": [[0, 101, "a"]], "ben": []}}, "page p0, ada: a span ends at 101 of 100"),
        ({"annotations": {"ada": [[0, 5]], "ben": []}}, "page 1: needs"),
        ({"length": None}, "page 1: needs"),
        ({"annotations": []}, "page 1: needs"),
    ],
)
def test_read_says_where_a_file_is_wrong(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ReportError, match=message):
        figures(tmp_path, pages(1, **changes))


def test_read_refuses_what_is_not_a_report(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match='"pages"'):
        figures(tmp_path, ["pages"])
    with pytest.raises(ReportError, match="No such file"):
        read(tmp_path / "missing.json")
