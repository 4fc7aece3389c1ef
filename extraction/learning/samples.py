"""Pages with gold: what is content of them, and which are learned from."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np

from extraction.documents.document import Document
from extraction.formats import GoldError, PageRecord, place
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse
from extraction.spans import Interval, relevant

# Of the names of sites below a country, which belong to it: gazette.co.uk is a site, co.uk is none.
_SECOND_LEVEL = frozenset({"ac", "co", "com", "edu", "gov", "ne", "net", "or", "org"})


class Sample(NamedTuple):
    """One page, and which characters of its canonical text are content."""

    document: Document
    content: list[Interval]
    sha256: str
    site: str


class PageSplit(NamedTuple):
    """Pages to learn from, to choose the best state by, and to report figures on.

    Each part is gone through once, so that it may load its pages as they are asked for.
    """

    train: Collection[Sample]
    validate: Collection[Sample]
    test: Collection[Sample]


def samples(records: Iterable[object], labels: frozenset[str]) -> Iterator[Sample]:
    """The records that have gold under these labels and can be parsed; the others are left out."""
    for record in records:
        if isinstance(record, PageRecord) and record.gold and record.gold.can_tell(labels):
            try:
                document = parse(record.raw, record.charset)
                spans = place(record.gold, document).spans
            except (ParseError, GoldError):
                continue
            yield Sample(document, relevant(spans, labels), record.sha256, site_of(record.url))


def site_of(url: str) -> str:
    """The site of an address, roughly: the last two names of its host, or three below a country's `co.uk`.

    Empty for what is no address. Not by the public suffix list, as in `annotator.common.sites`: another
    version of the list would split pages otherwise, and give other models.
    """
    try:
        names = (urlsplit(url).hostname or "").split(".")
    except ValueError:
        return ""
    count = 3 if len(names) > 2 and len(names[-1]) == 2 and names[-2] in _SECOND_LEVEL else 2
    return ".".join(names[-count:])


def split_in_order(pages: Sequence[Sample], train: int, validate: int) -> PageSplit:
    """The first pages to learn from, the next to validate, all others to test, as in the papers."""
    return PageSplit(
        list(pages[:train]), list(pages[train : train + validate]), list(pages[train + validate :])
    )


def split_by_site(pages: Sequence[Sample], *, validate: float = 0.1, test: float = 0.2) -> PageSplit:
    """Shares of the pages to validate and to test; no two parts have a site in common.

    Sites are drawn by their digests, so that a site is in the same part whatever else there is. Pages of an
    unknown site are a site each.
    """
    parts: tuple[list[Sample], list[Sample], list[Sample]] = ([], [], [])
    by_site = sorted(((sample.site or sample.sha256, sample) for sample in pages), key=lambda pair: pair[0])
    for site, members in groupby(by_site, key=lambda pair: pair[0]):
        drawn = int.from_bytes(hashlib.sha256(site.encode()).digest()[:8]) / 2**64
        part = 2 if drawn < test else 1 if drawn < test + validate else 0
        parts[part].extend(sample for _, sample in members)
    return PageSplit(*parts)


def content_of(sample: Sample, pieces: Sequence[Interval], lengths: Sequence[int]) -> list[bool]:
    """Which pieces of the text are content: those of whose characters more than two thirds are."""
    marks = np.zeros(len(sample.document.text) + 1, np.int64)
    for start, end in sample.content:
        marks[start:end] = 1
    sums = np.concatenate(([0], np.cumsum(marks)))
    return [
        bool(start >= 0 and sums[end] - sums[start] > 2 * length // 3)
        for (start, end), length in zip(pieces, lengths, strict=True)
    ]
