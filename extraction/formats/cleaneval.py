"""`cleaneval`: the shape of CleanEval 2007 and of CleanPortalEval.

A folder with `input/N.html` and `GoldStandard/N.txt`, or a folder of such folders (`dev`, `final`). Each page
is wrapped in a `<text>` element, which is not part of it; the encoding that the element names is often wrong,
and is not used. The gold is a text whose paragraphs are marked `<p>`, `<h>` or `<l>`.
"""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path

from extraction.formats.gold import GoldRecord
from extraction.formats.records import BadRecord, Cause, FormatError, PageRecord, read_bytes
from extraction.formats.texts import by_name, text_of_bytes
from extraction.formats.writing import DatasetFacts, FolderWriter, Loss, PageParts, Sink, paragraphs
from extraction.spans import LABEL_SETS, together

LABELS = frozenset({together(LABEL_SETS["main"])})
PAGES, GROUND_TRUTH = "input", "GoldStandard"
# The wrapper ends with its last attribute: a title may hold tags. Its size is limited, for the sake of time.
_OPEN = re.compile(rb'\A\s*<text\b(?P<attributes>.{0,10000}?"\s*)>', re.DOTALL | re.IGNORECASE)
_CLOSE = re.compile(rb"\s*</text>\s*\Z", re.IGNORECASE)
_URL = re.compile(rb'\bid\s*=\s*"([^"]*)"')
_URL_LINE = re.compile(r"\A\s*URL:.*")
# Some texts were taken from HTML source: what stands for characters, and comments.
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_MARK = re.compile(r"</?[phl]>", re.IGNORECASE)


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the pages of all folders, by number; raises `FormatError` where there is no `input` folder."""
    for folder in _folders(path):
        for file in by_name((folder / PAGES).glob("*.html")):
            location = (folder.relative_to(path) / file.stem).as_posix()
            try:
                yield _record(location, file, folder / GROUND_TRUTH / f"{file.stem}.txt")
            except FormatError as error:
                yield BadRecord.of(location, error)
        for name in _without_page(folder):
            location = (folder.relative_to(path) / name).as_posix()
            yield BadRecord(location, f"has gold, but no page in {PAGES}", Cause.MISSING_FILE)


def count(path: Path) -> int:
    """How many records there are."""
    folders = _folders(path)
    pages = sum(1 for folder in folders for _ in (folder / PAGES).glob("*.html"))
    return pages + sum(len(_without_page(folder)) for folder in folders)


def _without_page(folder: Path) -> list[str]:
    names = (file.stem for file in (folder / GROUND_TRUTH).glob("*.txt"))
    return sorted(name for name in names if not (folder / PAGES / f"{name}.html").exists())


def _folders(path: Path) -> list[Path]:
    if (path / PAGES).is_dir():
        return [path]
    inner = sorted(page.parent for page in path.glob(f"*/{PAGES}") if page.is_dir())
    if not inner:
        raise FormatError(f"neither {path} nor a folder in it has a folder {PAGES}")
    return inner


def _record(location: str, page: Path, ground_truth: Path) -> PageRecord:
    url, raw = unwrapped(read_bytes(page))
    # Some pages were never annotated.
    gold = _gold(text_of_bytes(read_bytes(ground_truth))) if ground_truth.exists() else None
    return PageRecord(location, raw, url=url, gold=gold, default_label_set="main")


def unwrapped(data: bytes) -> tuple[str, bytes]:
    """The URL that a page's wrapper names, and the page without its wrapper; as it is where there is none."""
    opening = _OPEN.match(data)
    if not opening:
        return "", data
    url = _URL.search(opening["attributes"])
    closing = _CLOSE.search(data, max(opening.end(), len(data) - 100))
    page = data[opening.end() : closing.start() if closing else None]
    return text_of_bytes(url[1]) if url else "", page.lstrip()


def _gold(marked: str) -> GoldRecord:
    marked = _URL_LINE.sub("", marked, count=1).strip()
    text = _MARK.sub("\n", _COMMENT.sub("", marked))
    text = _ENTITY.sub(lambda entity: unescape(entity[0]), text)
    lines = "\n".join(line.strip() for line in text.splitlines())
    return GoldRecord(text=re.sub(r"\n{3,}", "\n\n", lines).strip(), marked=marked, labels=LABELS)


# ---- writing ----

_UNSAFE_IN_URL = str.maketrans({'"': "%22", ">": "%3E", "<": "%3C", "\n": "", "\r": ""})
# What the reader would take for a mark, a comment or a character.
_MEANS_MORE = re.compile(rf"<(?=/?[phl]>|!--)|&(?={_ENTITY.pattern[1:]})", re.IGNORECASE)


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write `input/ID.html` and `GoldStandard/ID.txt`; the id is the page's digest."""
    for record in records:
        sink.write(f"{PAGES}/{record.sha256}.html", _wrapped(record))
        sink.write(f"{GROUND_TRUTH}/{record.sha256}.txt", _marked_text(record).encode())


def _wrapped(record: PageRecord) -> bytes:
    """The page in its wrapper; without one where that would change its edges."""
    raw = record.raw
    if raw != raw.strip() and not _OPEN.match(raw):
        return raw
    url = record.url.translate(_UNSAFE_IN_URL)
    return f'<text id="{url}" title="" encoding="">\n'.encode() + raw + b"\n</text>\n"


def _marked_text(record: PageRecord) -> str:
    lines = [f"URL: {record.url.translate(_UNSAFE_IN_URL)}", ""]
    for label, text in paragraphs(record, LABEL_SETS["main"]):
        plain = _MEANS_MORE.sub(lambda found: "&lt;" if found[0] == "<" else "&amp;", text)
        lines.append(f"<{'h' if label == 'headline' else 'p'}>{plain}")
    return "\n".join(lines) + "\n"


WRITER = FolderWriter(
    produce=produce,
    pages=PageParts.ALWAYS,
    articles="main",
    always=frozenset({Loss.LABELS, Loss.OFFSETS, Loss.METADATA, Loss.SPLITS}),
)
