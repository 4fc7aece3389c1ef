"""`dragnet`: the shape of the Dragnet training data.

A folder with `HTML/ID.html` and `Corrected/ID.html.corrected.txt`: the content, and after a line that says so
the comments.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from extraction.formats.gold import GoldRecord
from extraction.formats.records import BadRecord, Cause, FormatError, PageRecord, read_bytes
from extraction.formats.texts import by_name, text_of_bytes
from extraction.formats.writing import DatasetFacts, FolderWriter, Loss, PageParts, Sink, paragraphs, spans_of
from extraction.spans import CONTENT, LABEL_SETS, Span, together

LABELS = frozenset({together(LABEL_SETS["main"]), "comments"})
PAGES, GROUND_TRUTH = "HTML", "Corrected"
_SUFFIX = ".corrected.txt"
_COMMENTS = re.compile(r"^!@#\$%\^&\*\(\)[ \t]+COMMENTS[ \t]*\r?$", re.MULTILINE)


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the pages in the order of their ids; raises `FormatError` where there is no `HTML` folder."""
    if not (path / PAGES).is_dir():
        raise FormatError(f"{path} has no folder {PAGES}")
    for file in by_name((path / PAGES).glob("*.html")):
        ground_truth = path / GROUND_TRUTH / f"{file.name}{_SUFFIX}"
        try:
            gold = _gold(text_of_bytes(read_bytes(ground_truth))) if ground_truth.exists() else None
            yield PageRecord(file.stem, read_bytes(file), gold=gold, default_label_set="main")
        except FormatError as error:
            yield BadRecord.of(file.stem, error)
    for name in _without_page(path):
        yield BadRecord(name, f"is corrected, but has no page in {PAGES}", Cause.MISSING_FILE)


def count(path: Path) -> int:
    """How many records there are."""
    return sum(1 for _ in (path / PAGES).glob("*.html")) + len(_without_page(path))


def _without_page(path: Path) -> list[str]:
    names = (file.name.removesuffix(_SUFFIX) for file in (path / GROUND_TRUTH).glob(f"*{_SUFFIX}"))
    return sorted(name.removesuffix(".html") for name in names if not (path / PAGES / name).exists())


def _gold(text: str) -> GoldRecord:
    content, *rest = _COMMENTS.split(text, maxsplit=1)
    content, comments = content.strip(), "".join(rest).strip()
    base = f"{content}\n\n{comments}"
    parts = (Span(0, len(content), CONTENT), Span(len(content) + 2, len(base), "comments"))
    return GoldRecord(spans=tuple(part for part in parts if part.start < part.end), base=base, labels=LABELS)


# ---- writing ----

_LINE = "!@#$%^&*()  COMMENTS"


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write `HTML/ID.html` and what belongs to it; the id is the page's digest."""
    for record in records:
        sink.write(f"{PAGES}/{record.sha256}.html", record.raw)
        sink.write(f"{GROUND_TRUTH}/{record.sha256}.html{_SUFFIX}", _corrected(record).encode())


def _corrected(record: PageRecord) -> str:
    content = _joined(record, LABEL_SETS["main"])
    comments = _joined(record, ("comments",)) if record.document else ""
    return f"{content}\n\n{_LINE}\n\n{comments}\n" if comments else f"{content}\n"


def _joined(record: PageRecord, labels: Iterable[str]) -> str:
    wanted = set(labels)
    parts = [text for label, text in paragraphs(record, wanted) if label in wanted or "headline" in wanted]
    # A line of the page that looks like the one before the comments is indented.
    return _COMMENTS.sub(lambda line: f" {line[0]}", "\n\n".join(parts))


def _losses(record: PageRecord) -> frozenset[Loss]:
    """Comments before some of the content change places with it."""
    spans = spans_of(record) if record.document else ()
    content = [span.start for span in spans if span.label in {*LABEL_SETS["main"], CONTENT}]
    comments = [span.start for span in spans if span.label == "comments"]
    return frozenset({Loss.ORDER} if content and comments and min(comments) < max(content) else ())


WRITER = FolderWriter(
    produce=produce,
    pages=PageParts.ALWAYS,
    articles="main",
    always=frozenset({Loss.LABELS, Loss.OFFSETS, Loss.METADATA, Loss.SPLITS}),
    sometimes=frozenset({Loss.ORDER}),
    losses_of=_losses,
)
