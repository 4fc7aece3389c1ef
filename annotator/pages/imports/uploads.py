"""Uploaded files: they come in parts, and lie in the file store until their import has ended."""

import shutil
from datetime import timedelta
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Q, QuerySet, Sum
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.common import storage, work
from annotator.common.errors import BadRequest, Conflict, GoldpanError
from annotator.common.health import disk_of
from annotator.common.templatetags.figures import count
from annotator.corpora.models import Corpus, User
from annotator.pages.imports.models import Import, ImportFile, SourceKind
from extraction.formats.archives import safe_name
from extraction.formats.records import FormatError

# Bytes of one request: a slow connection sends it in seconds, and no process holds more of an upload.
PART_BYTES = 1 << 20
MAX_FILES = 20_000
# Characters of a file's name with its folders, as the database has it.
MAX_NAME = 500
# Files of an upload that nobody finished are kept for so long.
ABANDONED_AFTER = timedelta(days=1)
# Of a preview that nobody confirmed, or of an import that is paused.
KEPT_FOR = timedelta(days=30)


class UploadTooLarge(GoldpanError):
    """More bytes than an import may have, or than there is room for."""

    status = 413


def start_upload(*, corpus: Corpus, user: User) -> Import:
    """Create an import without files. It is no work until they are all there."""
    return Import.objects.create(
        corpus=corpus, requested_by=user, source_kind=SourceKind.UPLOAD, finished_at=timezone.now()
    )


@transaction.atomic
def add_file(*, run: Import, name: str, size: int) -> ImportFile:
    """Announce a file of the upload, by its name with folders and its size in bytes.

    Raises BadRequest for a name that no file can have, UploadTooLarge beyond the limits, Conflict if the
    upload is finished already.
    """
    run = _open_upload(run)
    try:
        wanted = safe_name(name)
    except FormatError as error:
        raise BadRequest(f"{name[:200]!r} {error}") from error
    taken = run.files.aggregate(files=Count("pk"), bytes=Sum("size", default=0))
    _check_limits(files=taken["files"] + 1, size=taken["bytes"] + size)
    free = _free_name(run, wanted)
    folders = [str(folder) for folder in PurePosixPath(free).parents]
    if run.files.filter(Q(name__in=folders) | Q(name__startswith=f"{free}/")).exists():
        # The worker could not write both, and would try for ever.
        raise BadRequest(f"{name[:200]!r} is the name of a file and of a folder")
    return ImportFile.objects.create(run=run, name=free, size=size)


def _open_upload(run: Import) -> Import:
    """The locked row; raises Conflict if the upload is finished."""
    locked = Import.objects.select_for_update().get(pk=run.pk)
    _check_open(locked)
    return locked


def _check_open(run: Import) -> None:
    if run.uploaded_at or run.cancelled_at:
        raise Conflict(_("This upload is already finished."))


def _check_limits(*, files: int, size: int) -> None:
    if files > MAX_FILES:
        raise UploadTooLarge(
            _("An import can have %(n)s files. Pack them into a ZIP archive.") % {"n": count(MAX_FILES)}
        )
    limit = settings.IMPORT_MAX_UPLOAD_MB << 20
    if size > limit:
        message = _("An import can have %(limit)s. Split it into several.")
        raise UploadTooLarge(message % {"limit": filesizeformat(limit)})
    # The files, the same files in the worker's folder, and their pages.
    needed, disk = 3 * size, disk_of(settings.GOLDPAN_HOME)
    if needed > disk["free"] - disk["kept"]:
        message = _(
            "There is not enough space for these files: they need %(needed)s, and %(free)s are free, "
            "of which %(kept)s are kept free."
        )
        sizes = {"needed": needed, "free": disk["free"], "kept": disk["kept"]}
        raise UploadTooLarge(message % {name: filesizeformat(each) for name, each in sizes.items()})


def _free_name(run: Import, name: str) -> str:
    """The name, with a number where another file of the upload has it; of a long one, its inner folders."""
    wanted = _shortened(name)
    path = PurePosixPath(wanted)
    suffix = "".join(each for each in path.suffixes[-2:] if len(each) < 10)
    stem = path.name.removesuffix(suffix).encode()[:100].decode(errors="ignore")
    number = 1
    while run.files.filter(name=wanted).exists():
        number += 1
        wanted = _shortened(str(path.with_name(f"{stem} ({number}){suffix}")))
    return wanted


