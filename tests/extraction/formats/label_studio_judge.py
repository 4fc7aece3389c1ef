"""Label Studio itself takes our tasks: `python -m tests.extraction.formats.label_studio_judge PROGRAM`.

PROGRAM is `label-studio` of an environment of its own (`pip install label-studio`); it is not among the
requirements, as it brings a hundred packages. The server runs with a temporary folder and SQLite. What it
exports is compared with what went in: verdicts, labels, offsets and quoted texts, then spans as we read them.
"""

import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from extraction.formats import PageRecord, label_studio
from tests.extraction.formats.exported import FACTS, pages
from tests.processes import free_port

TOKEN = secrets.token_hex(20)
SECONDS = 300
Regions = set[tuple[str, str, int, int, str]]


def main() -> None:
    records = list(pages())
    with tempfile.TemporaryDirectory() as name, serving(Path(name), sys.argv[1]) as studio:
        folder = Path(name) / "dailies"
        label_studio.WRITER.write_folder(records, folder, FACTS)
        exported = taken(studio, folder)
        sent = json.loads((folder / label_studio.TASKS).read_bytes())
        assert [regions(task) for task in exported] == [regions(task) for task in sent]
        back = Path(name) / "export.json"
        back.write_text(json.dumps(exported), encoding="utf-8")
        assert spans(label_studio.read(back)) == spans(records)
        astral = sum(any(ord(each) > 0xFFFF for each in task["data"]["text"]) for task in sent)
        n = sum(len(regions(task)) for task in sent)
        version = studio.get("/api/version").json()["label-studio-os-package"]["version"]
    print(f"Label Studio {version}: {len(sent)} tasks, {astral} with astral text, {n} regions, all equal.")


@contextmanager
def serving(folder: Path, program: str) -> Iterator[httpx.Client]:
    """A client of a Label Studio that answers."""
    port = free_port()
    own = {"LABEL_STUDIO_BASE_DATA_DIR": str(folder), "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true"}
    quiet = {"COLLECT_ANALYTICS": "false", "SENTRY_DSN": "", "FRONTEND_SENTRY_DSN": "", "DJANGO_DB": "sqlite"}
    person = ["--username", "ada@example.org", "--password", "a-long-password", "--user-token", TOKEN]
    server = subprocess.Popen(
        [program, "start", "--no-browser", "--port", str(port), *person],
        env={"PATH": os.defpath, "HOME": str(folder), **own, **quiet},
        cwd=folder,
        stdout=(folder / "log").open("wb"),
        stderr=subprocess.STDOUT,
    )
    try:
        with httpx.Client(
            base_url=f"http://127.0.0.1:{port}", headers={"Authorization": f"Token {TOKEN}"}, timeout=120
        ) as client:
            wait(client, server, folder / "log")
            yield client
    finally:
        server.terminate()
        server.wait()


def wait(client: httpx.Client, server: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(SECONDS):
        try:
            client.get("/api/projects").raise_for_status()
        except httpx.HTTPError:
            assert server.poll() is None, log.read_text(encoding="utf-8", errors="replace")[-2000:]
            time.sleep(1)
        else:
            return
    raise TimeoutError(f"Label Studio does not answer within {SECONDS} s")


def taken(studio: httpx.Client, folder: Path) -> list[Any]:
    """Make a project with our interface, import our tasks, and return what it exports, in their order."""
    config = (folder / label_studio.CONFIG).read_text(encoding="utf-8")
    project = studio.post("/api/projects", json={"title": "Dailies", "label_config": config})
    number = project.raise_for_status().json()["id"]
    with (folder / label_studio.TASKS).open("rb") as file:
        files = {"file": ("tasks.json", file, "application/json")}
        studio.post(f"/api/projects/{number}/import", files=files).raise_for_status()
    asked = {"exportType": "JSON", "download_all_tasks": "true"}
    found = studio.get(f"/api/projects/{number}/export", params=asked).raise_for_status().json()
    return sorted(found, key=lambda task: str(task["data"]["sha256"]))


def regions(task: Any) -> list[Regions]:
    """What is marked in each annotation of a task."""
    return sorted(
        ({_region(each) for each in annotation["result"]} for annotation in task["annotations"]), key=sorted
    )


def _region(region: Any) -> tuple[str, str, int, int, str]:
    value = region["value"]
    label = (value.get("labels") or value.get("choices"))[0]
    return region["type"], label, value.get("start", 0), value.get("end", 0), value.get("text", "")


def spans(records: Any) -> list[Any]:
    found = sorted((each for each in records if isinstance(each, PageRecord)), key=lambda each: each.sha256)
    return [(each.sha256, each.gold and each.gold.verdict, each.gold and each.gold.spans) for each in found]


if __name__ == "__main__":
    main()
