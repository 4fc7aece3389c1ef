"""Load a corpus with its gold into pandas: one row a page, one row a labelled span, one row an extractor.

    GOLDPAN_URL=https://goldpan.example.org GOLDPAN_TOKEN=goldpan_... python corpus_to_pandas.py gazettes

The token needs the scope `read`, and its person has to be researcher or admin of the corpus.
"""

import os
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pandas as pd

KEPT = ["page_sha256", "url", "site", "language", "verdict", "source", "text"]


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


def listed(path: str, **query: Any) -> Iterator[dict[str, Any]]:
    """Every item of a list, slice by slice."""
    while True:
        answer = api.get(path, params=query).json()
        yield from answer["items"]
        if answer["next"] is None:
            return
        query["cursor"] = answer["next"]


def load(slug: str) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The pages with their text and verdict, the spans of their gold, and the board."""
    pages, spans = [], []
    for gold in listed(f"/corpora/{slug}/gold", with_text=True, limit=200):
        text = gold["text"]
        pages.append({name: gold[name] for name in KEPT})
        # Offsets are code points, as Python counts.
        spans += [
            {"page_sha256": gold["page_sha256"], **span, "quote": text[span["start"] : span["end"]]}
            for span in gold["spans"]
        ]
    board = api.get(f"/corpora/{slug}/board").json()
    return (
        pd.DataFrame(pages, columns=KEPT).set_index("page_sha256"),
        pd.DataFrame(spans, columns=["page_sha256", "start", "end", "label", "source", "quote"]),
        pd.DataFrame(board["results"]),
    )


if __name__ == "__main__":
    pages, spans, board = load(sys.argv[1])
    if pages.empty:
        raise SystemExit("This corpus has no gold yet.")
    print(f"{len(pages)} pages with gold in {pages['language'].nunique()} languages")
    print(spans.groupby("label")["quote"].apply(lambda quotes: quotes.str.len().sum()))
    print(board[["extractor", "n", "precision", "recall", "f1"]].to_string(index=False))
