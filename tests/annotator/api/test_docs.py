"""The examples in docs/api.md do what they say, from the first to the last."""

import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from annotator.api.webhooks.actions import signature
from annotator.pages.models import Page
from annotator.runs.models import Run
from tests.annotator.api.client import token_for
from tests.annotator.api.program import connected, run_pending_work

pytestmark = pytest.mark.django_db

DOCS = Path(__file__).parents[3] / "docs" / "api.md"


def test_the_examples_run(cast: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", DOCS.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"token": token_for(cast.hanne)}
    with connected():
        for number, block in enumerate(blocks):
            exec(compile(block, f"docs/api.md, example {number + 1}", "exec"), names)  # noqa: S102
        run_pending_work()
    assert "The council said so on Monday." in capsys.readouterr().out
    pages = Page.objects.filter(corpus__slug="gazettes").order_by("pk")
    assert [page.url for page in pages] == [
        f"https://gazette.example/{name}" for name in ("bridge", "ferry", "fair")
    ]
    secret, body = names["secret"], b"{}"
    signed = f"t={int(time.time())},v1={signature(secret, int(time.time()), body)}"
    assert names["is_from_goldpan"](secret, signed, body)
    assert not names["is_from_goldpan"](secret, signed, b"[]")
    assert Run.objects.get(extractor__name="ours").outputs.get().page == pages[0]
