"""Imports the records of a source, batch by batch, and can be stopped between two of them."""

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from typing import Any, NamedTuple

from django.db import DataError, IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from annotator.common import storage, work
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.verdicts import Verdict
from annotator.fetching.crawl import NotYet
from annotator.pages.actions import AddedPage, Archived, TakenDown, add_page, check_bytes, taken_down_of
from annotator.pages.assets.fetching import request_with_import
from annotator.pages.imports.addresses import FETCHED_FORMATS
from annotator.pages.imports.models import Import, ImportRecord, Outcome
from annotator.pages.imports.records import Record
from annotator.pages.imports.sources import open_source
from extraction import formats
from extraction.formats import BadRecord, PageRecord
from extraction.formats.gold import GoldRecord, to_json
from extraction.formats.records import Cause

# Records of one transaction; fewer where the source is slow, as somebody watches.
BATCH, BATCH_SECONDS = 25, 1.0
# Characters of a page's fields. There is no charset with a longer name.
MAX_CHARSET, MAX_LANGUAGE = 40, 8
# Files that are written at once.
WRITERS = 8
# Imports at a path are never due: their command holds them.
NEVER = datetime(9999, 1, 1, tzinfo=UTC)
# Formats whose pages have gold: a page without is noteworthy.
WITH_GOLD = frozenset(
    {
        "boilernet",
        "cleaneval",
        "dragnet",
        "inception",
        "l3s-gn1",
        "label-studio",
        "scrapinghub",
        "wcxb",
        "webanno-tsv",
    }
)


class _TakenOver(Exception):
    """Another worker has claimed the import: what this one stored last is undone."""


@contextmanager
def held(run: Import) -> Iterator[Import]:
    """Hold an import at a path for this process, as a worker holds its work; it can be resumed afterwards.

    Waits for the heartbeat of a process that was killed to lapse. Raises Conflict if the import runs in
    another process.
    """
    claimed = _claimed(run)
    try:
        with work.beating(claimed):
            yield claimed
    finally:
        work.requeue(claimed, until=NEVER)


def _claimed(run: Import) -> Import:
    claimed = work.claim_once_free(Import, run.pk)
    if claimed is None:
        run.refresh_from_db()
        if run.finished_at:
            raise GoldpanError(run.error or "this import has ended")
        raise Conflict("this import is already running in another process")
    return claimed


def import_records(run: Import) -> Iterator[AddedPage | None]:
    """Import the rest of a claimed import's source; yield the page of each record, None for a refused one.

    Batch by batch, each in one transaction with the new position, so that an import can be interrupted at
    any time. Ends early when it was paused or cancelled, and for now when all that is left has to wait.
    Raises GoldpanError if the source cannot be read, Archived in an archived corpus.
    """
    try:
        with open_source(run, run.position) as source:
            for batch in _batches(source.records):
                _store_files(run, batch)
                yield from _store(run, batch)
                if _has_to_rest(run):
                    return
    except formats.FormatError as error:
        raise GoldpanError(str(error)) from error
    except NotYet as later:
        if not _has_to_rest(run):
            work.requeue(run, until=later.until - work.UNCLAIMED)
        return
    except Archived:
        # Archiving has paused it, so that no record is refused for that.
        if not _has_to_rest(run):
            raise
        return
    except _TakenOver:
        return
    now = timezone.now()
    work.finish(run, completed_at=now, paused_at=None, total=F("position"))


def _batches(records: Iterable[Record | None]) -> Iterator[list[Record]]:
    """The records in batches; an empty one where the source has nothing new for a while."""
    batch: list[Record] = []
    began = 0.0
    try:
        for record in records:
            began = began if batch else time.monotonic()
            if record:
                batch.append(record)
            if not record or len(batch) == BATCH or time.monotonic() - began > BATCH_SECONDS:
                yield batch
                batch = []
    except NotYet:
        yield batch
        raise
    if batch:
        yield batch


def _has_to_rest(run: Import) -> bool:
    """Whether somebody has paused or cancelled it; then it is finished as work."""
    asked = Q(paused_at__isnull=False) | Q(cancelled_at__isnull=False)
    rests = Import.objects.filter(asked, pk=run.pk, token=run.token, finished_at=None)
    return bool(rests.update(finished_at=timezone.now()))


def _store_files(run: Import, batch: list[Record]) -> None:
    """Store the bytes of a batch at the same time: most of it is waiting for the disk.

    Not those of pages that were taken down.
    """
    pages = {record.sha256: record.raw for record in batch if isinstance(record, PageRecord) and record.raw}
    gone = taken_down_of(run.corpus_id, pages)
    with ThreadPoolExecutor(WRITERS) as writers:
        list(writers.map(storage.put, (raw for digest, raw in pages.items() if digest not in gone)))


class _Result(NamedTuple):
    row: ImportRecord
    added: AddedPage | None


