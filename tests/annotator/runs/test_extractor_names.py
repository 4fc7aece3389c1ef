"""An extractor is called by its name, and by those parameters in which it differs from the usual."""

from typing import Any

import pytest

from annotator.runs.models import Extractor


@pytest.mark.parametrize(
    ("name", "parameters", "title"),
    [
        ("tree-filter", {"depth": 2, "base": "boilerpipe-article"}, "tree-filter"),
        ("tree-filter", {"depth": 4, "base": "boilerpipe-article"}, "tree-filter (depth 4)"),
        ("goldpan", {"setting": "precision"}, "goldpan (setting precision)"),
        ("bte", {}, "bte"),
        ("gone", {"size": 3, "kind": "a"}, "gone (kind a, size 3)"),
    ],
)
def test_title_says_what_is_not_usual(name: str, parameters: dict[str, Any], title: str) -> None:
    assert str(Extractor(name=name, parameters=parameters)) == title
