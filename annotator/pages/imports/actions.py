"""Imports: streamed record by record, and resumable."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import F
from django.utils import timezone

from annotator.common.errors import Conflict, GoldpanError
from annotator.common.verdicts import Verdict
from annotator.corpora.models import Corpus
from annotator.pages.actions import AddedPage, add_page
from annotator.pages.imports.models import Import, ImportProblem
from extraction import formats
from extraction.formats import BadRecord
from extraction.formats.gold import GoldRecord, to_json
from extraction.formats.records import PageRecord

# The first key of the advisory lock of an import; the second is its primary key.
LOCK = 0x1337


def start_import(*, corpus: Corpus, format: str, path: Path, with_gold: bool) -> Import:  # noqa: A002
    """Return the interrupted import of this source, or a new one.

    Raises GoldpanError for an unknown format or a path that does not exist.
    """
    if format not in formats.READERS:
        known = ", ".join(formats.READERS)
        raise GoldpanError(f"unknown format {format!r}; known formats: {known}")
    if not path.exists():
        raise GoldpanError(f"{path} does not exist")
    same = Import.objects.filter(
        corpus=corpus, format=format, source=str(path.resolve()), with_gold=with_gold, finished_at=None
    )
    return same.first() or Import.objects.create(
        corpus=corpus, format=format, source=str(path.resolve()), with_gold=with_gold
    )


def run_import(run: Import) -> Iterator[AddedPage | None]:
    """Import the rest of the source; yield the page of each record, or None for a refused record.

    A refused record is stored with its location. Each record is imported in one transaction with the new
    position, so that an import can be interrupted at any time.
    """
    with _locked(run):
        for record in islice(_records(run), run.position, None):
            yield _import_record(run, record)
        Import.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    run.refresh_from_db()


@contextmanager
def _locked(run: Import) -> Iterator[None]:
    """Raises Conflict if the same import runs in another process. The lock ends with the connection."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_lock(%s, %s)", [LOCK, run.pk])
        if not cursor.fetchone()[0]:
            raise Conflict("this import is already running in another process")
        run.refresh_from_db()
        try:
            yield
        finally:
            cursor.execute("select pg_advisory_unlock(%s, %s)", [LOCK, run.pk])


def _records(run: Import) -> Iterator[PageRecord | BadRecord]:
    """Raises GoldpanError if the source cannot be read."""
    try:
        yield from formats.READERS[run.format].read(Path(run.source))
    except formats.FormatError as error:
        raise GoldpanError(str(error)) from error


def _import_record(run: Import, record: PageRecord | BadRecord) -> AddedPage | None:
    try:
        with transaction.atomic():
            added = _add(run, record)
            _count(run, new=added.new, duplicates=not added.new)
    except (GoldpanError, ValueError, DataError, IntegrityError) as error:
        _refuse(run, record.location, str(error))
        return None
    return added


def _refuse(run: Import, location: str, reason: str) -> None:
    with transaction.atomic():
        ImportProblem.objects.get_or_create(run=run, location=location[:300], defaults={"reason": reason})
        _count(run, refused=1)


def _add(run: Import, record: PageRecord | BadRecord) -> AddedPage:
    if isinstance(record, BadRecord):
        raise GoldpanError(record.reason)
    gold = _gold(record.gold) if run.with_gold and record.gold else None
    return add_page(
        corpus=run.corpus,
        raw=record.raw,
        url=record.url,
        charset=record.charset,
        captured_at=_parse_timestamp(record.captured_at),
        language=record.language,
        gold=gold,
        gold_source=f"{run.format} {record.location}",
        assets=record.assets,
    )


def _count(run: Import, **counts: int) -> None:
    """Advance the position by one record, and add to the counts."""
    moved = {name: F(name) + int(count) for name, count in counts.items()}
    Import.objects.filter(pk=run.pk).update(position=F("position") + 1, **moved)


def _gold(gold: GoldRecord) -> dict[str, Any]:
    """Return gold as `ImportedGold` stores it. Raises GoldpanError for an unknown verdict."""
    if gold.verdict not in Verdict.values:
        raise GoldpanError(
            f"its gold has the unknown verdict {gold.verdict!r}; known verdicts: {', '.join(Verdict.values)}"
        )
    return to_json(gold)


def _parse_timestamp(value: str | None) -> datetime | None:
    """Parse an ISO 8601 timestamp, UTC without a time zone. Raises ValueError for anything else."""
    if not value:
        return None
    timestamp = datetime.fromisoformat(value)
    return timestamp if timestamp.tzinfo else timestamp.replace(tzinfo=UTC)
