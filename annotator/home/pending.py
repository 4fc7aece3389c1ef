"""Doing a corpus's outstanding work here and now, step after step, without a broker.

The rows decide as ever (law 8): what a worker holds is left to it, and waited for.
"""

import time
from collections.abc import Callable, Iterator

from django.utils import timezone

from annotator.agreement.models import Agreement
from annotator.agreement.tasks import compare_round
from annotator.agreement.tasks import request_missing as request_comparisons
from annotator.annotations.tasks import open_missing_rounds
from annotator.bias.models import Change
from annotator.bias.tasks import compare_with_gold
from annotator.bias.tasks import request_missing as request_changes
from annotator.common.work import Work
from annotator.corpora.models import Corpus
from annotator.gold.tasks import align_imported, settle_missing
from annotator.pages.models import ImportedGold, Page
from annotator.pages.tasks import build_document
from annotator.runs.models import Extraction
from annotator.runs.tasks import request_missing as request_extractions
from annotator.runs.tasks import run_extractor
from annotator.scoring.models import Measurement, Score
from annotator.scoring.tasks import measure_missing, measure_score, score_extraction
from annotator.scoring.tasks import request_missing as request_scores

# Where each kind of work finds its corpus, and the task that does it; in the order of the journey.
STEPS: tuple[tuple[type[Work], str, Callable[[int], None]], ...] = (
    (Page, "corpus", build_document),
    (ImportedGold, "page__corpus", align_imported),
    (Extraction, "document__page__corpus", run_extractor),
    (Agreement, "round__page__corpus", compare_round),
    (Change, "gold__page__corpus", compare_with_gold),
    (Score, "gold__page__corpus", score_extraction),
    (Measurement, "score__gold__page__corpus", measure_score),
)
LOOKERS = (
    open_missing_rounds,
    request_extractions,
    request_comparisons,
    settle_missing,
    request_changes,
    request_scores,
    measure_missing,
)
# A row that a worker holds is looked at again after this.
PATIENCE = 0.2


def work_off(corpus: Corpus, *, progress: Callable[[], None] = lambda: None) -> int:
    """Do everything that is missing in the corpus; how many pieces of work have failed in it, all told.

    Ends when nothing is open any more, waiting for what workers hold.
    """
    while True:
        for look in LOOKERS:
            look()
        done = sum(_do(kind, path, task, corpus, progress) for kind, path, task in STEPS)
        if not done and not _nothing_missing(corpus):
            time.sleep(PATIENCE)
        elif not done:
            return failures(corpus)


def _do(
    kind: type[Work], path: str, task: Callable[[int], None], corpus: Corpus, progress: Callable[[], None]
) -> int:
    rows = list(_open(kind, path, corpus))
    for pk in rows:
        task(pk)
        progress()
    return len(rows)


def _open(kind: type[Work], path: str, corpus: Corpus) -> Iterator[int]:
    return (
        kind.objects.claimable(timezone.now())
        .filter(**{path: corpus})
        .values_list("pk", flat=True)
        .iterator()
    )


def _nothing_missing(corpus: Corpus) -> bool:
    return not any(kind.objects.open().filter(**{path: corpus}).exists() for kind, path, _task in STEPS)


def failures(corpus: Corpus) -> int:
    return sum(kind.objects.failed().filter(**{path: corpus}).count() for kind, path, _task in STEPS)
