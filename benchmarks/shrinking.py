"""How small pages become on which extractors err: 50 errors of six extractors on Scrapinghub's pages."""

import random
import statistics
import time
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks import published_corpora
from benchmarks.results import yes_no
from extraction import parse
from extraction.documents.document import Document
from extraction.evaluation.page_metrics import Reference
from extraction.extractors import get
from extraction.formats import PageRecord
from extraction.parsing.decode import decode
from extraction.shrinking import ExtractionError, ShrinkError, Shrunk, shrink
from extraction.spans import Span, clip, label_set, relevant, subtract

EXTRACTORS = ("goldpan", "tree-filter", "boilerpipe-article", "justext", "trafilatura", "readability")
CORPUS = published_corpora.KNOWN[0]
ERRORS = 50
SECONDS = 30.0
TARGET_BYTES = 2_048
SEED = 20101
LABELS = label_set("body")
# Errors of fewer characters are seldom what somebody reports, longer ones are whole pages.
SHORTEST, LONGEST = 20, 500


class Reduced(NamedTuple):
    """One error: the smallest page, the seconds that it took, and whether the page still shows the error."""

    extractor: str
    shrunk: Shrunk
    seconds: float
    is_kept: bool


def run(limit: int | None = None) -> str:
    """Reduce the pages of as many errors as requested; a line for each extractor."""
    if CORPUS not in published_corpora.found():
        return f"## Smallest failing pages\n\nNot measured: {CORPUS.title} does not lie beside the project."
    found = [reduced(raw, error) for raw, error in errors(min(limit or ERRORS, ERRORS))]
    lines = [_line(name, [each for each in found if each.extractor == name]) for name in EXTRACTORS]
    return "\n".join(
        [
            "## Smallest failing pages",
            "",
            f"{len(found)} errors on pages of the Scrapinghub benchmark, drawn with a fixed seed, one after "
            f"the other among {len(EXTRACTORS)} extractors; at most {SECONDS:.0f} s each. Kept: the "
            "extractor still makes the error on the reduced page. Targets: a median of at most "
            f"{TARGET_BYTES:,} bytes, {SECONDS:.0f} s, all kept.",
            "",
            "| extractor | errors | median bytes | most bytes | median seconds | most seconds | kept | met |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
            *lines,
            _line("all", found),
        ]
    )


def _line(name: str, found: list[Reduced]) -> str:
    if not found:
        return f"| {name} | 0 | | | | | | |"
    sizes = [each.shrunk.size for each in found]
    seconds = [each.seconds for each in found]
    kept = sum(each.is_kept for each in found)
    met = statistics.median(sizes) <= TARGET_BYTES and max(seconds) <= SECONDS and kept == len(found)
    return (
        f"| {name} | {len(found)} | {statistics.median(sizes):.0f} | {max(sizes)} "
        f"| {statistics.median(seconds):.1f} | {max(seconds):.1f} | {kept} | {yes_no(met)} |"
    )


def errors(wanted: int) -> Iterator[tuple[bytes, ExtractionError]]:
    """Yield errors that extractors make, each extractor in turn, each on another page."""
    records = [each for each in published_corpora.records(CORPUS) if isinstance(each, PageRecord)]
    random.Random(SEED).shuffle(records)
    found = 0
    for record in records:
        error = _error_of(EXTRACTORS[found % len(EXTRACTORS)], record)
        if error:
            yield record.raw, error
            found += 1
        if found == wanted:
            return


def _error_of(extractor: str, record: PageRecord) -> ExtractionError | None:
    """Return the longest error on a page that is no longer than LONGEST; None without one."""
    if record.gold is None:
        return None
    document = parse(record.raw, record.charset)
    gold = _marked(Reference.of(record.gold, document, LABELS).spans)
    taken = _marked(get(extractor).run(document).spans)
    known = [(span, True) for span in _pieces(subtract(gold, taken), document)]
    known += [(span, False) for span in _pieces(subtract(taken, gold), document)]
    for span, is_missing in sorted(known, key=lambda item: (item[0].start - item[0].end, item[0].start)):
        error = ExtractionError(
            extractor, document.text[span.start : span.end], is_missing=is_missing, labels=LABELS
        )
        if _is_made(error, decode(record.raw).text):
            return error
    return None


def _marked(spans: list[Span]) -> list[Span]:
    return [Span(start, end, "") for start, end in relevant(spans, LABELS)]


def _pieces(spans: list[Span], document: Document) -> list[Span]:
    """Return the parts in blocks that are long enough and not too long."""
    pieces = clip(spans, document.blocks, document.text)
    return [span for span in pieces if SHORTEST <= span.end - span.start <= LONGEST]


def _is_made(error: ExtractionError, html: str) -> bool:
    """Whether these words are an error: text that stands on the page twice may be taken once."""
    try:
        error.check(html)
    except ShrinkError:
        return False
    return True


def reduced(raw: bytes, error: ExtractionError) -> Reduced:
    started = time.monotonic()
    shrunk = shrink(raw, error, seconds=SECONDS)
    seconds = time.monotonic() - started
    return Reduced(error.extractor, shrunk, seconds, _is_made(error, shrunk.html))
