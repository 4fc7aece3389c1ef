"""`webanno-tsv`: WebAnno TSV 3, as WebAnno and INCEpTION import and export it, out and in.

A folder with `ID.tsv` for each page, the page beside it as `source/ID.html` where it goes along. A line a
token; paragraphs are the sentences; marks are named entities, as in `inception`. Offsets are UTF-16 units.
"""

import codecs
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from extraction.documents.utf16 import Units
from extraction.formats.inception import ENTITY, FEATURES, SOURCE, gold_of, page_beside
from extraction.formats.records import BadRecord, Cause, FormatError, PageRecord, read_bytes
from extraction.formats.texts import by_name
from extraction.formats.writing import (
    DatasetFacts,
    FolderWriter,
    Loss,
    PageParts,
    Sink,
    document_of,
    spans_of,
)
from extraction.spans import Span, as_ours

_SUFFIX = ".tsv"
_FORMAT = "#FORMAT=WebAnno TSV 3."
_HEAD = f"{_FORMAT}3\n#T_SP={ENTITY}|value\n\n"
_TEXT = "#Text="
_LAYERS = ("#T_SP=", "#T_RL=", "#T_CH=")
_NOTHING, _UNNAMED = "_", "*"
_TOKEN = re.compile(r"\w+|[^\w\s]+")
_BLANKS = re.compile(r"[^\S\n]+")

_NAMED = {"\t": "t", "\n": "n", "\f": "f", "\r": "r", "\b": "b"}
_CONTROLS = re.compile(r"[\x00-\x0a\x0c-\x1f\\]")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_IN_VALUES = re.compile(r"->|[\\\[\]|_;\t\n*]")
_ESCAPED_VALUE = re.compile(r"\\(->|.)", re.DOTALL)
_STACKED = re.compile(r"(?<!\\)\|")
_NUMBERED = re.compile(r"(.*)(?<!\\)\[(\d{1,9})\]", re.DOTALL)
_OFFSETS = re.compile(r"(\d{1,10})-(\d{1,10})")


# ---- writing ----


class _Unit(NamedTuple):
    """What a line speaks of: a token, or a part of one; `span` is the number of its span, if it has one."""

    start: int
    end: int
    span: int | None


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write a file a page."""
    for record in records:
        sink.write(f"{record.sha256}{_SUFFIX}", _tsv(document_of(record).text, spans_of(record)).encode())
        if record.has_raw:
            sink.write(f"{SOURCE}/{record.sha256}.html", record.raw)


def _tsv(text: str, spans: tuple[Span, ...]) -> str:
    units, lines = Units(text), [_HEAD]
    paragraphs = [[list(_units(token, spans)) for token in tokens] for tokens in _paragraphs(text)]
    starts = [tokens[0][0].start for tokens in paragraphs]
    uses = Counter(unit.span for tokens in paragraphs for parts in tokens for unit in parts)
    for sentence, tokens in enumerate(paragraphs):
        end = starts[sentence + 1] if sentence + 1 < len(starts) else len(text)
        lines.append("\n" + _header(text[starts[sentence] : end]))
        for at, parts in enumerate(tokens, 1):
            for part, unit in enumerate(parts):
                number = f"{sentence + 1}-{at}" + (f".{part}" if part else "")
                offsets = f"{units.of(unit.start)}-{units.of(unit.end)}"
                value = _value(unit.span, spans, uses)
                lines.append(f"{number}\t{offsets}\t{_escaped(text[unit.start : unit.end])}\t{value}\t\n")
    return "".join(lines)


def _paragraphs(text: str) -> Iterator[list[re.Match[str]]]:
    """The tokens of each paragraph: a blank line parts them.

    For what reads it, a text begins with its first token, and spaces stand for what is before. So other
    blanks at its beginning are a token, too.
    """
    blanks = _BLANKS.match(text)
    found = [blanks] if blanks and blanks[0].strip(" ") else []
    for token in _TOKEN.finditer(text):
        if found and text.count("\n", found[-1].end(), token.start()) > 1:
            yield found
            found = []
        found.append(token)
    if found:
        yield found


def _units(token: re.Match[str], spans: tuple[Span, ...]) -> Iterator[_Unit]:
    """A token, and then those of its parts that are marked, unless all of it is."""
    start, end = token.span()
    first = bisect_right(spans, start, key=lambda span: span.end)
    marked = takewhile(lambda number: spans[number].start < end, range(first, len(spans)))
    parts = [_Unit(max(start, spans[each].start), min(end, spans[each].end), each) for each in marked]
    is_whole = bool(parts) and parts[0][:2] == (start, end)
    yield from parts if is_whole else [_Unit(start, end, None), *parts]


def _header(piece: str) -> str:
    """A paragraph with what follows it, a line each: what reads it ends each with a line break."""
    return "".join(f"{_TEXT}{_escaped(line)}\n" for line in piece.removesuffix("\n").split("\n"))


def _value(number: int | None, spans: tuple[Span, ...], uses: Mapping[int | None, int]) -> str:
    """The label, with the span's number where it has several units."""
    if number is None:
        return _NOTHING
    escapes = {"\t": "t", "\n": "n"}
    name = _IN_VALUES.sub(lambda found: "\\" + escapes.get(found[0], found[0]), spans[number].label)
    return f"{name}[{number + 1}]" if uses[number] > 1 else name


def _escaped(text: str) -> str:
    return _CONTROLS.sub(lambda found: "\\" + _NAMED.get(found[0], found[0]), text)


