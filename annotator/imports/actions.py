"""Bringing records in: streamed, one at a time, and gone on with where it stopped."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import F
from django.utils import timezone

from annotator.annotations.models import Verdict
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.models import Corpus
from annotator.imports.models import Import, ImportProblem
from annotator.pages.actions import Added, add_page
from extraction import formats
from extraction.formats import BadRecord, Gold, Record
from extraction.formats.gold import to_json

# The first half of the advisory lock of an import; the second is its key.
LOCK = 0x1337


def start_import(*, corpus: Corpus, format: str, path: Path, with_gold: bool) -> Import:  # noqa: A002
    """The broken-off import of this source, to go on with, or a new one.

    Raises GoldpanError for a format that is not known or a path that is not there.
    """
    if format not in formats.READERS:
        known = ", ".join(formats.READERS)
        raise GoldpanError(f"there is no format {format!r}; known are {known}")
    if not path.exists():
        raise GoldpanError(f"{path} does not exist")
    same = Import.objects.filter(
        corpus=corpus, format=format, source=str(path.resolve()), with_gold=with_gold, finished_at=None
    )
    return same.first() or Import.objects.create(
        corpus=corpus, format=format, source=str(path.resolve()), with_gold=with_gold
    )


def run_import(run: Import) -> Iterator[Added | None]:
    """Bring in what is left of the source, one record at a step: what became of it, None when it was refused.

    A bad record is noted with its place, and the rest goes in. Stopped at any moment, it goes on with the
    record at which it stopped: each is taken in one transaction together with the new position.
    """
    with _alone(run):
        for record in islice(_records(run), run.position, None):
            yield _take(run, record)
        Import.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    run.refresh_from_db()


@contextmanager
def _alone(run: Import) -> Iterator[None]:
    """Raises Conflict when the same import runs in another process; its lock goes with its connection."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_lock(%s, %s)", [LOCK, run.pk])
        if not cursor.fetchone()[0]:
            raise Conflict("this import is running already, in another process")
        run.refresh_from_db()
        try:
            yield
        finally:
            cursor.execute("select pg_advisory_unlock(%s, %s)", [LOCK, run.pk])


def _records(run: Import) -> Iterator[Record | BadRecord]:
    """Raises GoldpanError when the source as a whole cannot be read."""
    try:
        yield from formats.READERS[run.format].read(Path(run.source))
    except formats.FormatError as error:
        raise GoldpanError(str(error)) from error


def _take(run: Import, record: Record | BadRecord) -> Added | None:
    try:
        with transaction.atomic():
            added = _add(run, record)
            _count(run, new=added.new, duplicates=not added.new)
    except (GoldpanError, ValueError, DataError, IntegrityError) as error:
        _refuse(run, record.place, str(error))
        return None
    return added


def _refuse(run: Import, place: str, reason: str) -> None:
    with transaction.atomic():
        ImportProblem.objects.get_or_create(run=run, place=place[:300], defaults={"reason": reason})
        _count(run, refused=1)


def _add(run: Import, record: Record | BadRecord) -> Added:
    if isinstance(record, BadRecord):
        raise GoldpanError(record.reason)
    gold = _gold(record.gold) if run.with_gold and record.gold else None
    return add_page(
        corpus=run.corpus,
        raw=record.raw,
        url=record.url,
        charset=record.charset,
        captured_at=_moment(record.captured_at),
        language=record.language,
        gold=gold,
        gold_source=f"{run.format} {record.place}",
    )


def _count(run: Import, **counts: int) -> None:
    """One record further; the counts move with the position, or not at all."""
    moved = {name: F(name) + int(count) for name, count in counts.items()}
    Import.objects.filter(pk=run.pk).update(position=F("position") + 1, **moved)


def _gold(gold: Gold) -> dict[str, Any]:
    """Gold as `ImportedGold` keeps it; raises GoldpanError for a verdict that we do not know."""
    if gold.verdict not in Verdict.values:
        raise GoldpanError(
            f"its gold has the verdict {gold.verdict!r}; known are {', '.join(Verdict.values)}"
        )
    return to_json(gold)


def _moment(value: str | None) -> datetime | None:
    """An ISO 8601 moment; UTC where it names no zone. Raises ValueError for anything else."""
    if not value:
        return None
    moment = datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
