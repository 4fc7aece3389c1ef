"""An extractor is run on a page that is stored nowhere."""

from concurrent.futures import ThreadPoolExecutor, as_completed
from io import BytesIO
from itertools import islice
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from ninja import UploadedFile

from annotator.api import extractions, limits
from annotator.common.roles import Scope
from annotator.pages.models import Page
from tests.annotator.api.client import Api
from tests.annotator.api.test_pages import upload
from tests.processes import A_WHILE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

ASTRAL = (
    "<!doctype html><meta charset=utf-8><h1>Bridge opens</h1>"
    + "<p>The council  said\n \U0001d54f that the bridge, closed for most of the year, would open on Monday. "
    * 9
)


def test_ranges_are_of_the_text_as_written(cast: SimpleNamespace) -> None:
    answer = Api(cast.ada).send("/extractions", file=upload(ASTRAL.encode()), extractor="goldpan")
    assert answer.status_code == 200, answer.content
    nodes = answer.json()["nodes"]
    taken = []
    for node in nodes:
        units = node["text"].encode("utf-16-le")
        taken += [units[2 * part["start"] : 2 * part["end"]].decode("utf-16-le") for part in node["ranges"]]
    assert taken[0] == "Bridge opens"
    assert taken[1].startswith("The council  said\n \U0001d54f that")
    assert taken[1].endswith("on Monday.")
    assert not Page.objects.exists()


def test_every_extractor_that_is_listed_is_found(cast: SimpleNamespace) -> None:
    api = Api(cast.ada)
    names = [each["name"] for each in api.get("/extractors").json()]
    assert {"goldpan", "trafilatura"} <= set(names)
    assert api.send("/extractions", file=upload(ASTRAL.encode()), extractor="trafilatura").json()["nodes"]
    refused = api.send("/extractions", file=upload(), extractor="nobody")
    assert (refused.status_code, "nobody" in refused.json()["detail"]) == (404, True)


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"<div " + b"a=1 " * 5_000 + b">"])
def test_a_page_that_is_refused_is_so_with_the_reason(cast: SimpleNamespace, data: bytes) -> None:
    answer = Api(cast.ada).send("/extractions", file=upload(data))
    assert (answer.status_code, bool(answer.json()["detail"])) == (422, True)


def test_a_token_without_the_scope_and_nobody_get_nothing(cast: SimpleNamespace) -> None:
    assert Api(cast.ada, Scope.IMPORT).send("/extractions", file=upload()).status_code == 403
    assert Api().send("/extractions", file=upload()).status_code == 401


def test_a_person_waits_after_too_many(cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_EXTRACTIONS", 0)
    answer = Api(cast.ada).send("/extractions", file=upload())
    assert (answer.status_code, "Retry-After" in answer) == (429, True)


def test_extractions_leave_threads_for_other_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the eight of a process, of which each would wait for its turn."""
    end = Event()

    def slow(raw: bytes, extractor: str) -> list[object]:
        assert end.wait(A_WHILE)
        return []

    def ask(user: int) -> bool:
        request: Any = SimpleNamespace(user=SimpleNamespace(pk=user))
        form = extractions.ExtractionForm.model_construct(extractor="goldpan")
        try:
            extractions.extract_page(request, form, UploadedFile(BytesIO(b"<p>A story."), "page.html"))
        except limits.TooManyRequests:
            return False
        return True

    monkeypatch.setattr(extractions, "marks_of_page", slow)
    with ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(ask, -user) for user in range(8)]
        refused = list(islice(as_completed(asked, timeout=A_WHILE), 5))
        end.set()
    assert [each.result() for each in refused] == [False] * 5
    assert sum(each.result() for each in asked) == 3


def test_a_busy_server_says_so_and_not_that_the_page_is_bad(
    cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(raw: bytes, extractor: str) -> list[object]:
        raise TimeoutError

    monkeypatch.setattr(extractions, "marks_of_page", late)
    assert Api(cast.ada).send("/extractions", file=upload()).status_code == 503
