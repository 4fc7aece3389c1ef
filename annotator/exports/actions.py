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
from annotator.exports import released
from annotator.exports.models import Export
from annotator.exports.records import ARTICLES_ONLY, record_of
from annotator.gold.models import Gold
from annotator.gold.queries import current_gold
from annotator.releases.models import Release, Takedown
from extraction import formats
from extraction.formats import Record

# How many pages pass between two signs of life.
STEP = 50


Step = Callable[[int], None]


def _nobody_looks(done: int) -> None:
    """Where no progress is shown."""


class Stopped(Exception):
    """Somebody asked for the export to stop, or gave it to another worker."""


def request_export(
    *,
    corpus: Corpus,
    format: str,  # noqa: A002
    user: User,
    release: Release | None = None,
) -> Export:
    """A row for a worker: of the current gold, or of a release. Raises GoldpanError for a format that cannot
    be written."""
    if format not in formats.WRITERS:
        known = ", ".join(formats.WRITERS)
        raise GoldpanError(
            _("There is no export format “%(name)s”. Known: %(known)s.") % {"name": format, "known": known}
        )
    pages = released.count_of(release, format) if release else exported_gold(corpus, format).count()
    return Export.objects.create(
        corpus=corpus, format=format, requested_by=user, release=release, pages=pages
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
            count = _write(export, path)
        except Stopped:
            return work.fail(export, error="stopped")
        with path.open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest()
        storage.put_file(path, digest)
        return work.finish(export, sha256=digest, size=path.stat().st_size, done=count, pages=count)


def _write(export: Export, path: Path) -> int:
    def step(done: int) -> None:
        _step(export, done)

    if export.release is None:
        return write(export.corpus, export.format, path, step=step)
    return write_release(export.release, export.format, path, step=step)


def withdraw_files(*, takedown: Takedown) -> int:
    """Take away the files that may hold the page: all that were written of its corpus; how many."""
    page = takedown.page
    written = Export.objects.filter(corpus=page.corpus_id, requested_at__lte=takedown.made_at)
    running = written.filter(finished_at=None)
    running.update(stopped_at=takedown.made_at)
    running.filter(heartbeat_at=None).update(finished_at=timezone.now(), error="stopped")
    digests = set(written.exclude(sha256="").filter(withdrawn_at=None).values_list("sha256", flat=True))
    written.filter(sha256__in=digests).update(withdrawn_at=timezone.now())
    # The same bytes, asked for in another corpus, are that one's too.
    standing = Export.objects.filter(sha256__in=digests, withdrawn_at=None)
    digests -= set(standing.values_list("sha256", flat=True))
    for digest in digests:
        storage.remove(digest)
    return len(digests)


def _step(export: Export, done: int) -> None:
    if done % STEP:
        return
    if (
        not work.beat(export, done=done)
        or Export.objects.filter(pk=export.pk, stopped_at__isnull=False).exists()
    ):
        raise Stopped


def write(corpus: Corpus, format: str, path: Path, *, step: Step = _nobody_looks) -> int:  # noqa: A002
    """Write the corpus's current gold to one file, ordered by digest; how many pages.

    The same gold gives the same bytes on every machine: no database keys, clocks or names are in them.
    """
    with path.open("wb") as stream:
        return int(formats.WRITERS[format].write(_records(corpus, format, step), stream))


def write_release(release: Release, format: str, path: Path, *, step: Step = _nobody_looks) -> int:  # noqa: A002
    """Write a release to one file: an archive of what `released.write_release` makes."""
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        folder = Path(scratch)
        count = released.write_release(release, format, folder, step=step)
        released.archive(folder, path)
    return count


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
