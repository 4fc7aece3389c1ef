"""How far an annotator has come. The pages left become fewer, never more, unless pages are added."""

from typing import NamedTuple

from annotator.annotations import queries
from annotator.annotations.eligibility import pages_left
from annotator.common.caching import cached_count
from annotator.corpora.models import Corpus, User

# Seconds for which the number of an annotator's pages, done and left, is cached.
PAGES_CACHED = 300


class Progress(NamedTuple):
    """Pages submitted, those of them submitted today, and those left."""

    done: int
    today: int
    left: int


def progress_of(corpus: Corpus, annotator: User, *, recount: bool = False) -> Progress:
    """The annotator's progress. What is left is cached, unless `recount`: counting reads every open slot."""
    counts = queries.submitted_counts(corpus, annotator)
    pages = cached_count(
        f"pages:{corpus.pk}:{annotator.pk}",
        lambda: counts["done"] + pages_left(corpus, annotator),
        seconds=PAGES_CACHED,
        recount=recount,
    )
    return Progress(**counts, left=max(0, pages - counts["done"]))
