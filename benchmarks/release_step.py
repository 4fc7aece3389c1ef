"""One step of the part `releases`, in a process of its own.

`python -m benchmarks.release_step STEP SLUG PATH`. Prints what it took as JSON.
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
from annotator.exports.actions import write_release  # noqa: E402
from annotator.gold.actions import add_gold  # noqa: E402
from annotator.gold.models import Gold  # noqa: E402
from annotator.releases import differences  # noqa: E402
from annotator.releases.actions import make, request_release  # noqa: E402
from annotator.releases.models import Release  # noqa: E402
from benchmarks.memory import peak  # noqa: E402

# So many changed pages are shown at once.
SHOWN = 20


def take(step: str, corpus: Corpus, path: Path) -> dict[str, Any]:
    """CPU seconds of this process, queries, peak in KB, the digest of what was written if anything was."""
    queries = 0

    def count(execute: Any, *call: Any) -> Any:
        nonlocal queries
        queries += 1
        return execute(*call)

    if step == "make the next":
        change_some(corpus)
    began = time.process_time()
    with connection.execute_wrapper(count):
        STEPS[step](corpus, path)
    found = {"cpu": time.process_time() - began, "queries": queries, "peak": peak(), "digest": ""}
    if path.exists():
        with path.open("rb") as file:
            found["digest"] = file_digest(file, "sha256").hexdigest()
    return found


def make_one(corpus: Corpus, _path: Path) -> None:
    claimed = work.claim(Release, request_release(corpus=corpus).pk)
    assert claimed
    assert make(claimed), Release.objects.get(pk=claimed.pk).error


def export(corpus: Corpus, path: Path) -> None:
    write_release(corpus.releases.get(number=1), "jsonl", path)


def differ(corpus: Corpus, _path: Path) -> None:
    """As the screen shows it: how many, and the first in full."""
    found = differences.between(*corpus.releases.order_by("number")[:2])
    list(differences.changes(found, found.changed[:SHOWN]))


STEPS = {
    "make": make_one,
    "export": export,
    "export again": export,
    "make the next": make_one,
    "what differs": differ,
}


def change_some(corpus: Corpus) -> None:
    """One gold in a hundred has a span less."""
    current = Gold.objects.filter(page__corpus=corpus, current=True).select_related("document")
    for gold in current.order_by("pk")[::100]:
        add_gold(document=gold.document, verdict="article", spans=gold.spans[1:], source="adjudicated")


if __name__ == "__main__":
    print(json.dumps(take(sys.argv[1], Corpus.objects.get(slug=sys.argv[2]), Path(sys.argv[3]))))
