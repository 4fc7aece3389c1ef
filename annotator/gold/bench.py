"""What the adjudication screen is given as data."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from annotator.annotations.actions import handed_in
from annotator.annotations.bench import choices, document_facts, frames, page_facts
from annotator.annotations.models import Annotation
from annotator.annotations.queries import submissions
from annotator.corpora.queries import labels_of
from annotator.gold import actions, queries
from annotator.gold.models import Adjudication, Kind, Segment


def of_adjudication(adjudication: Adjudication) -> dict[str, Any]:
    """The `bench` of adjudicate.html; nothing in it says who is A."""
    page, user = adjudication.round.page, adjudication.adjudicator
    corpus = page.corpus
    names = ("view", "verdict", "decide", "settle", "later", "heartbeat")
    own = {name: reverse(f"adjudicate-{name}", args=[corpus.slug, adjudication.pk]) for name in names}
    return {
        "urls": {**own, **frames()},
        "document": document_facts(queries.document_of(adjudication)),
        **choices(labels_of(corpus)),
        "page": page_facts(page),
        "letters": actions.letters(adjudication),
        # An audit or reopened gold: one segment, the page as it stands.
        "whole": adjudication.kind != Kind.DISPUTE,
        "why": adjudication.why,
        **describe(adjudication),
        "queue": queries.disputes_for(corpus, user).count(),
        "settled_today": queries.settled_today(corpus, user),
    }


def describe(adjudication: Adjudication) -> dict[str, Any]:
    """Verdict, agreed spans and segments as the screen shows them: letters, no names, in letter order."""
    submitted = submissions(adjudication.round)
    is_dispute = adjudication.kind == Kind.DISPUTE
    agreed = actions.compare_round(submitted).agreed if is_dispute else []
    return {
        "verdict": _described_verdict(adjudication, submitted),
        "agreed": [list(span) for span in agreed],
        "segments": [_described(adjudication, segment) for segment in adjudication.segments.all()],
    }


def _described_verdict(adjudication: Adjudication, submitted: Sequence[Annotation]) -> dict[str, Any]:
    given = []
    for letter, place in zip(actions.letters(adjudication), adjudication.order, strict=True):
        marks = handed_in(submitted[place])
        given.append({"letter": letter, "verdict": marks.verdict, "reason": marks.reason, "note": marks.note})
    settled, reason = adjudication.verdict, adjudication.reason
    return {"settled": settled, "reason": reason, "by": _judged_by(adjudication, submitted), "given": given}


def _judged_by(adjudication: Adjudication, submitted: Sequence[Annotation]) -> str:
    """Whose the verdict is; "" while it must be settled. One that merely stands may be changed."""
    if adjudication.kind != Kind.DISPUTE:
        return "nobody"
    common, _reason = actions.common_verdict(submitted)
    return "both" if common else "you" if adjudication.verdict else ""


def _described(adjudication: Adjudication, segment: Segment) -> dict[str, Any]:
    return {
        "number": segment.number,
        "start": segment.start,
        "end": segment.end,
        "pieces": [
            {"start": start, "end": end, "labels": [labels[place] for place in adjudication.order]}
            for start, end, labels in segment.pieces
        ],
        "can_take_both": segment.can_take_both,
        "choice": actions.letter_of(adjudication, segment.choice),
        "marks": segment.marks,
        "clause": segment.clause,
    }
