"""A corpus from its first page to its scores through the API alone, and the examples on it.

Its gold comes with its pages: what annotators do stays in the browser.
"""

import json
import runpy
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from tests.annotator.api.client import token_for
from tests.annotator.api.program import connected
from tests.factories import ARTICLE

pytestmark = pytest.mark.django_db

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
BODY = "The council said on Monday that the bridge, closed for most of the year, would open again."


def line(number: int) -> str:
    html = ARTICLE.format(number=number)
    gold = {"verdict": "article", "text": BODY, "labels": ["body"]}
    return json.dumps({"html": html, "url": f"https://gazette.example/{number}", "gold": gold})


def wait(api: httpx.Client, path: str, *states: str) -> dict[str, Any]:
    """Ask until the thing is in one of these states."""
    for _ in range(5):
        found: dict[str, Any] = api.get(path).raise_for_status().json()
        if found.get("stage", found.get("state")) in states:
            return found
        time.sleep(1)
    raise AssertionError(found)


def test_a_corpus_is_built_read_and_scored_through_the_api_alone(
    cast: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    token = token_for(cast.hanne)
    with connected():
        api = httpx.Client(
            base_url="https://goldpan.example/api/v1", headers={"Authorization": f"Bearer {token}"}
        )
        for slug in ("gazettes", "empty"):
            api.post("/corpora", json={"slug": slug}).raise_for_status()
        file = ("pages.jsonl", "\n".join(map(line, range(3))))
        run = api.post("/corpora/gazettes/imports", files={"files": file}).raise_for_status().json()
        at = f"/corpora/gazettes/imports/{run['id']}"
        assert wait(api, at, "previewed")["preview"]["pages"] == 3
        api.post(f"{at}/start", json={"with_gold": True}).raise_for_status()
        assert wait(api, at, "completed")["gold"] == 3
        one = {"file": ("a.html", ARTICLE.format(number=9))}
        page = api.post("/corpora/gazettes/pages", files=one).raise_for_status().json()["page"]
        wait(api, f"/corpora/gazettes/pages/{page['sha256']}", "waiting")

        # Everything that the screens show of it.
        golds = api.get("/corpora/gazettes/gold", params={"with_text": True}).json()["items"]
        for gold in golds:
            assert [gold["text"][each["start"] : each["end"]] for each in gold["spans"]] == [BODY]
        board = api.get("/corpora/gazettes/board", params={"labels": "body"}).json()
        found = {row["extractor"]: row for row in board["results"]}
        assert found["everything"]["n"] == 3
        assert found["everything"]["recall"] == 1
        shown = api.get(f"/corpora/gazettes/pages/{golds[0]['page_sha256']}/scores").json()
        assert {row["extractor"]["name"] for row in shown} == set(found)
        one_extractor = shown[0]["extractor"]["id"]
        scores = api.get("/corpora/gazettes/scores", params={"extractor": one_extractor}).json()["items"]
        assert len(scores) == 3

        # A program that was not enabled, an export of a release, and what jobs there were.
        started = api.post("/corpora/gazettes/runs", json={"extractor": "bte"}).raise_for_status().json()
        wait(api, f"/corpora/gazettes/runs/{started['id']}", "completed")
        of_site = {"extractor": "mss", "part": "site:gazette.example"}
        part = api.post("/corpora/gazettes/runs", json=of_site).raise_for_status().json()
        assert api.post("/corpora/gazettes/runs", json=of_site | {"part": "half"}).status_code == 422
        run_of_part = wait(api, f"/corpora/gazettes/runs/{part['id']}", "completed")
        assert (run_of_part["part"], run_of_part["pages"]) == ("site:gazette.example", 3)
        api.post("/corpora/gazettes/releases", json={"note": "first"}).raise_for_status()
        release = wait(api, "/corpora/gazettes/releases/1", "done")
        manifest = api.get("/corpora/gazettes/releases/1/manifest")
        assert release["pages"] == 3
        assert "gazettes" in manifest.text
        asked = {"format": "jsonl", "outputs": True}
        export = api.post("/corpora/gazettes/exports", json=asked).raise_for_status().json()
        wait(api, f"/corpora/gazettes/exports/{export['id']}", "done")
        exported = api.get(f"/corpora/gazettes/exports/{export['id']}/file").raise_for_status()
        lines = [json.loads(line) for line in exported.text.splitlines()]
        assert len(lines) == 3
        assert "bte" in {each["extractor"] for each in lines[0]["outputs"]}
        jobs = api.get("/corpora/gazettes/jobs").json()
        assert {job["kind"] for job in jobs["past"]} == {"Import", "Run", "Release", "Export"}

        examples(monkeypatch, token)
    printed = capsys.readouterr().out
    assert "3 pages with gold in 1 languages" in printed
    assert '"extractor": "paragraphs"' in printed
    # Three of the four paragraphs are no gold.
    assert 0 < json.loads(printed[printed.index("{") :])["precision"] < 1


def examples(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setenv("GOLDPAN_URL", "https://goldpan.example")
    monkeypatch.setenv("GOLDPAN_TOKEN", token)
    for name in ("corpus_to_pandas.py", "score_outputs.py"):
        path = EXAMPLES / name
        assert len([each for each in path.read_text("utf-8").splitlines() if each.strip()]) <= 70
        monkeypatch.setattr(sys, "argv", [name, "gazettes"])
        runpy.run_path(str(path), run_name="__main__")
    with pytest.raises(SystemExit, match=r"409: .* another version"):
        runpy.run_path(str(path), run_name="__main__")
    monkeypatch.setattr(sys, "argv", [name, "empty"])
    with pytest.raises(SystemExit, match="no gold yet"):
        runpy.run_path(str(EXAMPLES / "corpus_to_pandas.py"), run_name="__main__")
