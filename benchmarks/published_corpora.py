"""Published corpora with gold, if they are available beside the project, and the demo pages."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from extraction.formats import READERS, BadRecord, PageRecord
from tests.extraction.corpora import PUBLISHED

CORPORA = PUBLISHED.parent
DEMO = Path(__file__).resolve().parent.parent / "annotator" / "demo" / "pages"


class PublishedCorpus(NamedTuple):
    """The location and format of a corpus, and the label set that its gold is scored on."""

    title: str
    format: str
    folder: str
    labels: str


KNOWN = (
    PublishedCorpus("Scrapinghub", "scrapinghub", "scrapinghub", "body"),
    PublishedCorpus("WCXB, articles", "wcxb", "wcxb", "main"),
    PublishedCorpus("CleanPortalEval", "cleaneval", "cleanportaleval", "main"),
    PublishedCorpus("Dragnet", "dragnet", "dragnet", "main"),
    PublishedCorpus("CleanEval, final", "cleaneval", "cleaneval/final", "main"),
    PublishedCorpus("CleanEval, dev", "cleaneval", "cleaneval/dev", "main"),
)


def found() -> list[PublishedCorpus]:
    """Return the corpora that are available."""
    return [corpus for corpus in KNOWN if (CORPORA / corpus.folder).is_dir()]


def records(corpus: PublishedCorpus, limit: int | None = None) -> Iterator[PageRecord | BadRecord]:
    """Return the first records of a corpus, in a fixed order."""
    return islice(READERS[corpus.format].read(CORPORA / corpus.folder), limit)


def source() -> tuple[str, Path]:
    """Return format and path of the pages for speed and memory: Scrapinghub, else the demo pages."""
    scrapinghub = CORPORA / KNOWN[0].folder
    return (KNOWN[0].format, scrapinghub) if scrapinghub.is_dir() else ("html", DEMO)


def pages(limit: int | None = None) -> list[bytes]:
    """Return the first of these pages."""
    format_, path = source()
    return [record.raw for record in islice(READERS[format_].read(path), limit)]


def pages_text() -> str:
    """Return a description of these pages."""
    return "the demo pages" if source()[1] == DEMO else "the pages of the Scrapinghub benchmark"
