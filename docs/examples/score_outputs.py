"""Let an extractor of your own take the text of every page with gold, and read its score.

    GOLDPAN_URL=https://goldpan.example.org GOLDPAN_TOKEN=goldpan_... python score_outputs.py gazettes

The token needs the scopes `read` and `import`, and its person has to be admin of the corpus, as pages are
given out as they were captured to admins only.
"""

import json
import os
import re
import sys
import time
from typing import Any

import httpx

NAME, VERSION = "paragraphs", "1"


def say_why(response: httpx.Response) -> None:
    """End with what Goldpan says was wrong and what to do, where it refuses a request."""
    if not response.is_success:
        raise SystemExit(f"{response.status_code}: {response.read().decode()}")


api = httpx.Client(
    base_url=os.environ["GOLDPAN_URL"] + "/api/v1",
    headers={"Authorization": "Bearer " + os.environ["GOLDPAN_TOKEN"]},
    timeout=60,
    event_hooks={"response": [say_why]},
)


def extract(html: str) -> str:
    """Your extractor; this one takes what is in <p>."""
    found = re.findall(r"<p(?:\s[^>]*)?>(.*?)(?=</p>|<p[\s>])", html, re.DOTALL | re.IGNORECASE)
    return "\n\n".join(re.sub(r"<[^>]*>", "", paragraph) for paragraph in found)


def outputs(slug: str) -> str:
    """The output for each page with gold, as JSON lines."""
    lines, cursor = [], 0
    while cursor is not None:
        part = api.get(f"/corpora/{slug}/gold", params={"cursor": cursor}).json()
        for gold in part["items"]:
            source = api.get(f"/corpora/{slug}/pages/{gold['page_sha256']}/source")
            text = extract(source.content.decode("utf-8", "replace"))
            lines.append(json.dumps({"id": gold["page_sha256"], "text": text}))
        cursor = part["next"]
    return "\n".join(lines)


def score(slug: str) -> dict[str, Any]:
    """Upload the outputs, wait until they are scored, and return their row of the board."""
    file = {"file": ("outputs.jsonl", outputs(slug))}
    stated = {"name": NAME, "version": VERSION, "source": "docs/examples/score_outputs.py"}
    run = api.post(f"/corpora/{slug}/predictions", files=file, data=stated).json()
    while run["stage"] in ("queued", "running"):
        time.sleep(1)
        run = api.get(f"/corpora/{slug}/runs/{run['id']}").json()
    if run["stage"] != "completed":
        raise SystemExit(f"{run['stage']}: {run['error']}")
    while not (board := api.get(f"/corpora/{slug}/board").json())["is_current"]:
        time.sleep(1)
    return next(row for row in board["results"] if row["extractor"] == NAME)


if __name__ == "__main__":
    print(json.dumps(score(sys.argv[1]), indent=2))
