"""The example in docs/agreement.md runs, and its figures are those of the section "By hand"."""

import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[3] / "docs" / "agreement.md"


def test_the_example_runs() -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", DOCS.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, "docs/agreement.md", "exec"), names)  # noqa: S102
    assert names["kappa"].value == pytest.approx(0.737, abs=0.0005)