@transaction.atomic
def _store(run: Import, batch: list[Record]) -> list[AddedPage | None]:
    """Store a batch and what became of it; nothing of it when another worker has taken over."""
    # Archiving pauses an import in the browser; one of a command it reaches here.
    run.corpus.refresh_from_db(fields=["archived_at", "deleted_at"])
    results = [_import_record(run, run.position + number, record) for number, record in enumerate(batch, 1)]
    rows = [result.row for result in results]
    ImportRecord.objects.bulk_create(rows)
    if run.with_assets and run.format in FETCHED_FORMATS:
        new = [result.added.page for result in results if result.added and result.added.new]
        request_with_import(pages=new, by=run.requested_by)
    counts = {
        "position": len(rows),
        "new": sum(row.outcome == Outcome.ADDED for row in rows),
        "duplicates": sum(row.outcome == Outcome.DUPLICATE for row in rows),
        "refused": sum(row.outcome == Outcome.REFUSED for row in rows),
        "gold": sum(row.gold for row in rows),
    }
    # Whoever gets further has not died at this record.
    if not work.send_heartbeat(run, attempts=1, **{name: F(name) + n for name, n in counts.items()}):
        raise _TakenOver
    run.position += len(rows)
    return [result.added for result in results]


def _import_record(run: Import, position: int, record: Record) -> _Result:
    row = ImportRecord(run=run, position=position, location=record.location[:300] or str(position))
    if isinstance(record, BadRecord):
        row.outcome, row.cause, row.reason = Outcome.REFUSED, record.cause, record.reason
        return _Result(row, None)
    try:
        added = _add(run, record)
    except Archived:
        raise
    except (GoldpanError, ValueError, DataError, IntegrityError) as error:
        row.outcome, row.cause, row.reason = Outcome.REFUSED, cause_of(error), str(error)
        if isinstance(error, TakenDown) and run.format in FETCHED_FORMATS:
            _forget_address(row, record)
        return _Result(row, None)
    row.page = added.page
    row.outcome = Outcome.ADDED if added.new else Outcome.DUPLICATE
    row.gold = added.gold is not None
    if run.with_gold and record.gold is None and run.format in WITH_GOLD:
        row.cause, row.reason = Cause.GOLD, "has no gold"
    return _Result(row, added)


def _forget_address(row: ImportRecord, record: PageRecord) -> None:
    """The address of a page that was taken down gives way to its digest, as it did where the page came in."""
    row.location = f"{record.sha256}-{row.position}"
    row.run.addresses.filter(location=record.location).update(url="", location=row.location)
    Import.objects.filter(pk=row.run_id, name=record.location).update(name=row.location)


def cause_of(error: Exception) -> str:
    """Why a record was refused, for advice on what to do."""
    return str(getattr(error, "cause", "")) or (
        Cause.NOT_A_PAGE if isinstance(error, GoldpanError) else Cause.SYNTAX
    )


def check(record: PageRecord) -> None:
    """Raise GoldpanError or ValueError for a page that is refused whatever the corpus has."""
    check_bytes(record.raw)
    _parse_timestamp(record.captured_at)


def _add(run: Import, record: PageRecord) -> AddedPage:
    gold = _gold(record.gold) if run.with_gold and record.gold else None
    return add_page(
        corpus=run.corpus,
        raw=record.raw,
        url=record.url,
        charset=record.charset if len(record.charset or "") <= MAX_CHARSET else None,
        captured_at=_parse_timestamp(record.captured_at),
        language=_language(record.language or ""),
        gold=gold,
        gold_source=f"{run.format} {record.location}",
        assets=record.assets if run.with_assets else (),
    )


def _language(tag: str) -> str:
    """The tag without as many of its last subtags as are too long for a page: `zh-Hant` of `zh-Hant-TW`.

    Empty where that leaves nothing, as of "Portuguese": the language is then detected.
    """
    while len(tag) > MAX_LANGUAGE:
        tag = tag.rpartition("-")[0]
    return tag


class _BadGold(GoldpanError):
    cause = Cause.GOLD


def _gold(gold: GoldRecord) -> dict[str, Any]:
    """Return gold as `ImportedGold` stores it. Raises GoldpanError for an unknown verdict."""
    if gold.verdict not in Verdict.values:
        raise _BadGold(
            f"its gold has the unknown verdict {gold.verdict!r}; known verdicts: {', '.join(Verdict.values)}"
        )
    return to_json(gold)


def _parse_timestamp(value: str | None) -> datetime | None:
    """Parse an ISO 8601 timestamp, UTC without a time zone. Raises ValueError for anything else."""
    if not value:
        return None
    try:
        timestamp = datetime.fromisoformat(value)
    except ValueError as error:
        raise ValueError(f"captured_at is no time in ISO 8601: {value[:40]!r}") from error
    # In another time zone these may lie in a year that PostgreSQL stores and Python cannot read.
    if timestamp.year in (MINYEAR, MAXYEAR):
        raise ValueError(f"captured_at is in the year {timestamp.year}")
    return timestamp if timestamp.tzinfo else timestamp.replace(tzinfo=UTC)
