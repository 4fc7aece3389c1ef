"""Writes about exports: requested, written by a worker to a file, and stored by digest."""

import shutil
import tempfile
from collections import Counter
from datetime import datetime
from functools import partial
from hashlib import file_digest
from pathlib import Path
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common import storage, work
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.work_kinds import STOPPED
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.pages.files import lock_removal
from annotator.releases.exports import release_folder
from annotator.releases.exports.contents import Contents
from annotator.releases.exports.facts import facts_of
from annotator.releases.exports.formats import WRITERS
from annotator.releases.exports.gold_records import Progress, count_of, records
from annotator.releases.exports.models import Export
from annotator.releases.exports.presentation import format_title
from annotator.releases.models import Takedown
from extraction.formats.writing import FolderWriter, Loss

# Seconds between two heartbeats.
HEARTBEAT_INTERVAL = 1.0


def _ignore(done: int) -> None:
    """Report no progress."""


class ExportStopped(Exception):
    """An admin stopped the export, or another worker took it over."""


@transaction.atomic
def request_export(contents: Contents, *, user: User) -> Export:
    """Create an export for a worker; raises GoldpanError as `check` does."""
    check(contents)
    export = Export.objects.create(
        corpus=contents.corpus,
        format=contents.format,
        requested_by=user,
        release=contents.release,
        with_pages=contents.with_pages,
        with_annotations=contents.with_annotations,
        with_outputs=contents.with_outputs,
        pages=count_of(contents),
    )
    _record(AuditAction.EXPORT_REQUESTED, export, by=user)
    return export


def check(contents: Contents) -> None:
    """Raise GoldpanError for a format that is not known, or cannot be written of these contents."""
    if contents.format not in WRITERS:
        raise GoldpanError(
            _("Unknown export format “%(name)s”. Known formats: %(known)s.")
            % {"name": contents.format, "known": ", ".join(WRITERS)}
        )
    if contents.writer.releases_only and contents.release is None:
        raise GoldpanError(_("This format is for releases: choose one as the content."))
    title = {"format": format_title(contents.format)}
    if contents.annotations and not contents.with_annotations:
        raise GoldpanError(
            _("%(format)s cannot hold annotations before adjudication: export without them.") % title
        )
    if contents.outputs and not contents.with_outputs:
        raise GoldpanError(_("%(format)s cannot hold what extractors take: export without it.") % title)
    if contents.with_pages and not contents.pages:
        raise GoldpanError(_("%(format)s always holds the pages as captured: choose another format.") % title)
    if contents.with_outputs and contents.release is not None:
        raise GoldpanError(
            _("A release never changes, but extractor outputs do: choose the current gold as the content.")
        )


@transaction.atomic
def record_download(*, export: Export) -> None:
    """Record that somebody downloads the file."""
    _record(AuditAction.EXPORT_DOWNLOADED, export)


@transaction.atomic
def record_written(contents: Contents) -> None:
    """Record an export that a command writes to a file, without a row of its own."""
    record(AuditAction.EXPORT_REQUESTED, corpus=contents.corpus, changes=_changes(contents))


def _record(action: AuditAction, export: Export, by: User | None = None) -> None:
    record(action, corpus=export.corpus, by=by, item=export.pk, changes=_changes(contents_of(export)))


def _changes(contents: Contents) -> dict[str, Any]:
    release = contents.release
    changes: dict[str, Any] = {"format": contents.format, "release": release.number if release else None}
    along = {"annotations": contents.with_annotations, "outputs": contents.with_outputs}
    return changes | {name: True for name, goes in along.items() if goes}


@transaction.atomic
def stop_export(*, export: Export) -> None:
    """Ask the worker to stop; an export not yet started stops at once. Raises Conflict if it is finished."""
    running = Export.objects.filter(pk=export.pk, finished_at=None)
    if not running.update(stopped_at=timezone.now()):
        raise Conflict(_("This export is already finished."))
    running.end_unclaimed(error=STOPPED)
    _record(AuditAction.EXPORT_STOPPED, export)


