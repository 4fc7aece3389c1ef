"""Writes about exports: requested, written by a worker to a file, and stored by digest."""

import tempfile
from collections.abc import Callable, Iterator
from hashlib import file_digest
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common import storage, work
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.verdicts import WITH_SPANS
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.gold.queries import current_gold
from annotator.releases.exports import release_folder
from annotator.releases.exports.gold_records import ARTICLES_ONLY, record_of
from annotator.releases.exports.models import Export
from annotator.releases.models import Release, Takedown
from extraction import formats
from extraction.formats.records import PageRecord

# Pages between two heartbeats.
HEARTBEAT_INTERVAL = 50


Progress = Callable[[int], None]


def _ignore(done: int) -> None:
    """Report no progress."""


class ExportStopped(Exception):
    """An admin stopped the export, or another worker took it over."""


@transaction.atomic
def request_export(
    *,
    corpus: Corpus,
    format: str,
    user: User,
    release: Release | None = None,
) -> Export:
    """Create an export of the current gold, or of a release, for a worker.

    Raises GoldpanError for a format that cannot be written.
    """
    if format not in formats.WRITERS:
        known = ", ".join(formats.WRITERS)
        raise GoldpanError(
            _("Unknown export format “%(name)s”. Known formats: %(known)s.")
            % {"name": format, "known": known}
        )
    pages = release_folder.count_of(release, format) if release else exported_gold(corpus, format).count()
    export = Export.objects.create(
        corpus=corpus, format=format, requested_by=user, release=release, pages=pages
    )
    _record(AuditAction.EXPORT_REQUESTED, export, by=user)
    return export


@transaction.atomic
def record_download(*, export: Export) -> None:
    """Record that somebody downloads the file."""
    _record(AuditAction.EXPORT_DOWNLOADED, export)


@transaction.atomic
def record_written(*, corpus: Corpus, format: str, release: Release | None) -> None:
    """Record an export that a command writes to a file, without a row of its own."""
    changes = {"format": format, "release": release.number if release else None}
    record(AuditAction.EXPORT_REQUESTED, corpus=corpus, changes=changes)


def _record(action: AuditAction, export: Export, by: User | None = None) -> None:
    release = export.release.number if export.release else None
    changes = {"format": export.format, "release": release}
    record(action, corpus=export.corpus, by=by, item=export.pk, changes=changes)


@transaction.atomic
def stop_export(*, export: Export) -> None:
    """Ask the worker to stop; an export not yet started stops at once. Raises Conflict if it is finished."""
    now = timezone.now()
    running = Export.objects.filter(pk=export.pk, finished_at=None)
    if not running.update(stopped_at=now):
        raise Conflict(_("This export is already finished."))
    running.filter(heartbeat_at=None).update(finished_at=now, error="stopped")
    _record(AuditAction.EXPORT_STOPPED, export)


def write_export(export: Export) -> bool:
    """Write a claimed export; False if it was stopped or taken over."""
    folder = settings.GOLDPAN_HOME / "tmp"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        path = Path(scratch) / "export"
        try:
            count = _write(export, path)
        except ExportStopped:
            return work.fail(export, error="stopped")
        with path.open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest()
        storage.put_file(path, digest)
        return work.finish(export, sha256=digest, size=path.stat().st_size, done=count, pages=count)


def _write(export: Export, path: Path) -> int:
    def step(done: int) -> None:
        _heartbeat(export, done)

    if export.release is None:
        return write(export.corpus, export.format, path, step=step)
    return write_release(export.release, export.format, path, step=step)


def withdraw_files(*, takedown: Takedown) -> int:
    """Remove the files that may contain the page, which are all of its corpus; return how many."""
    page = takedown.page
    written = Export.objects.filter(corpus=page.corpus_id, requested_at__lte=takedown.made_at)
    running = written.filter(finished_at=None)
    running.update(stopped_at=takedown.made_at)
    running.filter(heartbeat_at=None).update(finished_at=timezone.now(), error="stopped")
    digests = set(written.exclude(sha256="").filter(withdrawn_at=None).values_list("sha256", flat=True))
    written.filter(sha256__in=digests).update(withdrawn_at=timezone.now())
    # Another corpus may have an export with the same bytes.
    elsewhere = Export.objects.filter(sha256__in=digests, withdrawn_at=None)
    digests -= set(elsewhere.values_list("sha256", flat=True))
    for digest in digests:
        storage.remove(digest)
    return len(digests)


def _heartbeat(export: Export, done: int) -> None:
    if done % HEARTBEAT_INTERVAL:
        return
    if (
        not work.send_heartbeat(export, done=done)
        or Export.objects.filter(pk=export.pk, stopped_at__isnull=False).exists()
    ):
        raise ExportStopped


def write(corpus: Corpus, format: str, path: Path, *, step: Progress = _ignore) -> int:
    """Write the corpus's current gold to one file, ordered by digest; return the number of pages.

    Reproducible byte for byte: the file has no database keys, times or names.
    """
    with path.open("wb") as stream:
        return int(formats.WRITERS[format].write(_records(corpus, format, step), stream))


def write_release(release: Release, format: str, path: Path, *, step: Progress = _ignore) -> int:
    """Write a release to one file, an archive of the folder of `release_folder.write_release`."""
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        folder = Path(scratch)
        count = release_folder.write_release(release, format, folder, step=step)
        release_folder.archive(folder, path)
    return count


def write_folder(corpus: Corpus, format: str, folder: Path, *, step: Progress = _ignore) -> int:
    """Like `write`, for a format that is a folder."""
    return int(formats.WRITERS[format].write_folder(_records(corpus, format, step), folder))


def is_folder(format: str) -> bool:
    """Whether the format is a folder, which is an archive as one file."""
    return hasattr(formats.WRITERS[format], "write_folder")


def exported_gold(corpus: Corpus, format: str) -> QuerySet[Gold]:
    """Return the current gold that the format can hold: all of it, or only articles."""
    gold = current_gold(corpus)
    return gold if format not in ARTICLES_ONLY else gold.filter(verdict__in=WITH_SPANS)


def _records(corpus: Corpus, format: str, step: Progress) -> Iterator[PageRecord]:
    golds = exported_gold(corpus, format).select_related("page", "document").order_by("page__sha256")
    for count, gold in enumerate(golds.iterator(chunk_size=100), start=1):
        yield record_of(gold, ARTICLES_ONLY.get(format, "main"))
        step(count)
