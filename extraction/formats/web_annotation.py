"""`web-annotation`: the W3C Web Annotation Data Model, in JSON-LD.

`annotations.jsonld` is one AnnotationPage; its targets are the canonical texts, `texts/ID.txt`, with a
TextPositionSelector and a TextQuoteSelector. The model counts code points, and so do our spans.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from extraction.formats.records import PageRecord
from extraction.formats.writing import (
    DatasetFacts,
    FolderWriter,
    Loss,
    Sink,
    document_of,
    spans_of,
    verdict_of,
)
from extraction.spans import Span

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
#: Code points before and after a quote, by which it is found where the text has changed.
AROUND = 32


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write the annotations, an item a line, and the texts."""
    head = {"@context": CONTEXT, "id": f"urn:goldpan:{facts.slug}:{facts.version}", "type": "AnnotationPage"}
    with sink.open("annotations.jsonld") as stream:
        stream.write(_json(head)[:-1] + b', "items": [')
        separator = b"\n"
        for record in records:
            for item in _items(record, with_annotations=facts.annotations):
                stream.write(separator + _json(item))
                separator = b",\n"
            sink.write(f"texts/{record.sha256}.txt", document_of(record).text.encode())
        stream.write(b"\n]}\n")


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _items(record: PageRecord, *, with_annotations: bool) -> Iterator[dict[str, Any]]:
    reason = record.gold.reason if record.gold else ""
    yield from _marks(record, "gold", verdict_of(record), reason, spans_of(record), {})
    if with_annotations:
        for each in record.annotations:
            creator = {"creator": {"type": "Person", "nickname": each.annotator}}
            yield from _marks(record, each.annotator, each.verdict, each.reason, each.spans, creator)


def _marks(
    record: PageRecord, who: str, verdict: str, reason: str, spans: Iterable[Span], creator: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """The verdict, as an annotation of the whole text, then the spans."""
    identifier = f"urn:goldpan:{record.sha256}:{who}"
    source = f"texts/{record.sha256}.txt"
    bodies = [_body(verdict, "classifying"), *([_body(reason, "describing")] if reason else [])]
    target = {"source": source, **({"scope": record.url} if record.url else {})}
    yield {"id": f"{identifier}:verdict", "type": "Annotation", **creator, "body": bodies, "target": target}
    text = document_of(record).text
    for start, end, label in spans:
        yield {
            "id": f"{identifier}:{start}-{end}",
            "type": "Annotation",
            **creator,
            "body": _body(label, "tagging"),
            "target": {"source": source, "selector": _selectors(start, end, text)},
        }


def _body(value: str, purpose: str) -> dict[str, str]:
    return {"type": "TextualBody", "value": value, "purpose": purpose, "format": "text/plain"}


def _selectors(start: int, end: int, text: str) -> list[dict[str, Any]]:
    return [
        {"type": "TextPositionSelector", "start": start, "end": end},
        {
            "type": "TextQuoteSelector",
            "exact": text[start:end],
            "prefix": text[max(0, start - AROUND) : start],
            "suffix": text[end : end + AROUND],
        },
    ]


WRITER = FolderWriter(produce=produce, annotations=True, always=frozenset({Loss.METADATA, Loss.SPLITS}))
