"""Exports: asked for, written by a worker to a file, kept by digest."""

import tempfile
from collections.abc import Callable, Iterator
from hashlib import file_digest
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations.models import WITH_SPANS
from annotator.common import storage, work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.models import Corpus, User
from annotator.exports.models import Export
from annotator.gold.models import Gold
from annotator.gold.queries import current_gold
from extraction import formats
from extraction.formats import Gold as RecordGold
from extraction.formats import Record
from extraction.spans import LABEL_SETS, Span, can_tell, normalise, relevant

# How many pages pass between two signs of life.
STEP = 10


Step = Callable[[int], None]

# Formats that hold the text of articles and nothing else, and the label set of that text.
ARTICLES_ONLY = {"scrapinghub": "body"}


def _nobody_looks(done: int) -> None:
    """Where no progress is shown."""


class Stopped(Exception):
    """Somebody asked for the export to stop, or gave it to another worker."""


def request_export(*, corpus: Corpus, format: str, user: User) -> Export:  # noqa: A002
    """A row for a worker. Raises GoldpanError for a format that cannot be written."""
    if format not in formats.WRITERS:
        known = ", ".join(formats.WRITERS)
        raise GoldpanError(
            _("There is no export format “%(name)s”. Known: %(known)s.") % {"name": format, "known": known}
        )
    return Export.objects.create(
        corpus=corpus, format=format, requested_by=user, pages=exported_gold(corpus, format).count()
    )


def stop_export(*, export: Export) -> None:
    """Ask the worker to stop; an export that still waits is stopped at once."""
    now = timezone.now()
    running = Export.objects.filter(pk=export.pk, finished_at=None)
    if not running.update(stopped_at=now):
        raise Conflict(_("This export is finished."))
    running.filter(heartbeat_at=None).update(finished_at=now, error="stopped")


def write_export(export: Export) -> bool:
    """Write a claimed export, showing progress; False when it was stopped or taken over."""
    folder = settings.GOLDPAN_HOME / "tmp"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        path = Path(scratch) / "export"
        try:
            count = write(export.corpus, export.format, path, step=lambda done: _step(export, done))
        except Stopped:
            return work.fail(export, error="stopped")
        with path.open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest()
        storage.put_file(path, digest)
        return work.finish(export, sha256=digest, size=path.stat().st_size, done=count, pages=count)


def _step(export: Export, done: int) -> None:
    if done % STEP:
        return
    Export.objects.filter(pk=export.pk).update(done=done)
    if not work.beat(export) or Export.objects.filter(pk=export.pk, stopped_at__isnull=False).exists():
        raise Stopped


def write(corpus: Corpus, format: str, path: Path, *, step: Step = _nobody_looks) -> int:  # noqa: A002
    """Write the corpus's current gold to one file, ordered by digest; how many pages.

    The same gold gives the same bytes on every machine: no database keys, clocks or names are in them.
    """
    with path.open("wb") as stream:
        return int(formats.WRITERS[format].write(_records(corpus, format, step), stream))


def write_folder(corpus: Corpus, format: str, folder: Path, *, step: Step = _nobody_looks) -> int:  # noqa: A002
    """Like `write`, for a format that is a folder of files."""
    return int(formats.WRITERS[format].write_folder(_records(corpus, format, step), folder))


def is_folder(format: str) -> bool:  # noqa: A002
    """Whether the format is a folder; as one file it is then an archive."""
    return hasattr(formats.WRITERS[format], "write_folder")


def exported_gold(corpus: Corpus, format: str) -> QuerySet[Gold]:  # noqa: A002
    """What goes out: all current gold, or only articles where the format knows nothing else."""
    gold = current_gold(corpus)
    return gold if format not in ARTICLES_ONLY else gold.filter(verdict__in=WITH_SPANS)


def _records(corpus: Corpus, format: str, step: Step) -> Iterator[Record]:  # noqa: A002
    golds = exported_gold(corpus, format).select_related("page", "document").order_by("page__sha256")
    for count, gold in enumerate(golds.iterator(chunk_size=100), start=1):
        yield record_of(gold, ARTICLES_ONLY.get(format, "main"))
        step(count)


def record_of(gold: Gold, labels: str = "main") -> Record:
    """Page and gold as the formats read and write them; `labels` are those of the plain text."""
    page, document = gold.page, gold.document
    return Record(
        place=page.sha256,
        raw=storage.get(page.sha256),
        url=page.url,
        charset=page.charset or None,
        captured_at=page.captured_at.isoformat() if page.captured_at else None,
        language=page.language or None,
        gold=RecordGold(
            verdict=gold.verdict,
            reason=gold.reason,
            spans=tuple(spans_of(gold)),
            text=text_of(gold, labels),
            labels=frozenset(gold.tells),
            parser=document.version,
        ),
    )


def spans_of(gold: Gold) -> list[Span]:
    """The gold's spans in normal form; where an interval comes from is not part of an export."""
    return normalise(Span(start, end, label) for start, end, label, _source in gold.spans)


def text_of(gold: Gold, labels: str) -> str:
    """The gold's relevant text, one line a span; all it can tell apart when the label set is too much."""
    asked = LABEL_SETS[labels]
    wanted = asked if can_tell(gold.tells, asked) else asked & set(gold.tells) or set(gold.tells)
    text = gold.document.text
    return "\n".join(text[start:end] for start, end in relevant(spans_of(gold), wanted))
