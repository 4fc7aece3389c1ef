"""The payload of the error view: one page's gold and one extraction, compared."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from annotator.annotations.workbench.payload import document_payload, page_payload
from annotator.common.display_names import CAUSES
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_set_of
from annotator.runs import reasons
from annotator.scoring.leaderboard import page_scores
from annotator.scoring.leaderboard.error_causes import errors_of_score
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.models import Score
from extraction.evaluation.causes import PageError
from extraction.spans import LABEL_SETS


@dataclass(frozen=True)
class Rank:
    """Where a page stands among those of an extractor, worst first: its number, and those beside it."""

    number: int
    count: int
    before: int | None
    after: int | None


def payload(
    score: Score,
    others: list[Score],
    filters: LeaderboardFilters,
    labels: str,
    rank: Rank,
    second: Score | None = None,
) -> dict[str, Any]:
    """Return the payload of error_view.html, without the addresses of the frame.

    `second` is another extraction of the page, whose errors are listed beside those of the first.
    """
    corpus, page = score.gold.page.corpus, score.gold.page
    members = label_set_of(corpus, labels)
    return {
        "urls": _urls(corpus, score, filters, labels, rank, second),
        "document": document_payload(score.gold.document),
        "labels": [{"name": label.name, "number": label.number} for label in corpus.labels.all()],
        "gold": [span[:3] for span in score.gold.spans],
        "extraction": [] if score.extraction.error else score.extraction.spans,
        "errors": _errors(score, second, members),
        "reasons": reasons.descriptions(score.extraction.reasons),
        "no_reason": reasons.description_without_row() if score.extraction.reasons else "",
        "label_set": labels,
        "set_labels": sorted(members),
        "metric": filters.metric,
        "scores": _figures(score, labels, members, filters),
        "failed": score.extraction.error,
        "explanation_error": score.extraction.explanation_error,
        "second": second and _second(second, labels, members, filters),
        "others": others_of(corpus, others, filters, labels),
        "page": page_payload(page),
    }


def _figures(
    score: Score, labels: str, members: Collection[str], filters: LeaderboardFilters
) -> dict[str, float | None] | None:
    found = page_scores.score_of(score, labels, members, filters.metric)
    return {"precision": found.precision, "recall": found.recall, "f1": found.f1} if found else None


def _second(
    score: Score, labels: str, members: Collection[str], filters: LeaderboardFilters
) -> dict[str, Any]:
    extractor = score.extraction.extractor
    return {
        "name": str(extractor),
        "version": extractor.version,
        "failed": score.extraction.error,
        "scores": _figures(score, labels, members, filters),
    }


def _errors(score: Score, second: Score | None, members: Collection[str]) -> list[dict[str, Any]]:
    """Return the errors on the page with their causes, the largest first.

    `by` says who makes them: "a" the first extraction alone, "b" the second alone, "ab" both of them.
    """
    own = errors_of_score(score, members)
    other = errors_of_score(second, members) if second else []
    rows = [_row(error, "ab" if _shares(error, other) else "a") for error in own]
    rows += [_row(error, "b") for error in other if not _shares(error, own)]
    return sorted(rows, key=lambda row: (-row["size"], row["start"]))


def _row(error: PageError, by: str) -> dict[str, Any]:
    return {**error._asdict(), "cause": str(CAUSES[error.cause]), "by": by}


def _shares(error: PageError, others: Iterable[PageError]) -> bool:
    """Whether the other extraction makes an error of the same kind on most of this text."""
    same = sum(
        max(0, min(error.end, other.end) - max(error.start, other.start))
        for other in others
        if other.kind == error.kind
    )
    return 2 * same > error.end - error.start


def error_view_url(
    corpus: Corpus, extractor: int, page: int, filters: LeaderboardFilters, versus: int | None = None
) -> str:
    query = filters.query
    if versus:
        query += f"{'&' if query else '?'}vs={versus}"
    return reverse("error-view", args=[corpus.slug, extractor, page]) + query


def _urls(
    corpus: Corpus,
    score: Score,
    filters: LeaderboardFilters,
    labels: str,
    rank: Rank,
    second: Score | None,
) -> dict[str, str | None]:
    extractor, page = score.extraction.extractor_id, score.gold.page_id
    other = second.extraction.extractor_id if second else None

    def beside(number: int | None) -> str | None:
        return error_view_url(corpus, extractor, number, filters, other) if number else None

    return {
        "view": reverse("error-view-document", args=[corpus.slug, extractor, page]),
        # Pages are reduced for the errors under a whole label set.
        "shrink": reverse("shrink", args=[corpus.slug, extractor, page]) if labels in LABEL_SETS else None,
        "back": reverse("leaderboard-pages", args=[corpus.slug, extractor]) + filters.query,
        "causes": reverse("error-causes", args=[corpus.slug, extractor]) + filters.query,
        "next": beside(rank.after),
        "previous": beside(rank.before),
        "swap": error_view_url(corpus, other, page, filters, extractor) if other else None,
    }


def others_of(
    corpus: Corpus, others: list[Score], filters: LeaderboardFilters, labels: str
) -> list[dict[str, Any]]:
    """Return the F1 of every extractor on this page, the best first."""
    members = label_set_of(corpus, labels)
    rows = [
        {
            "name": str(score.extraction.extractor),
            "version": score.extraction.extractor.version,
            "extractor": score.extraction.extractor_id,
            "f1": _f1(score, labels, members, filters),
            "url": error_view_url(corpus, score.extraction.extractor_id, score.gold.page_id, filters),
        }
        for score in others
    ]
    return sorted(rows, key=lambda row: (row["f1"] is None, -(row["f1"] or 0.0), row["name"]))


def _f1(score: Score, labels: str, members: Collection[str], filters: LeaderboardFilters) -> float | None:
    found = page_scores.score_of(score, labels, members, filters.metric)
    return found.f1 if found else None
