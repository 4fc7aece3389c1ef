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
    promised = {"pages", "character", "labels", "span", "unitizing"}
    assert set(result) == promised | {"excluded", "word", "block", "label_sets"}
    measures = {"observed", "cohen_kappa", "krippendorff_alpha", "positive_agreement", "f1"}
    for level in ("character", "word", "block"):
        assert set(result[level]) == measures | {"gwet_ac1"}
    assert set(result["labels"]) == {"body", "comments"}
    assert set(result["label_sets"]) == {"main", "article", "any", "body"}
    assert set(result["span"]) == {"exact_f1", "partial_f1"}
    assert set(result["unitizing"]) == {"alpha_u", "alpha_u_2016"}
    told = {"value", "low", "high", "n", "withheld"}
    for figure in (result["character"]["f1"], result["unitizing"]["alpha_u"], result["span"]["exact_f1"]):
        assert set(figure) == told | {"units", "chance", "excluded"}


def test_report_of_a_length_has_no_words(tmp_path: Path) -> None:
    word = figures(tmp_path, pages(2))["word"]["cohen_kappa"]
    assert (word["value"], word["n"], word["withheld"]) == (None, 0, "no page to compare")
    assert word["excluded"] == {"its text is not known": 2}


def test_report_of_a_text_has_words_and_the_blocks_that_are_given(tmp_path: Path) -> None:
    annotations = {"ada": [[0, 7, "body"]], "ben": [[0, 3, "body"], [8, 13, "body"]]}
    page = {"text": "one two three four", "annotations": annotations}
    assert figures(tmp_path, {"pages": [page]})["word"]["observed"]["value"] == 0.5
    assert figures(tmp_path, {"pages": [page]})["block"]["observed"]["units"] == 1
    blocks = {"blocks": [[0, 7], [8, 18]]}
    found = figures(tmp_path, {"pages": [page | blocks]})["block"]["observed"]
    assert (found["units"], found["value"]) == (2, 0.0)


def test_report_compares_verdicts_where_they_are_given(tmp_path: Path) -> None:
    verdicts = [{"ada": "article", "ben": "article"}, {"ada": "none", "ben": "article"}]
    data = pages(2)
    for page, given in zip(data["pages"], verdicts, strict=True):
        page["verdicts"] = given
    assert figures(tmp_path, data)["verdict"]["observed"]["value"] == 0.5
    assert "verdict" not in figures(tmp_path, pages(2))


def test_report_counts_every_position_where_the_text_is_unknown(tmp_path: Path) -> None:
    character = figures(tmp_path, pages(3))["character"]
    assert character["observed"]["value"] == 0.9
    assert character["f1"]["value"] == pytest.approx(2 * 60 / (60 + 70))
    expected = (0.4 * 0.5) + (0.2 * 0.2) + (0.4 * 0.3)
    assert character["cohen_kappa"]["value"] == pytest.approx((0.9 - expected) / (1 - expected))


def test_report_counts_only_visible_characters_where_the_text_is_known(tmp_path: Path) -> None:
    annotations = {"ada": [[0, 2, "body"]], "ben": [[0, 2, "body"], [5, 6, "body"]]}
    data = {"pages": [{"text": "ab   c", "annotations": annotations}]}
    assert figures(tmp_path, data)["character"]["observed"]["value"] == pytest.approx(2 / 3)


def test_report_compares_labels_and_spans(tmp_path: Path) -> None:
    result = figures(tmp_path, pages(1))
    assert result["labels"]["comments"]["f1"]["value"] == 1.0
    assert result["labels"]["comments"]["unitizing"]["alpha_u"]["value"] == 1.0
    assert result["labels"]["body"]["f1"]["value"] == pytest.approx(80 / 90)
    assert result["label_sets"]["article"]["f1"]["value"] == pytest.approx(80 / 90)
    assert result["span"]["exact_f1"]["value"] == 0.5


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
        ({"length": -1}, "page 1: needs"),
        ({"text": 5}, "page 1: needs"),
        ({"text": "a", "blocks": [[0, 9]]}, "page 1: needs"),
        ({"text": "a", "blocks": [[0, 1], [1, 1]]}, "page 1: needs"),
        ({"annotations": {"ada": [[0, 5, ""]]}}, "page 1: needs"),
        ({"verdicts": ["article"]}, "page 1: needs"),
    ],
)
def test_read_says_where_a_file_is_wrong(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ReportError, match=message):
        figures(tmp_path, pages(1, **changes))


def test_read_refuses_what_is_not_a_report(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match='"pages"'):
        figures(tmp_path, ["pages"])
    with pytest.raises(ReportError, match="not a list"):
        figures(tmp_path, {"pages": {"p": 1}})
    with pytest.raises(ReportError, match="No such file"):
        read(tmp_path / "missing.json")