def write_export(export: Export) -> bool:
    """Write a claimed export, unless it is stopped; False if another worker has taken over."""
    takedowns = Takedown.objects.filter(page__corpus=export.corpus_id)
    taken_down_before = takedowns.count()
    remove_scratch(besides=export)
    losses: Counter[Loss] = Counter()
    with tempfile.TemporaryDirectory(dir=_scratch(), prefix=f"export-{export.pk}-") as scratch:
        path = Path(scratch) / "export"
        try:
            count = write(contents_of(export), path, step=_Heartbeat(export).step, losses=losses)
        except ExportStopped:
            return work.fail(export, error=STOPPED)
        with path.open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest()
        storage.put_file(path, digest)
        size = path.stat().st_size
    with transaction.atomic():
        # Whoever takes a page down at this moment is waited for.
        lock_removal()
        held = Export.objects.select_for_update().get(pk=export.pk)
        if held.stopped_at is None and takedowns.count() == taken_down_before:
            found = {"pages": count, "done": count, "losses": dict(sorted(losses.items()))}
            return work.finish(export, sha256=digest, size=size, **found)
        if held.stopped_at is None:
            now = timezone.now()
            Export.objects.filter(pk=export.pk).update(stopped_at=now, withdrawn_at=now)
    _remove_files({digest})
    return work.fail(export, error=STOPPED)


def remove_scratch(*, besides: Export | None = None) -> None:
    """Remove what killed workers left on this machine of exports that have ended, or that are begun again.

    It may hold a page that was taken down since. `besides` is begun now.
    """
    # Read first: what begins after the query has no folder among these.
    folders = list(_scratch().glob("export-*"))
    running = set(Export.objects.open().values_list("pk", flat=True)) - {besides.pk if besides else 0}
    names = {f"export-{pk}" for pk in running}
    for left in folders:
        if left.name.rpartition("-")[0] not in names:
            shutil.rmtree(left, ignore_errors=True)


def _scratch() -> Path:
    folder = settings.GOLDPAN_HOME / "tmp"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def contents_of(export: Export) -> Contents:
    """What an export contains."""
    return Contents(
        corpus=export.corpus,
        format=export.format,
        release=export.release,
        pages=export.with_pages,
        annotations=export.with_annotations,
        outputs=export.with_outputs,
    )


def withdraw(*, corpus: Corpus, at: datetime) -> None:
    """Withdraw all exports of a corpus of which the present transaction takes a page down.

    Those under way are stopped.
    """
    standing = Export.objects.filter(corpus=corpus, withdrawn_at=None)
    stopped = {"stopped_at": at, "withdrawn_at": at}
    running = standing.filter(finished_at=None)
    running.end_unclaimed(error=STOPPED, **stopped)
    running.update(**stopped)
    standing.exclude(sha256="").update(withdrawn_at=at)


def remove_withdrawn(*, corpus: Corpus, at: datetime) -> None:
    """Remove the files of the exports withdrawn at that moment once the transaction is committed."""
    written = Export.objects.filter(corpus=corpus, withdrawn_at=at).exclude(sha256="")
    digests = set(written.values_list("sha256", flat=True))
    transaction.on_commit(partial(_remove_files, digests))


def _remove_files(digests: set[str]) -> None:
    """Remove these files, but those that another corpus has an export of."""
    elsewhere = Export.objects.filter(sha256__in=digests, withdrawn_at=None)
    storage.remove_all(digests - set(elsewhere.values_list("sha256", flat=True)))


class _Heartbeat:
    """Reports progress now and then; raises ExportStopped."""

    def __init__(self, export: Export) -> None:
        self._export = export
        self._last = monotonic()

    def step(self, done: int) -> None:
        if monotonic() - self._last < HEARTBEAT_INTERVAL:
            return
        self._last = monotonic()
        if not work.may_go_on(self._export, done=done):
            raise ExportStopped


def write(
    contents: Contents, path: Path, *, step: Progress = _ignore, losses: Counter[Loss] | None = None
) -> int:
    """Write the gold to one file, ordered by digest; return the number of pages, and count what is lost.

    A release is an archive of the folder of `release_folder.write_release`. Reproducible byte for byte: the
    file has no database keys, times or names.
    """
    losses = Counter() if losses is None else losses
    if contents.release is None:
        facts = facts_of(contents)
        with path.open("wb") as stream:
            count = contents.writer.write(records(contents, step, losses), stream, facts)
    else:
        with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
            folder = Path(scratch)
            count = release_folder.write_release(contents, contents.release, folder, step=step, losses=losses)
            release_folder.archive(folder, path)
    return count


def write_folder(
    contents: Contents, folder: Path, *, step: Progress = _ignore, losses: Counter[Loss] | None = None
) -> int:
    """Like `write`, for what is a folder: a release, or a format that is one."""
    losses = Counter() if losses is None else losses
    if contents.release is not None:
        folder.mkdir()
        return release_folder.write_release(contents, contents.release, folder, step=step, losses=losses)
    assert isinstance(contents.writer, FolderWriter)
    facts = facts_of(contents)
    return contents.writer.write_folder(records(contents, step, losses), folder, facts)


def is_folder(contents: Contents) -> bool:
    """Whether it is a folder, which is an archive as one file."""
    return contents.release is not None or contents.writer.is_folder
