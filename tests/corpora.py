"""Real pages where they lie beside the project, our own demo pages otherwise."""

import re
from dataclasses import replace
from html import unescape
from itertools import islice
from pathlib import Path

from annotator.demo.older import PAGES
from extraction.formats import READERS, BadRecord, GoldRecord, PageRecord

SCRAPINGHUB = Path(__file__).resolve().parent.parent.parent / "shared" / "corpora" / "scrapinghub"
HAS_REAL_PAGES = SCRAPINGHUB.is_dir()


def source() -> tuple[str, Path]:
    """Format and path, as `import_pages` takes them."""
    return ("scrapinghub", SCRAPINGHUB) if HAS_REAL_PAGES else ("html", PAGES)


def records(limit: int | None = None) -> list[PageRecord]:
    """The first pages in the order of their source: always the same ones."""
    format_, path = source()
    found: list[PageRecord] = []
    for record in READERS[format_].read(path):
        assert not isinstance(record, BadRecord), record
        if limit is not None and len(found) == limit:
            break
        found.append(record)
    return found


def records_with_gold(of_scrapinghub: int | None = None, of_wcxb: int | None = None) -> list[PageRecord]:
    """The first pages with gold of two published corpora; our own pages have their paragraphs as gold."""
    found = records(of_scrapinghub)
    if not HAS_REAL_PAGES:
        return [replace(record, gold=_paragraphs(record.raw.decode("utf-8", "replace"))) for record in found]
    folder = SCRAPINGHUB.parent / "wcxb"
    if folder.is_dir():
        read = (each for each in READERS["wcxb"].read(folder) if not isinstance(each, BadRecord))
        found += islice(read, of_wcxb)
    return [record for record in found if record.gold]


def _paragraphs(html: str) -> GoldRecord:
    texts = re.findall(r"<p\b[^>]*>(.*?)</p>", html, re.DOTALL)
    text = "\n".join(unescape(re.sub(r"<[^>]+>", "", each)) for each in texts)
    return GoldRecord(text=text, labels=frozenset({"body"}))