def _shortened(name: str) -> str:
    """The name without as many outer folders as it is too long: cut inside one, it may mean another place."""
    while len(name) > MAX_NAME:
        name = name.partition("/")[2]
    return name


@transaction.atomic
def add_part(*, file: ImportFile, offset: int, data: bytes) -> int:
    """Store the bytes that follow on the first `offset` ones; return how many are here now.

    Raises Conflict, with what is here, for any other offset: the browser goes on from there.
    """
    locked = ImportFile.objects.select_for_update(of=("self",)).select_related("run").get(pk=file.pk)
    _check_open(locked.run)
    if offset != locked.received:
        error = Conflict(_("Other bytes are expected."))
        error.details = {"received": locked.received}  # type: ignore[attr-defined]
        raise error
    if not data or len(data) > PART_BYTES or locked.received + len(data) > locked.size:
        raise BadRequest(_("The part is empty, or larger than announced."))
    storage.put_part(_part(locked, locked.parts), data)
    ImportFile.objects.filter(pk=file.pk).update(received=F("received") + len(data), parts=F("parts") + 1)
    return locked.received + len(data)


@transaction.atomic
def finish_upload(*, run: Import, format: str = "") -> None:
    """Ask for a preview of the files that are here. Raises GoldpanError if none is, or some are cut off."""
    run = _open_upload(run)
    files = list(run.files.all())
    if not files:
        raise GoldpanError(_("There are no files to import."))
    missing = [file.name for file in files if file.received < file.size]
    if missing:
        raise GoldpanError(_("Not all of %(name)s has arrived. Upload it again.") % {"name": missing[0]})
    work.reopen(run, name=_name_of(files), format=format, uploaded_at=timezone.now())


def _name_of(files: list[ImportFile]) -> str:
    """What people call the upload: the file, the one folder of all files, or their number."""
    if len(files) == 1:
        return files[0].name[-300:]
    tops = {file.name.partition("/")[0] for file in files}
    if len(tops) == 1:
        return tops.pop()[:300]
    return ngettext("%(n)s file", "%(n)s files", len(files)) % {"n": len(files)}


def write_files(run: Import, folder: Path) -> None:
    """Write the uploaded files into a folder.

    Raises FileNotFoundError if the store does not have them, FormatError for a name that leads out of it.
    """
    for file in run.files.all():
        path = folder / safe_name(file.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as target:
            for number in range(file.parts):
                with storage.open_part(_part(file, number)) as part:
                    shutil.copyfileobj(part, target)


def _part(file: ImportFile, number: int) -> str:
    return f"uploads/{file.key}/{number:06}"


def remove_old_uploads() -> int:
    """Remove the files of imports that have ended, and of those that were left; return of how many."""
    runs = list(_cleared_now())
    for run in runs:
        remove_files(run)
    return len(runs)


def _cleared_now() -> QuerySet[Import]:
    now = timezone.now()
    ended = Q(completed_at__isnull=False) | Q(cancelled_at__isnull=False, finished_at__isnull=False)
    abandoned = Q(uploaded_at=None, requested_at__lt=now - ABANDONED_AFTER)
    left = Q(completed_at=None, finished_at__lt=now - KEPT_FOR)
    uploads = Import.objects.filter(source_kind=SourceKind.UPLOAD, cleared_at=None)
    return uploads.filter(ended | abandoned | left)[:20]


def remove_files(run: Import) -> None:
    """Remove the uploaded files; an import that was not completed is cancelled with that."""
    for file in run.files.all():
        # One more may have been stored by a request that was cut off before it was counted.
        for number in range(file.parts + 1):
            storage.remove_part(_part(file, number))
    now = timezone.now()
    Import.objects.filter(pk=run.pk, completed_at=None, cancelled_at=None).update(cancelled_at=now)
    Import.objects.filter(pk=run.pk).update(cleared_at=now)
