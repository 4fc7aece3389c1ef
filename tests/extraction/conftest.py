"""One parser child for what evaluates or extracts in a test process: each call would start its own."""

from contextlib import nullcontext

import pytest


@pytest.fixture(autouse=True)
def shared_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("extraction.evaluation.runner", "extraction.__main__"):
        monkeypatch.setattr(f"{module}.Parser", lambda: nullcontext(request.getfixturevalue("parser")))
