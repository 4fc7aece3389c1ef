"""Pages with gold, and releases of them."""

from typing import Any

from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.pages.models import Page
from annotator.releases.actions import build_release, request_release
from annotator.releases.exports.actions import write_export
from annotator.releases.exports.models import Export
from annotator.releases.models import Release
from tests.factories import label_block

STORIES = range(6)


def story(number: int) -> str:
    """A page that shares no five-word shingle with that of another number."""
    words = " ".join(f"w{number}x{index}" for index in range(60))
    return f"<h1>Title {number}</h1><p>{words}.</p><footer>Foot {number} here</footer>"


def gold_on(page: Page) -> Gold:
    """The second block is body, the first headline."""
    document = page.documents.get()
    first, second = document.blocks[:2]
    spans = [(*label_block(first, "headline"), "unanimous"), (*label_block(second), "adjudicated")]
    return add_gold(document=document, verdict="article", spans=spans, source="adjudicated")


def release(corpus: Corpus, **given: Any) -> Release:
    """Build the next release of the corpus."""
    requested = request_release(corpus=corpus, **given)
    claimed = work.claim(Release, requested.pk)
    assert claimed
    assert build_release(claimed), Release.objects.get(pk=requested.pk).error
    return Release.objects.get(pk=requested.pk)


def written(export: Export) -> Export:
    """The export, once a worker has written it."""
    claimed = work.claim(Export, export.pk)
    assert claimed
    assert write_export(claimed)
    return Export.objects.get(pk=export.pk)
