"""Runs for tests of screens."""

from datetime import timedelta

from django.utils import timezone

from annotator.corpora.models import Corpus, User
from annotator.pages.models import StoredDocument
from annotator.runs.actions import register
from annotator.runs.models import Extraction, Run


def runs_in_every_state(corpus: Corpus, admin: User) -> dict[str, Run]:
    """Runs that are done, paused and running, by these words; failures by cause, and what is tried again."""
    now = timezone.now()
    faulty = register("tree-filter", depth=7)
    for number, document in enumerate(StoredDocument.objects.filter(current_of__corpus=corpus)[:4]):
        failing = {"error": "RecursionError: nested deeper than 1,000 elements", "finished_at": now}
        waiting = {"faults": 3, "last_fault": "OSError: the file store is not there"}
        Extraction.objects.create(document=document, extractor=faulty, **(failing if number else waiting))
    made = {"corpus": corpus, "requested_by": admin, "started_at": now - timedelta(minutes=4)}
    replaced = corpus.enabled.earliest("pk").extractor
    return {
        "done": Run.objects.create(
            **made,
            extractor=faulty,
            pages=1221,
            done=1221,
            failed=3,
            replaced=replaced,
            completed_at=now,
            counted_at=now,
        ),
        "paused": Run.objects.create(
            **made,
            extractor=register("tree-filter", depth=8),
            pages=1221,
            done=388,
            failed=2,
            retrying=4,
            counted_at=now,
            paused_at=now,
            finished_at=now,
        ),
        "running": Run.objects.create(
            **made,
            extractor=register("tree-filter", depth=9),
            pages=1221,
            done=467,
            failed=15,
            counted_at=now,
        ),
    }
