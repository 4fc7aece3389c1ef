"""`label-studio`: tasks of Label Studio with their annotations, out and in.

A folder with `tasks.json` and the labelling interface, `config.xml`; or a file as Label Studio exports it.
Label Studio counts UTF-16 code units. What is read needs no page of ours: a task with text alone becomes one.
"""

import codecs
import json
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from extraction.documents.utf16 import Units
from extraction.formats.gold import ARTICLE, GoldRecord
from extraction.formats.pages import raw_as_json, raw_from_json
from extraction.formats.records import MAX_BYTES, BadRecord, Cause, FormatError, PageRecord, read_json
from extraction.formats.text_pages import page_of
from extraction.formats.texts import is_text
from extraction.formats.writing import (
    DatasetFacts,
    FolderWriter,
    PageParts,
    Sink,
    document_of,
    spans_of,
    verdict_of,
)
from extraction.spans import CONTENT, LABELS, Span, SpanError, as_ours, normalise

TASKS, CONFIG = "tasks.json", "config.xml"
_FACTS = ("url", "language", "captured_at", "charset", "site", "split")
_VERDICTS = ("article", "not_article", "several", "cannot_tell")
# Bytes of a file of tasks, which is read as a whole.
_MAX_TASKS = 16 * MAX_BYTES
_HEAD = 1 << 16
# The keys of a region under which its labels stand, by the control that made it.
_LABELLED = ("labels", "hypertextlabels")
# What Label Studio writes for a line break in the text that somebody marked there.
_LINE_BREAK = "\\n"


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write the interface, then a task a line."""
    sink.write(CONFIG, _config(facts).encode())
    with sink.open(TASKS) as stream:
        stream.write(b"[")
        for number, record in enumerate(records, 1):
            task = _task(record, number, facts)
            line = json.dumps(task, ensure_ascii=False, separators=(",", ":"))
            stream.write((b",\n" if number > 1 else b"\n") + line.encode())
        stream.write(b"\n]\n")


def _config(facts: DatasetFacts) -> str:
    """The labelling interface; its labels are those of the corpus."""
    labels = "\n".join(f'    <Label value="{escape(label)}"/>' for label in [*facts.labels, CONTENT])
    verdicts = "\n".join(f'    <Choice value="{verdict}"/>' for verdict in _VERDICTS)
    return (
        f'<View>\n  <Labels name="label" toName="text">\n{labels}\n  </Labels>\n'
        f'  <Choices name="verdict" toName="text" choice="single">\n{verdicts}\n  </Choices>\n'
        '  <Text name="text" value="$text" granularity="symbol"/>\n</View>\n'
    )


def _task(record: PageRecord, number: int, facts: DatasetFacts) -> dict[str, Any]:
    document, gold = document_of(record), record.gold
    units = Units(document.text)
    data: dict[str, Any] = {"text": document.text, "sha256": record.sha256}
    data |= {name: value for name in _FACTS if (value := getattr(record, name))}
    if gold:
        data |= {"parser": document.parser, "labels": sorted(gold.labels)}
        data |= {"reason": gold.reason} if gold.reason else {}
    if record.has_raw:
        data |= raw_as_json(record.raw)
    annotations = [
        {"ground_truth": True, "result": _result(verdict_of(record), spans_of(record), document.text, units)}
    ]
    if facts.annotations:
        annotations += [
            {
                "ground_truth": False,
                "annotator": each.annotator,
                "result": _result(each.verdict, each.spans, document.text, units),
            }
            for each in record.annotations
        ]
    predictions = [
        {
            "model_version": f"{each.extractor} {each.version}",
            "result": _regions(each.spans, document.text, units),
        }
        for each in record.outputs
        if not each.is_failed
    ]
    return {"id": number, "data": data, "annotations": annotations, "predictions": predictions}


def _regions(spans: Iterable[Span], text: str, units: Units) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{start}-{end}",
            "type": "labels",
            "from_name": "label",
            "to_name": "text",
            "value": {
                "start": units.of(start),
                "end": units.of(end),
                "text": text[start:end],
                "labels": [label],
            },
        }
        for start, end, label in spans
    ]


def _result(verdict: str, spans: Iterable[Span], text: str, units: Units) -> list[dict[str, Any]]:
    choice = {
        "id": "verdict",
        "type": "choices",
        "from_name": "verdict",
        "to_name": "text",
        "value": {"choices": [verdict]},
    }
    return [choice, *_regions(spans, text, units)]


WRITER = FolderWriter(produce=produce, pages=PageParts.OPTIONAL, annotations=True, outputs=True)


# ---- reading ----


def tasks_file(path: Path) -> Path | None:
    """The file of tasks that a path is or holds, if it looks like one of Label Studio."""
    if path.is_dir():
        found = [path / TASKS] if (path / TASKS).is_file() else sorted(path.glob("*.json"))
        path = found[0] if len(found) == 1 else path
    if not path.is_file() or path.is_symlink():
        return None
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    is_list = head.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")
    return path if is_list and (b'"annotations"' in head or b'"data"' in head) else None


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield a page for each task; raises `FormatError` where there is no file of tasks.

    The gold of a task is its annotation marked as ground truth, else its last that was not cancelled.
    """
    file = tasks_file(path)
    if file is None:
        raise FormatError(f"{path} holds no file of tasks: an array of objects with data and annotations")
    for number, task in enumerate(_tasks(file), 1):
        location = f"{file.name}:{number}"
        try:
            yield _record(location, task)
        except FormatError as error:
            yield BadRecord.of(location, error)


