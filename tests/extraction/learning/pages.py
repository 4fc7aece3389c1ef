"""A small corpus of our own pages with gold, to learn from."""

from pathlib import Path

from extraction.formats import PageRecord, scrapinghub
from extraction.formats.gold import GoldRecord
from tests.extraction.news import NEWS, page_of


def records(count: int) -> list[PageRecord]:
    """News pages with their paragraphs as gold, no two alike."""
    made = []
    for number in range(count):
        news = list(NEWS.values())[number % len(NEWS)]
        raw = page_of(news).replace("<footer", f"<!-- {number} --><footer").encode() + b" " * number
        gold = GoldRecord(text="\n".join(news.body), labels=frozenset({"body"}))
        made.append(PageRecord("", raw, gold=gold))
    return made


def write_corpus(folder: Path, count: int = 24) -> Path:
    """Write them as a corpus in the format `scrapinghub`."""
    scrapinghub.WRITER.write_folder(sorted(records(count), key=lambda record: record.sha256), folder)
    return folder
