"""Where imports read from. A source yields records by their position, so that an import can go on at one.

A further kind of source is a function like the two here, opened by `open_source`; what is fetched is known by
its format, also where a command has it fetched. What it yields is a `PageRecord` for a page and a `BadRecord`
for what could not be had, with a reason; for the same import, always in the same order, unless it knows by
itself what was imported before. It may wait between two records; where it waits for long, it yields None each
second, or raises `NotYet`.
"""

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from django.conf import settings

from annotator.pages.imports import uploads
from annotator.pages.imports.addresses import FETCHED_FORMATS, open_addresses
from annotator.pages.imports.models import Import, SourceKind
from annotator.pages.imports.records import OpenSource
from extraction.formats.archives import is_archive
from extraction.formats.reading import PreparedInput, RecordReader
from extraction.formats.records import FormatError


@contextmanager
def open_upload(run: Import, position: int) -> Iterator[OpenSource]:
    """The uploaded files, unpacked into a folder of this machine for as long as they are read."""
    with _scratch(run) as folder, RecordReader() as reader:
        uploads.write_files(run, folder)
        prepared = reader.prepare(folder, run.format)
        yield OpenSource(prepared.format, reader.records(prepared, position))


@contextmanager
def open_path(run: Import, position: int) -> Iterator[OpenSource]:
    """A path of this machine, read where it lies; an archive is unpacked first."""
    path = Path(run.source)
    with _scratch(run) as folder, RecordReader() as reader:
        prepared = PreparedInput(run.format, run.source)
        if is_archive(path):
            shutil.copyfile(path, folder / path.name)
            prepared = reader.prepare(folder, run.format)
        yield OpenSource(prepared.format, reader.records(prepared, position))


@contextmanager
def _scratch(run: Import) -> Iterator[Path]:
    """An empty folder, removed afterwards; what a killed worker left of it is removed first."""
    folder = settings.GOLDPAN_HOME / "tmp" / f"import-{run.pk}"
    shutil.rmtree(folder, ignore_errors=True)
    files = folder / "files"
    files.mkdir(parents=True)
    try:
        yield files
    except FormatError as error:
        # Nobody has seen this folder, and it is gone by then.
        raise FormatError(str(error).replace(str(files), "the import"), error.cause) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def open_source(run: Import, position: int = 0) -> AbstractContextManager[OpenSource]:
    """The records of an import from a position on. Raises FormatError for what cannot be read at all."""
    if run.format in FETCHED_FORMATS:
        return open_addresses(run)
    return open_path(run, position) if run.source_kind == SourceKind.PATH else open_upload(run, position)
