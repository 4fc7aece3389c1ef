"""Real pages where they lie beside the project, our own demo pages otherwise."""

from pathlib import Path

from annotator.demo.actions import PAGES
from extraction.formats import READERS, BadRecord, PageRecord

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
