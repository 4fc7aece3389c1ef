"""The board, and the scores behind it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from ninja import Query, Router, Schema
from pydantic import Field

from annotator import pipeline
from annotator.api.fields import Digest, Key, Listed, Parameters, Text, Window, sliced
from annotator.api.pages import page_or_404
from annotator.api.routing import operation
from annotator.api.runs import ExtractorOut
from annotator.common.errors import GoldpanError, Missing
from annotator.corpora.access import CorpusRequest
from annotator.corpora.queries import label_set_of
from annotator.runs.tuned_on import TunedOn, tuned_on
from annotator.scoring.leaderboard import page_scores, queries
from annotator.scoring.leaderboard.actions import known_filters, leaderboard_of, request_leaderboard
from annotator.scoring.leaderboard.asking import extractor_or_404
from annotator.scoring.leaderboard.citation import cite_board
from annotator.scoring.leaderboard.filters import filters_from
from annotator.scoring.leaderboard.leaderboard import to_json
from annotator.scoring.models import Score
from annotator.scoring.totals.queries import is_behind

router = Router(tags=["scores"])


class BoardQuery(Parameters):
    """Which figures, as on the leaderboard; what is left out is as there by default."""

    metric: Text | None = Field(None, max_length=40)
    labels: Text | None = Field(None, max_length=60, description="A label set, or `label:NAME`")
    gold: Text | None = Field(None, max_length=10, description="`all`, or `blind`")
    mean: Text | None = Field(None, max_length=10, description="`macro`, or `micro`")
    pages: Text | None = Field(None, max_length=10, description="`own`, or `common`")
    of: Text | None = Field(None, max_length=300, description="A slice, such as `language:es`")


class Figures(Schema):
    precision: float
    recall: float
    f1: float


class PageScoreOut(Schema):
    """One extractor on one page, by characters."""

    page_sha256: str
    extractor: ExtractorOut
    labels: str
    figures: Figures
    error: str = Field(description="Why it failed, which counts as an empty output")
    is_blind: bool = Field(description="Whether nobody who made the gold was shown it")
    is_tuned_on: bool = Field(
        description="Whether it was trained or tuned on this page, a near duplicate or its site"
    )


class PageScoreWithSpans(PageScoreOut):
    spans: list[tuple[int, int, str]]


class ScoreWindow(Window):
    extractor: Key
    labels: Text = Field("", max_length=60, description="By default the label set that most gold can tell")


@operation(router, "GET", "/corpora/{slug:slug}/board", "get-board", response=dict[str, Any])
def get_board(request: CorpusRequest, slug: str, query: Query[BoardQuery]) -> dict[str, Any]:
    """The leaderboard in the shape of `evaluate --json`, and what it is cited by.

    `is_current` says whether all scores that there are count in it; others do within seconds.
    """
    corpus = request.access.corpus
    filters = known_filters(corpus, filters_from(request.GET))
    for name, value in query.dict(exclude_none=True).items():
        if getattr(filters, name) != value:
            raise GoldpanError(_("%(name)s: there is no “%(value)s” here.") % {"value": value, "name": name})
    stored, is_asked = request_leaderboard(corpus=corpus, filters=filters)
    if is_asked:
        pipeline.enqueue(stored)
    board = leaderboard_of(stored)
    if board is None or stored.computed_at is None:
        raise Missing(_("The leaderboard is being computed. Try again in a minute."))
    cited = cite_board(corpus, board, computed_at=stored.computed_at).fields()
    # In this order: what is counted between the two changes the state.
    is_current = not is_behind(corpus) and stored.state == queries.state_of(corpus)
    return to_json(board) | cited | {"is_current": is_current}


@operation(router, "GET", "/corpora/{slug:slug}/scores", "list-scores", response=Listed[PageScoreOut])
def list_scores(request: CorpusRequest, slug: str, window: Query[ScoreWindow]) -> dict[str, Any]:
    """The scores of an extractor against current gold, one item a page."""
    corpus = request.access.corpus
    extractor = extractor_or_404(corpus, window.extractor)
    labels = queries.chosen_labels(corpus, window.labels)
    if labels not in queries.label_choices(corpus):
        raise GoldpanError(_("%(name)s: there is no “%(value)s” here.") % {"value": labels, "name": "labels"})
    members = label_set_of(corpus, labels)
    scores = queries.finished_scores(corpus, labels).filter(extraction__extractor=extractor)
    related = scores.select_related("gold__page", "extraction__extractor").defer(
        "gold__spans", "extraction__spans", "extraction__reasons"
    )
    shown, following = sliced(related, window)
    seen = tuned_on(corpus.pk, [extractor.pk])
    return {"items": [_described(score, labels, members, seen) for score in shown], "next": following}


@operation(
    router,
    "GET",
    "/corpora/{slug:slug}/pages/{sha256}/scores",
    "get-page-scores",
    response=list[PageScoreWithSpans],
)
def get_page_scores(request: CorpusRequest, slug: str, sha256: Digest) -> list[dict[str, Any]]:
    """What each extractor took of a page that has gold, and its score; none where there is no gold."""
    corpus = request.access.corpus
    page = page_or_404(corpus, sha256)
    labels = page_scores.labels_of_page(corpus, page.pk)
    if labels is None:
        return []
    members = label_set_of(corpus, labels)
    scores = page_scores.scores_of_page(corpus, page.pk, labels)
    seen = tuned_on(corpus.pk, [score.extraction.extractor_id for score in scores])
    return [_described(score, labels, members, seen) | {"spans": score.extraction.spans} for score in scores]


def _described(
    score: Score, labels: str, members: frozenset[str], seen: Mapping[int, TunedOn]
) -> dict[str, Any]:
    found = page_scores.score_of(score, labels, members)
    assert found, "by characters, every score has a value"
    return {
        "page_sha256": score.gold.page.sha256,
        "extractor": score.extraction.extractor,
        "labels": labels,
        "figures": {"precision": found.precision, "recall": found.recall, "f1": found.f1},
        "error": score.extraction.error,
        "is_blind": score.blind,
        "is_tuned_on": score.gold.page in seen[score.extraction.extractor_id],
    }
