"""Leaderboards are computed once for each state of the scores, and stored."""

from dataclasses import replace
from functools import partial

import msgspec
import numpy as np
from django.utils import timezone

from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.scoring.leaderboard import boards, queries
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.leaderboard import Leaderboard
from annotator.scoring.measuring import STORED
from annotator.scoring.models import StoredLeaderboard
from annotator.scoring.totals.queries import gold_total, is_slice
from annotator.scoring.totals.slices import Selection
from extraction.spans import LABEL_SETS

# With more gold than this the leaderboard is computed by a worker, with less in the request.
AT_ONCE = 300


def request_leaderboard(
    *, corpus: Corpus, filters: LeaderboardFilters, state: str | None = None, with_board: bool = True
) -> tuple[StoredLeaderboard, bool]:
    """Return the stored leaderboard, and whether a worker has to be told to compute a newer one.

    A small one is computed at once. The corpus has what `filters` name: see `known_filters`. `state` is that
    of the scores, where it was read before.
    """
    state = queries.state_of(corpus) if state is None else state
    rows = StoredLeaderboard.objects.all() if with_board else StoredLeaderboard.objects.defer("board")
    row, is_new = rows.get_or_create(corpus=corpus, filters=filters.key, defaults={"asked_state": state})
    is_asked = is_new or (row.asked_state != state and work.reopen(row, asked_state=state))
    if not is_asked or gold_total(corpus).pages > AT_ONCE:
        return row, is_asked
    if claimed := work.claim(StoredLeaderboard, row.pk):
        claimed.corpus = corpus
        if not work.attempt(claimed, partial(compute, state=state)):
            claimed.refresh_from_db()
        return claimed, False
    return row, False


def known_filters(corpus: Corpus, filters: LeaderboardFilters) -> LeaderboardFilters:
    """The filters without slices or a label that the corpus does not have, or that has no such metric."""
    if filters.of:
        known = (each for each in filters.selection.slices if is_slice(corpus, each))
        filters = replace(filters, of=str(Selection.of(known)))
    is_single = filters.labels not in (None, *LABEL_SETS)
    if is_single and (filters.metric != STORED or filters.labels not in queries.label_choices(corpus)):
        filters = replace(filters, labels=None)
    return filters


def compute(row: StoredLeaderboard, state: str | None = None) -> bool:
    """Compute a claimed leaderboard; False when another worker took it over."""
    # Read first: what changes meanwhile has it computed again.
    state = queries.state_of(row.corpus) if state is None else state
    filters = LeaderboardFilters.from_key(row.filters)
    board = boards.board(
        row.corpus,
        labels=filters.labels,
        metric=filters.metric,
        gold=filters.gold,
        mean=filters.mean,
        page_set=filters.pages,
        of=filters.selection,
    )
    stored = msgspec.to_builtins(board, str_keys=True, enc_hook=np.generic.item)
    return work.finish(row, board=stored, state=state, asked_state=state, computed_at=timezone.now())


def leaderboard_of(row: StoredLeaderboard) -> Leaderboard | None:
    """Return the leaderboard as it was last computed; None before the first time."""
    return msgspec.convert(row.board, Leaderboard, str_keys=True) if row.board else None
