"""Pages of different stories with gold on them, and releases of it."""

from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.gold.actions import add_gold
from annotator.gold.models import Gold
from annotator.pages.models import Page
from annotator.releases.actions import make, request_release
from annotator.releases.models import Release
from extraction.spans import Span

STORIES = range(6)


def story(number: int) -> str:
    """A page that shares no five words with that of another number."""
    words = " ".join(f"w{number}x{place}" for place in range(60))
    return f"<h1>Title {number}</h1><p>{words}.</p><footer>Foot {number} here</footer>"


def gold_on(page: Page) -> Gold:
    """The second block is body, the first headline."""
    document = page.documents.get()
    first, second = document.blocks[:2]
    spans = [[*Span(*first, "headline"), "unanimous"], [*Span(*second, "body"), "adjudicated"]]
    return add_gold(document=document, verdict="article", spans=spans, source="adjudicated")


def release(corpus: Corpus, **given: object) -> Release:
    """The next release of the corpus, made here and now."""
    asked = request_release(corpus=corpus, **given)
    claimed = work.claim(Release, asked.pk)
    assert claimed
    assert make(claimed), Release.objects.get(pk=asked.pk).error
    return Release.objects.get(pk=asked.pk)
