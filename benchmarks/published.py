"""Corpora with gold that others published, where they lie beside the project, and our own demo pages."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from extraction.formats import READERS, BadRecord, Record
from tests.extraction.corpora import PUBLISHED

CORPORA = PUBLISHED.parent
DEMO = Path(__file__).resolve().parent.parent / "annotator" / "demo" / "pages"


class Corpus(NamedTuple):
    """Where its pages are, how they are read, and which label set its gold is scored on."""

    title: str
    format: str
    folder: str
    labels: str


KNOWN = (
    Corpus("Scrapinghub", "scrapinghub", "scrapinghub", "body"),
    Corpus("WCXB, articles", "wcxb", "wcxb", "main"),
    Corpus("CleanPortalEval", "cleaneval", "cleanportaleval", "main"),
    Corpus("CleanEval, final", "cleaneval", "cleaneval/final", "main"),
    Corpus("CleanEval, dev", "cleaneval", "cleaneval/dev", "main"),
)


def found() -> list[Corpus]:
    """Those that are here."""
    return [corpus for corpus in KNOWN if (CORPORA / corpus.folder).is_dir()]


def records(corpus: Corpus, limit: int | None = None) -> Iterator[Record | BadRecord]:
    """The first pages of a corpus, always the same ones."""
    return islice(READERS[corpus.format].read(CORPORA / corpus.folder), limit)


def source() -> tuple[str, Path]:
    """Format and path of the pages for speed and memory: Scrapinghub's, our own without them."""
    scrapinghub = CORPORA / KNOWN[0].folder
    return (KNOWN[0].format, scrapinghub) if scrapinghub.is_dir() else ("html", DEMO)


def pages(limit: int | None = None) -> list[bytes]:
    """The first of these pages."""
    format_, path = source()
    return [record.raw for record in islice(READERS[format_].read(path), limit)]


def pages_text() -> str:
    """What these pages are."""
    return "our own demo pages" if source()[1] == DEMO else "the pages of the Scrapinghub benchmark"