def _losses(record: PageRecord) -> frozenset[Loss]:
    """Marks begin and end with tokens."""
    text = document_of(record).text
    quotes = (text[span.start : span.end] for span in spans_of(record))
    return frozenset({Loss.EDGES} if any(quote != quote.strip() for quote in quotes) else ())


WRITER = FolderWriter(
    produce=produce,
    pages=PageParts.OPTIONAL,
    articles="article",
    always=frozenset({Loss.METADATA, Loss.SPLITS}),
    sometimes=frozenset({Loss.EDGES}),
    losses_of=_losses,
)


# ---- reading ----


class _Mark(NamedTuple):
    """In UTF-16 code units."""

    start: int
    end: int
    label: str


def is_tsv(file: Path) -> bool:
    """Whether a file begins as one of these."""
    if not file.is_file() or file.is_symlink():
        return False
    with file.open("rb") as stream:
        head = stream.read(len(codecs.BOM_UTF8) + len(_FORMAT))
    return head.removeprefix(codecs.BOM_UTF8).startswith(_FORMAT.encode())


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield a page for each file, by name."""
    for file in _files(path):
        try:
            yield _record(file)
        except FormatError as error:
            yield BadRecord.of(file.stem, error)


def count(path: Path) -> int:
    """How many records there are."""
    return len(_files(path))


def _files(path: Path) -> list[Path]:
    return by_name(path.glob(f"*{_SUFFIX}"))


def _record(file: Path) -> PageRecord:
    try:
        data = read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"is not UTF-8: {error}", Cause.SYNTAX) from error
    if not data.startswith(_FORMAT):
        raise FormatError("does not begin as WebAnno TSV 3 does", Cause.SYNTAX)
    # Windows ends lines with two characters; a carriage return of the text itself is escaped.
    lines = data.replace("\r\n", "\n").split("\n")
    text, labelled = _text_and_units(lines)
    units = Units(text)
    spans = (
        Span(units.code_point(start), units.code_point(end), as_ours(label))
        for column in _columns(lines)
        for start, end, label in _marks(column, labelled)
    )
    gold = gold_of(spans, text)
    return PageRecord(file.stem, page_beside(file, text), gold=gold)


def _columns(lines: list[str]) -> list[int]:
    """Where in a line labels stand: one column for each layer of spans that has such a feature."""
    found, at = [], 3
    for line in lines[1:]:
        if not line.startswith(_LAYERS):
            break
        _layer, *features = line.partition("=")[2].split("|")
        features = features or [""]
        wanted = next((name for name in FEATURES if name in features), None)
        if wanted and line.startswith(_LAYERS[0]):
            found.append(at + features.index(wanted))
        at += len(features)
    return found


def _text_and_units(lines: list[str]) -> tuple[str, list[tuple[int, int, list[str]]]]:
    """The text that the sentences make, and begin, end and fields of each token and part of one.

    As INCEpTION does it: each line of a sentence ends with a line break, and a sentence begins where its
    first token does. Raises FormatError for lines that do not fit together.
    """
    pieces: list[str] = []
    length = 0
    header: list[str] = []
    found = []
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            if line.startswith(_TEXT):
                header.append(_unescaped(line.removeprefix(_TEXT)))
            continue
        if not line.strip():
            continue
        fields = line.split("\t")
        offsets = _OFFSETS.fullmatch(fields[1]) if len(fields) > 2 else None
        if offsets is None:
            raise FormatError(f"line {number} is no token", Cause.SYNTAX)
        start, end = map(int, offsets.groups())
        if header:
            length = _begin(pieces, length, start, number)
            piece = "\n".join(header) + "\n"
            pieces.append(piece)
            length += Units(piece).of(len(piece))
            header = []
        if not start <= end <= length:
            raise FormatError(f"line {number} lies outside its sentence", Cause.SYNTAX)
        found.append((start, end, fields))
    return "".join(pieces).removesuffix("\n"), found


_LARGEST_GAP = 1 << 16


def _begin(pieces: list[str], length: int, start: int, number: int) -> int:
    """Have the next piece begin there: by taking the line break off the last one, or by blanks."""
    if pieces and length == start + 1:
        pieces[-1] = pieces[-1][:-1]
    elif length > start or start - length > _LARGEST_GAP:
        raise FormatError(f"line {number} does not begin where its sentence does", Cause.SYNTAX)
    else:
        pieces.append(" " * (start - length))
    return start


def _marks(column: int, labelled: list[tuple[int, int, list[str]]]) -> list[_Mark]:
    """The marks of a layer: units with one number are one, the others are marks of their own."""
    alone: list[_Mark] = []
    numbered: dict[str, _Mark] = {}
    for start, end, fields in labelled:
        value = fields[column] if column < len(fields) else _NOTHING
        if value in (_NOTHING, ""):
            continue
        for part in _STACKED.split(value):
            match = _NUMBERED.fullmatch(part)
            name, number = match.groups() if match else (part, "")
            label = "" if name == _UNNAMED else _unescaped_value(name)
            if not number:
                alone.append(_Mark(start, end, label))
            else:
                known = numbered.get(number, _Mark(start, end, label))
                numbered[number] = _Mark(min(known.start, start), max(known.end, end), known.label)
    return [mark for mark in [*alone, *numbered.values()] if mark.label and mark.start < mark.end]


def _unescaped(text: str) -> str:
    named = {name: char for char, name in _NAMED.items()}
    return _ESCAPED.sub(lambda found: named.get(found[1], found[1]), text)


def _unescaped_value(value: str) -> str:
    return _ESCAPED_VALUE.sub(lambda found: {"t": "\t", "n": "\n"}.get(found[1], found[1]), value)
