"""The payload of the error view: one page's gold and one extraction, compared."""

from collections.abc import Collection
from typing import Any

from django.urls import reverse

from annotator.annotations.workbench.payload import document_payload, page_payload
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_set_of
from annotator.runs import reasons
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.models import Score


def payload(
    score: Score, others: list[Score], filters: LeaderboardFilters, labels: str, after: int | None
) -> dict[str, Any]:
    """Return the payload of error_view.html, without the addresses of the frame.

    `after` is the next page in order of error, if there is one.
    """
    corpus, page = score.gold.page.corpus, score.gold.page
    members = label_set_of(corpus, labels)
    found = queries.score_of(score, labels, members, filters.metric)
    return {
        "urls": _urls(corpus, score, filters, after),
        "document": document_payload(score.gold.document),
        "labels": [{"name": label.name, "number": label.number} for label in corpus.labels.all()],
        "gold": [span[:3] for span in score.gold.spans],
        "extraction": [] if score.extraction.error else score.extraction.spans,
        "reasons": reasons.descriptions(score.extraction.reasons),
        "no_reason": reasons.description_without_row() if score.extraction.reasons else "",
        "label_set": labels,
        "set_labels": sorted(members),
        "metric": filters.metric,
        "scores": {"precision": found.precision, "recall": found.recall, "f1": found.f1} if found else None,
        "failed": score.extraction.error,
        "explanation_error": score.extraction.explanation_error,
        "others": others_of(corpus, others, filters, labels),
        "page": page_payload(page),
    }


def error_view_url(corpus: Corpus, extractor: int, page: int, filters: LeaderboardFilters) -> str:
    return reverse("error-view", args=[corpus.slug, extractor, page]) + filters.query


def _urls(
    corpus: Corpus, score: Score, filters: LeaderboardFilters, after: int | None
) -> dict[str, str | None]:
    extractor = score.extraction.extractor_id
    return {
        "view": reverse("error-view-document", args=[corpus.slug, extractor, score.gold.page_id]),
        "shrink": reverse("shrink", args=[corpus.slug, extractor, score.gold.page_id]),
        "back": reverse("leaderboard-pages", args=[corpus.slug, extractor]) + filters.query,
        "next": error_view_url(corpus, extractor, after, filters) if after else None,
    }


def others_of(
    corpus: Corpus, others: list[Score], filters: LeaderboardFilters, labels: str
) -> list[dict[str, Any]]:
    """Return the F1 of every extractor on this page, the best first."""
    members = label_set_of(corpus, labels)
    rows = [
        {
            "name": str(score.extraction.extractor),
            "f1": _f1(score, labels, members, filters),
            "url": error_view_url(corpus, score.extraction.extractor_id, score.gold.page_id, filters),
        }
        for score in others
    ]
    return sorted(rows, key=lambda row: (row["f1"] is None, -(row["f1"] or 0.0), row["name"]))


def _f1(score: Score, labels: str, members: Collection[str], filters: LeaderboardFilters) -> float | None:
    found = queries.score_of(score, labels, members, filters.metric)
    return found.f1 if found else None
