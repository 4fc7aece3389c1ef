"""One step of the part `releases`, as a process: `python -m benchmarks.release_step STEP SLUG PATH`.

Prints its cost as JSON.
"""

import json
import sys
import time
from hashlib import file_digest
from pathlib import Path
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402

from annotator.common import work  # noqa: E402
from annotator.corpora.models import Corpus  # noqa: E402
from annotator.gold.models import Gold  # noqa: E402
from annotator.gold.versions import add_gold  # noqa: E402
from annotator.releases import differences  # noqa: E402
from annotator.releases.actions import build_release, request_release  # noqa: E402
from annotator.releases.exports.actions import write  # noqa: E402
from annotator.releases.exports.contents import Contents  # noqa: E402
from annotator.releases.models import Release  # noqa: E402
from benchmarks.memory import peak  # noqa: E402

# Changed pages on one screen.
SHOWN = 20


def take(step: str, corpus: Corpus, path: Path) -> dict[str, Any]:
    """Return CPU seconds, queries, peak memory in KB, and the digest of the exported file, if any."""
    queries = 0

    def count(execute: Any, *call: Any) -> Any:
        nonlocal queries
        queries += 1
        return execute(*call)

    if step == "build the next":
        change_some(corpus)
    began = time.process_time()
    with connection.execute_wrapper(count):
        STEPS[step](corpus, path)
    found = {"cpu": time.process_time() - began, "queries": queries, "peak": peak(), "digest": ""}
    if path.exists():
        with path.open("rb") as file:
            found["digest"] = file_digest(file, "sha256").hexdigest()
    return found


def build_one(corpus: Corpus, _path: Path) -> None:
    claimed = work.claim(Release, request_release(corpus=corpus).pk)
    assert claimed
    assert build_release(claimed), Release.objects.get(pk=claimed.pk).error


def export(corpus: Corpus, path: Path) -> None:
    write(Contents(corpus=corpus, format="jsonl", release=corpus.releases.get(number=1)), path)


def compare(corpus: Corpus, _path: Path) -> None:
    """Compare as the screen does: the counts, and the first pages in full."""
    older, newer = corpus.releases.order_by("number")[:2]
    list(differences.changes(older, newer, differences.between(older, newer).changed[:SHOWN]))


STEPS = {
    "build": build_one,
    "export": export,
    "export again": export,
    "build the next": build_one,
    "compare": compare,
}


def change_some(corpus: Corpus) -> None:
    """Remove a span from the gold of one page in a hundred."""
    current = Gold.objects.filter(page__corpus=corpus, current=True).select_related("document")
    for gold in current.order_by("pk")[::100]:
        add_gold(document=gold.document, verdict="article", spans=gold.spans[1:], source="adjudicated")


if __name__ == "__main__":
    print(json.dumps(take(sys.argv[1], Corpus.objects.get(slug=sys.argv[2]), Path(sys.argv[3]))))
