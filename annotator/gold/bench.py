"""What the adjudication screen is given as data."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from annotator.annotations.actions import handed_in
from annotator.annotations.bench import choices, document_facts, frames, page_facts
from annotator.annotations.models import Annotation
from annotator.annotations.queries import submissions
from annotator.gold import actions, queries
from annotator.gold.models import Adjudication, Segment


def of_adjudication(adjudication: Adjudication) -> dict[str, Any]:
    """The `bench` of adjudicate.html; nothing in it says who is A."""
    page, user = adjudication.round.page, adjudication.adjudicator
    corpus = page.corpus
    names = ("view", "verdict", "decide", "settle", "later", "heartbeat")
    own = {name: reverse(f"adjudicate-{name}", args=[corpus.slug, adjudication.pk]) for name in names}
    return {
        "urls": {**own, **frames()},
        "document": document_facts(submissions(adjudication.round)[0].document),
        **choices(corpus),
        "page": page_facts(page),
        "letters": actions.letters(adjudication),
        **describe(adjudication),
        "queue": queries.disputes_for(corpus, user).count(),
        "settled_today": queries.settled_today(corpus, user),
    }


def describe(adjudication: Adjudication) -> dict[str, Any]:
    """Verdict, agreed spans and segments as the screen shows them: letters, no names, in letter order."""
    submitted = submissions(adjudication.round)
    comparison = actions.compare_round(submitted)
    return {
        "verdict": _described_verdict(adjudication, submitted),
        "agreed": [list(span) for span in comparison.agreed],
        "segments": [_described(adjudication, segment) for segment in adjudication.segments.all()],
    }


def _described_verdict(adjudication: Adjudication, submitted: Sequence[Annotation]) -> dict[str, Any]:
    common, _reason = actions.common_verdict(submitted)
    given = []
    for letter, place in zip(actions.letters(adjudication), adjudication.order, strict=True):
        marks = handed_in(submitted[place])
        given.append({"letter": letter, "verdict": marks.verdict, "reason": marks.reason, "note": marks.note})
    by = "both" if common else "you" if adjudication.verdict else ""
    return {"settled": adjudication.verdict, "reason": adjudication.reason, "by": by, "given": given}


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
        "clause": segment.clause,
    }
