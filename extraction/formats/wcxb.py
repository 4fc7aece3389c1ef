"""`wcxb`: the shape of the Web Content Extraction Benchmark.

A folder with `ground-truth/ID.json` and `html/ID.html.gz`. `ground_truth.main_content` is the text, without
saying what of it is the headline. Only the articles are read; there are products, forums and listings too.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from extraction.formats.gold import GoldRecord
from extraction.formats.records import BadRecord, FormatError, PageRecord, read_json
from extraction.formats.scrapinghub import SUFFIX, gzipped, page_bytes, page_ids
from extraction.formats.texts import is_text
from extraction.formats.writing import DatasetFacts, FolderWriter, Loss, PageParts, Sink, paragraphs
from extraction.spans import LABEL_SETS, together

LABELS = frozenset({together(LABEL_SETS["main"])})
GROUND_TRUTH = "ground-truth"
ARTICLE = "article"


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the articles in the order of their ids, then pages without ground truth.

    Raises `FormatError` if there is no ground truth at all.
    """
    if not (path / GROUND_TRUTH).is_dir():
        raise FormatError(f"{path} has no folder {GROUND_TRUTH}")
    for file in sorted((path / GROUND_TRUTH).glob("*.json")):
        try:
            entry = _entry(file)
            if _page_type(entry) == ARTICLE:
                yield _record(path, file.stem, entry)
        except FormatError as error:
            yield BadRecord.of(file.stem, error)
    for name in _without_gold(path):
        try:
            yield PageRecord(name, page_bytes(path, name), default_label_set="main")
        except FormatError as error:
            yield BadRecord.of(name, error)


def count(path: Path) -> int:
    """How many records there are at most."""
    return sum(1 for _ in (path / GROUND_TRUTH).glob("*.json")) + len(_without_gold(path))


def _without_gold(path: Path) -> list[str]:
    """The ids of pages that have no ground truth."""
    return [name for name in page_ids(path) if not (path / GROUND_TRUTH / f"{name}.json").exists()]


def _entry(file: Path) -> dict[str, Any]:
    entry = read_json(file)
    if not isinstance(entry, dict) or not isinstance(entry.get("ground_truth"), dict):
        raise FormatError("has no ground_truth")
    return entry


def _page_type(entry: dict[str, Any]) -> Any:
    """What kind of page it is; an entry that does not say is taken as an article."""
    found: Any = entry
    for key in ("_internal", "page_type", "primary"):
        found = found.get(key) if isinstance(found, dict) else None
    return found or ARTICLE


def _record(path: Path, name: str, entry: dict[str, Any]) -> PageRecord:
    text, url = entry["ground_truth"].get("main_content"), entry.get("url") or ""
    if not is_text(url):
        raise FormatError("url is not a text")
    if not is_text(text or ""):
        raise FormatError("main_content is not a text")
    gold = None if text is None else GoldRecord(text=text, labels=LABELS)
    raw = page_bytes(path, name)
    return PageRecord(name, raw, url=url, gold=gold, default_label_set="main")


# ---- writing ----


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write `ground-truth/ID.json` and `html/ID.html.gz`; the id is the page's digest."""
    for record in records:
        sink.write(f"html/{record.sha256}{SUFFIX}", gzipped(record.raw))
        entry = json.dumps(_entry_of(record), indent=2, sort_keys=True, ensure_ascii=False)
        sink.write(f"{GROUND_TRUTH}/{record.sha256}.json", f"{entry}\n".encode())


def _entry_of(record: PageRecord) -> dict[str, Any]:
    found = list(paragraphs(record, LABEL_SETS["main"]))
    return {
        "url": record.url,
        "ground_truth": {
            "title": " ".join(text for label, text in found if label == "headline"),
            "main_content": "\n\n".join(text for _label, text in found),
        },
        "_internal": {"page_type": {"primary": ARTICLE}},
    }


WRITER = FolderWriter(
    produce=produce,
    pages=PageParts.ALWAYS,
    articles="main",
    always=frozenset({Loss.LABELS, Loss.OFFSETS, Loss.METADATA, Loss.SPLITS}),
)
