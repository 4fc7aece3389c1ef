"""What the adjudication screen is given as data."""

from typing import Any

from django.urls import reverse

from annotator.annotations.bench import choices, document_facts, frames, page_facts
from annotator.annotations.queries import submissions
from annotator.gold import actions, queries
from annotator.gold.models import Adjudication


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
        **actions.describe(adjudication),
        "queue": queries.disputes_for(corpus, user).count(),
        "settled_today": queries.settled_today(corpus, user),
    }
