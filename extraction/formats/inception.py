"""`inception`: UIMA CAS XMI, as INCEpTION and WebAnno import and export it, out and in.

A folder with `TypeSystem.xml` and `ID.xmi` for each page, the page beside it as `source/ID.html` where it
goes along. Marks are named entities, the layer that every project has; `value` is the label. UIMA counts
UTF-16 code units, which dkpro-cassis converts.
"""

import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extraction.formats.gold import GoldRecord
from extraction.formats.records import BadRecord, Cause, FormatError, PageRecord, read_bytes
from extraction.formats.text_pages import page_of
from extraction.formats.texts import by_name, is_text
from extraction.formats.writing import (
    DatasetFacts,
    FolderWriter,
    Loss,
    PageParts,
    Sink,
    document_of,
    spans_of,
)
from extraction.spans import CONTENT, LABELS, Span, as_ours, normalise

if TYPE_CHECKING:
    import cassis

TYPES, SOURCE = "TypeSystem.xml", "source"
_SUFFIX = ".xmi"
ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
_METADATA = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
_TEXTS = ("documentTitle", "documentId", "documentUri")
_NO_LANGUAGE = "x-unspecified"
# The features that hold a label, of the layer of named entities and of layers that people make.
FEATURES = ("value", "label", "Label")


def _types() -> "cassis.TypeSystem":
    import cassis  # slow: nobody else waits for it

    types = cassis.TypeSystem()
    entity = types.create_type(ENTITY, supertypeName="uima.tcas.Annotation")
    types.create_feature(entity, "value", "uima.cas.String")
    types.create_feature(entity, "identifier", "uima.cas.String")
    metadata = types.create_type(_METADATA, supertypeName="uima.tcas.DocumentAnnotation")
    for name in _TEXTS:
        types.create_feature(metadata, name, "uima.cas.String")
    return types


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write the types, then a file a page."""
    types = _types()
    sink.write(TYPES, types.to_xml().encode())
    for record in records:
        sink.write(f"{record.sha256}{_SUFFIX}", _xmi(record, types).encode())
        if record.has_raw:
            sink.write(f"{SOURCE}/{record.sha256}.html", record.raw)


def _xmi(record: PageRecord, types: "cassis.TypeSystem") -> str:
    import cassis

    text = document_of(record).text
    cas = cassis.Cas(typesystem=types)
    cas.sofa_string, cas.sofa_mime = text, "text/plain"
    metadata, entity = types.get_type(_METADATA), types.get_type(ENTITY)
    language = record.language.split("-")[0] if record.language else _NO_LANGUAGE
    cas.add(
        metadata(
            begin=0,
            end=len(text),
            language=language,
            documentTitle=record.sha256,
            documentId=record.sha256,
            documentUri=record.url or None,
        )
    )
    for start, end, label in spans_of(record):
        cas.add(entity(begin=start, end=end, value=label))
    return str(cas.to_xmi())


WRITER = FolderWriter(
    produce=produce,
    pages=PageParts.OPTIONAL,
    articles="article",
    always=frozenset({Loss.METADATA, Loss.SPLITS}),
)


# ---- reading ----


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield a page for each file, by name; raises `FormatError` where types are missing."""
    types = _read_types(path)
    for file in _files(path):
        try:
            yield _record(file, types)
        except FormatError as error:
            yield BadRecord.of(file.stem, error)


def count(path: Path) -> int:
    """How many records there are."""
    return len(_files(path))


def _files(path: Path) -> list[Path]:
    return by_name(path.glob(f"*{_SUFFIX}"))


def _read_types(path: Path) -> "cassis.TypeSystem":
    import cassis

    if not (path / TYPES).exists():
        raise FormatError(f"{path} has no {TYPES}", Cause.MISSING_FILE)
    try:
        return cassis.load_typesystem(_checked(path / TYPES))
    except FormatError:
        raise
    except Exception as error:  # whatever the library makes of a stranger's file
        raise FormatError(f"{TYPES} cannot be read: {error}", Cause.SYNTAX) from error


def _checked(file: Path) -> str:
    """A file's text; XML that defines entities is refused before anybody parses it."""
    data = read_bytes(file)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise FormatError(f"is not UTF-8: {error}", Cause.SYNTAX) from error
    if "<!DOCTYPE" in text or "<!ENTITY" in text or "\0" in text:
        raise FormatError("is XML with definitions of its own", Cause.ENTITIES)
    return text


def _record(file: Path, types: "cassis.TypeSystem") -> PageRecord:
    import cassis

    try:
        with warnings.catch_warnings():
            # The library warns of an offset that it cannot convert, and then takes it as it stands.
            warnings.filterwarnings("error", message="Not mapping external offset")
            cas = cassis.load_cas_from_xmi(_checked(file), typesystem=types, lenient=True)
        text, annotations = cas.sofa_string, list(cas.select_all_annotations())
    except FormatError:
        raise
    except UserWarning as warning:
        raise FormatError(f"an annotation does not fit the text: {warning}", Cause.GOLD) from warning
    except Exception as error:  # whatever the library makes of a stranger's file
        raise FormatError(f"cannot be read: {error}", Cause.SYNTAX) from error
    if not is_text(text):
        raise FormatError("has no text")
    gold = gold_of(_spans(annotations), text)
    return PageRecord(
        file.stem,
        page_beside(file, text),
        url=_first(annotations, "documentUri", is_address=True),
        language=_language(annotations),
        gold=gold,
    )


def page_beside(file: Path, text: str) -> bytes:
    """The page that lies beside a file, or one that is made of its text."""
    source = file.parent / SOURCE / f"{file.stem}.html"
    return read_bytes(source) if source.is_file() and not source.is_symlink() else page_of(text, file.stem)


def gold_of(marks: Iterable[Span], text: str) -> GoldRecord | None:
    """The gold that marks on a text are; it tells the usual labels apart, and others that are there.

    None without a mark: an export holds documents too that nobody has annotated yet. Raises FormatError for
    marks that cannot be gold.
    """
    try:
        spans = tuple(normalise(marks))
    except ValueError as error:
        raise FormatError(f"its annotations cannot be gold: {error}", Cause.GOLD) from error
    if not spans:
        return None
    labels = frozenset({*LABELS, *(span.label for span in spans)} - {CONTENT})
    return GoldRecord(spans=spans, base=text, labels=labels)


def _spans(annotations: Iterable[Any]) -> Iterator[Span]:
    """The marks of the layers that have a feature for the label."""
    for each in annotations:
        label = next((found for name in FEATURES if is_text(found := getattr(each, name, None))), "")
        if label:
            yield Span(each.begin, each.end, as_ours(label))


def _first(annotations: Iterable[Any], name: str, *, is_address: bool = False) -> str:
    found = (getattr(each, name, None) for each in annotations)
    texts = (value for value in found if is_text(value) and value)
    return next((value for value in texts if not is_address or value.startswith(("http://", "https://"))), "")


def _language(annotations: list[Any]) -> str | None:
    found = _first(annotations, "language")
    return None if found in ("", _NO_LANGUAGE) else found
