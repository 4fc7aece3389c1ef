"""The audit log as a file: CSV, or one JSON object per line."""

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any

from annotator.common.csv_files import Echo, safe_cell
from annotator.corpora.audit.models import AuditEvent

COLUMNS = ("at", "action", "source", "person", "address", "corpus", "about", "item", "changes")


def csv_lines(events: Iterable[AuditEvent]) -> Iterator[str]:
    writer = csv.writer(Echo(), lineterminator="\r\n")
    yield writer.writerow(COLUMNS)
    for event in events:
        values = _record(event)
        values["changes"] = json.dumps(event.changes, ensure_ascii=False, sort_keys=True)
        yield writer.writerow([safe_cell(values[name] or "") for name in COLUMNS])


def json_lines(events: Iterable[AuditEvent]) -> Iterator[str]:
    for event in events:
        yield json.dumps(_record(event), ensure_ascii=False) + "\n"


def _record(event: AuditEvent) -> dict[str, Any]:
    return {
        "at": event.at.isoformat(),
        "action": event.action,
        "source": event.source,
        "person": event.person.username if event.person else None,
        "address": event.address,
        "corpus": event.corpus.slug if event.corpus else None,
        "about": event.about.username if event.about else None,
        "item": event.item,
        "changes": event.changes,
    }


# Name in addresses -> its lines and content type.
FORMATS = {"csv": (csv_lines, "text/csv"), "jsonl": (json_lines, "application/x-ndjson")}