def _tasks(file: Path) -> list[Any]:
    found = read_json(file, _MAX_TASKS)
    if not isinstance(found, list):
        raise FormatError(f"{file.name} is not a list of tasks", Cause.SYNTAX)
    return found


def _record(location: str, task: Any) -> PageRecord:
    data = task.get("data") if isinstance(task, dict) else None
    if not isinstance(data, dict):
        raise FormatError("has no data")
    text = data.get("text")
    if text is not None and not is_text(text):
        raise FormatError("its text is not a text")
    raw = raw_from_json(data)
    if raw is None:
        if text is None:
            raise FormatError("has neither text nor html")
        raw = page_of(text)
    facts = {name: data[name] for name in _FACTS[:4] if is_text(data.get(name)) and data[name]}
    gold = _gold(task, data, text)
    return PageRecord(
        location,
        raw,
        url=facts.get("url", ""),
        language=facts.get("language"),
        captured_at=facts.get("captured_at"),
        charset=facts.get("charset"),
        gold=gold,
        default_label_set=gold.default_label_set if gold else "article",
    )


def _gold(task: dict[str, Any], data: dict[str, Any], text: str | None) -> GoldRecord | None:
    annotation = _chosen(task.get("annotations"))
    if annotation is None:
        return None
    regions = [each for each in annotation["result"] if isinstance(each, dict)]
    verdict = next(filter(None, map(_verdict, regions)), ARTICLE)
    marked = [region for region in regions if region.get("type") in _LABELLED]
    told = data.get("labels")
    reason = data["reason"] if is_text(data.get("reason")) else ""
    if text is None:
        base, spans = _of_quotes(marked)
    else:
        base, spans = text, _of_offsets(marked, text)
    usual = {*LABELS, *(span.label for span in spans)} - {CONTENT}
    labels = frozenset(told if isinstance(told, list) and all(map(is_text, told)) else usual)
    try:
        return GoldRecord(verdict, reason, tuple(normalise(spans)), labels=labels, base=base)
    except SpanError as error:
        raise FormatError(f"its regions cannot be gold: {error}", Cause.GOLD) from error


def _chosen(annotations: Any) -> dict[str, Any] | None:
    if not isinstance(annotations, list):
        return None
    kept = [
        each
        for each in annotations
        if isinstance(each, dict) and not each.get("was_cancelled") and isinstance(each.get("result"), list)
    ]
    return next((each for each in kept if each.get("ground_truth")), kept[-1] if kept else None)


def _verdict(region: dict[str, Any]) -> str | None:
    if region.get("type") != "choices" or region.get("from_name") != "verdict":
        return None
    choices = _value(region).get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    # An unknown one is kept: an import refuses it, where it would pass for an article without it.
    return str(first).lower() if is_text(first) else None


def _of_offsets(regions: list[dict[str, Any]], text: str) -> list[Span]:
    units = Units(text)
    spans = []
    for region in regions:
        value, label = _value(region), _label(region)
        start, end = value.get("start"), value.get("end")
        if type(start) is not int or type(end) is not int:
            raise FormatError("a region has no start and end", Cause.GOLD)
        try:
            span = Span(units.code_point(start), units.code_point(end), label)
        except ValueError as error:
            raise FormatError(f"a region does not fit the text: {error}", Cause.GOLD) from error
        quoted = value.get("text")
        if isinstance(quoted, str) and _visible(quoted) != _visible(text[span.start : span.end]):
            raise FormatError(f"the text of region {start}-{end} is not that of the task", Cause.GOLD)
        spans.append(span)
    return spans


def _visible(text: str) -> str:
    """Without blanks: of what it quotes, Label Studio keeps one of several."""
    return "".join(text.replace(_LINE_BREAK, "\n").split())


def _of_quotes(regions: list[dict[str, Any]]) -> tuple[str, list[Span]]:
    """Regions of HTML have paths for positions; their texts, one after the other, are looked for instead."""
    parts: list[str] = []
    spans: list[Span] = []
    at = 0
    for region in sorted(regions, key=_offset):
        text = _value(region).get("text") or ""
        if is_text(text) and (text := text.replace(_LINE_BREAK, "\n")).strip():
            spans.append(Span(at, at + len(text), _label(region)))
            parts.append(text)
            at += len(text) + 2
    return "\n\n".join(parts), spans


def _offset(region: dict[str, Any]) -> int:
    found = _value(region).get("globalOffsets")
    start = found.get("start") if isinstance(found, dict) else None
    return start if type(start) is int else 0


def _value(region: dict[str, Any]) -> dict[str, Any]:
    value = region.get("value")
    return value if isinstance(value, dict) else {}


def _label(region: dict[str, Any]) -> str:
    """Its first label."""
    found = _value(region).get(str(region.get("type")))
    if not isinstance(found, list) or not found or not is_text(found[0]) or not found[0]:
        raise FormatError("a region has no label", Cause.GOLD)
    return as_ours(str(found[0]))
