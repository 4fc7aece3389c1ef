"""Analyses of scores: what takes too long for a request is computed by a worker, and kept."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from django.utils.http import urlencode

from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.actions import AT_ONCE
from annotator.scoring.leaderboard.all_pairs import all_pair_tests
from annotator.scoring.leaderboard.error_causes import errors_of_extractor
from annotator.scoring.leaderboard.pair_analysis import compare_two
from annotator.scoring.leaderboard.people import human_agreement
from annotator.scoring.leaderboard.retrieval import retrieval_effect
from annotator.scoring.models import Analysis, AnalysisKind
from annotator.scoring.totals.queries import gold_total

Progress = Callable[[int, int], bool]

# Each returns a result as JSON. It says how far it is, and ends early where the answer is False: another
# worker has taken the row over.
ANALYSES: Mapping[str, Callable[[Corpus, Mapping[str, str], Progress], dict[str, Any]]] = {
    AnalysisKind.ERRORS: errors_of_extractor,
    AnalysisKind.PAIR: compare_two,
    AnalysisKind.PAIRS: all_pair_tests,
    AnalysisKind.RETRIEVAL: retrieval_effect,
    AnalysisKind.PEOPLE: human_agreement,
}


def request_analysis(
    *, corpus: Corpus, name: AnalysisKind, filters: Mapping[str, str], state: str | None = None
) -> tuple[Analysis, bool]:
    """Return the last analysis of this kind, and whether a worker has to be told to compute a newer one.

    `state` is that of the scores, where it was read before.
    """
    state = queries.state_of(corpus) if state is None else state
    row, is_new = Analysis.objects.get_or_create(
        corpus=corpus, name=name, filters=urlencode(sorted(filters.items())), defaults={"asked_state": state}
    )
    if row.asked_state != state and work.reopen(row, asked_state=state):
        row.refresh_from_db()
        return row, True
    return row, is_new


def is_small(row: Analysis) -> bool:
    """Whether the corpus has few scores, so that no worker is kept from other work."""
    return gold_total(row.corpus).pages <= AT_ONCE


def compute(row: Analysis) -> bool:
    """Compute a claimed analysis; False when another worker took it over."""
    # Read first: what changes meanwhile has it computed again.
    state = queries.state_of(row.corpus)

    def progress(done: int, total: int) -> bool:
        return work.send_heartbeat(row, done=done, total=total)

    result = ANALYSES[row.name](row.corpus, QueryDict(row.filters).dict(), progress)
    return work.finish(row, result=result, state=state, asked_state=state, computed_at=timezone.now())
