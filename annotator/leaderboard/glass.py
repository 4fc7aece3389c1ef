"""What the glass is given as data: one page's gold and one extraction, side by side."""

from typing import Any

from django.urls import reverse

from annotator.annotations.bench import document_facts, frames, page_facts
from annotator.corpora.models import Corpus
from annotator.leaderboard import queries
from annotator.leaderboard.forms import Slice
from annotator.runs import reasons
from annotator.scoring.models import Score
from extraction.spans import LABEL_SETS


def of_score(
    score: Score, others: list[Score], wanted: Slice, labels: str, after: int | None
) -> dict[str, Any]:
    """The `bench` of glass.html. `after` is the page that is next worse for this extractor, if any."""
    corpus, page = score.gold.page.corpus, score.gold.page
    found = queries.score_of(score, labels, wanted.metric)
    return {
        "urls": _urls(corpus, score, wanted, after),
        "document": document_facts(score.gold.document),
        "labels": [{"name": label.name, "number": label.number} for label in corpus.labels.all()],
        "gold": [span[:3] for span in score.gold.spans],
        "extraction": [] if score.extraction.error else score.extraction.spans,
        "reasons": reasons.in_words(score.extraction.reasons),
        "no_reason": reasons.of_the_others() if score.extraction.reasons else "",
        "label_set": labels,
        "set_labels": sorted(LABEL_SETS[labels]),
        "metric": wanted.metric,
        "scores": {"precision": found.precision, "recall": found.recall, "f1": found.f1} if found else None,
        "failed": score.extraction.error,
        "no_reasons": score.extraction.no_reasons,
        "others": _others(corpus, others, wanted, labels),
        "page": page_facts(page),
    }


def address(corpus: Corpus, extractor: int, page: int, wanted: Slice) -> str:
    return reverse("glass", args=[corpus.slug, extractor, page]) + wanted.query


def _urls(corpus: Corpus, score: Score, wanted: Slice, after: int | None) -> dict[str, str | None]:
    extractor = score.extraction.extractor_id
    return {
        "view": reverse("glass-view", args=[corpus.slug, extractor, score.gold.page_id]),
        **frames(),
        "back": reverse("leaderboard-pages", args=[corpus.slug, extractor]) + wanted.query,
        "next": address(corpus, extractor, after, wanted) if after else None,
    }


def _others(corpus: Corpus, others: list[Score], wanted: Slice, labels: str) -> list[dict[str, Any]]:
    """Every extractor on this page, the best first; the one under the glass among them."""
    rows = [
        {
            "name": str(score.extraction.extractor),
            "f1": _f1(score, labels, wanted),
            "url": address(corpus, score.extraction.extractor_id, score.gold.page_id, wanted),
        }
        for score in others
    ]
    return sorted(rows, key=lambda row: (row["f1"] is None, -(row["f1"] or 0.0), row["name"]))


def _f1(score: Score, labels: str, wanted: Slice) -> float | None:
    found = queries.score_of(score, labels, wanted.metric)
    return found.f1 if found else None
