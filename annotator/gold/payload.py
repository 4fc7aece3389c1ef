"""The data of the adjudication screen."""

from typing import Any

from django.urls import reverse

from annotator.annotations.queries import submissions, submitted_revisions
from annotator.annotations.workbench.payload import (
    choices,
    document_payload,
    page_payload,
    stage_addresses,
)
from annotator.common.dates import midnight
from annotator.corpora.models import User
from annotator.corpora.queries import labels_of
from annotator.gold import actions, queries
from annotator.gold.models import Adjudication, AdjudicationKind, Segment


def of_adjudication(adjudication: Adjudication, user: User) -> dict[str, Any]:
    """The `payload` of adjudicate.html; nothing in it reveals who is A."""
    page = adjudication.round.page
    corpus = page.corpus
    names = ("view", "verdict", "decide", "submit", "defer", "heartbeat")
    own = {name: reverse(f"adjudicate-{name}", args=[corpus.slug, adjudication.pk]) for name in names}
    document = queries.document_of(adjudication)
    return {
        "urls": {**own, **stage_addresses(own["view"], document, user)},
        "document": document_payload(document),
        **choices(labels_of(corpus)),
        "page": page_payload(page),
        "letters": actions.letters_of(adjudication),
        # An audit or reopened gold: one segment, the whole page.
        "whole": adjudication.kind != AdjudicationKind.DISPUTE,
        "why": adjudication.why,
        **describe(adjudication),
        "queue": queries.adjudications_for(corpus, user).count(),
        "adjudicated_today": queries.adjudicated(corpus, user).filter(finalised_at__gte=midnight()).count(),
    }


def describe(adjudication: Adjudication) -> dict[str, Any]:
    """Verdict, agreed spans and segments as the screen shows them: letters, no names, in letter order."""
    comparison = adjudication.comparison if adjudication.kind == AdjudicationKind.DISPUTE else None
    return {
        "verdict": _described_verdict(adjudication),
        "agreed": comparison.agreed if comparison else [],
        "segments": [_described(adjudication, segment) for segment in adjudication.segments.all()],
    }


def _described_verdict(adjudication: Adjudication) -> dict[str, Any]:
    submitted = submissions(adjudication.round)
    revisions = submitted_revisions(submitted)
    given = []
    for letter, index in zip(actions.letters_of(adjudication), adjudication.order, strict=True):
        marks = revisions[submitted[index].pk]
        given.append({"letter": letter, "verdict": marks.verdict, "reason": marks.reason, "note": marks.note})
    return {
        "decided": adjudication.verdict,
        "reason": adjudication.reason,
        "by": _decided_by(adjudication),
        "given": given,
    }


def _decided_by(adjudication: Adjudication) -> str:
    """Whose the verdict is; "" while it is to be decided. That of "nobody" may be changed."""
    if adjudication.kind != AdjudicationKind.DISPUTE:
        return "nobody"
    assert adjudication.comparison is not None
    return "both" if adjudication.comparison.verdict else "you" if adjudication.verdict else ""


def _described(adjudication: Adjudication, segment: Segment) -> dict[str, Any]:
    return {
        "number": segment.number,
        "start": segment.start,
        "end": segment.end,
        "pieces": [
            {"start": start, "end": end, "labels": [labels[index] for index in adjudication.order]}
            for start, end, labels in segment.pieces
        ],
        "can_take_both": segment.can_take_both,
        "choice": actions.shown_choice(adjudication, segment.choice),
        "marks": segment.marks,
        "clause": segment.clause,
    }
