"""Unpacking ZIP archives from strangers: under limits, with the reason for what is left out."""

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from extraction.formats.records import BadRecord, Cause, FormatError

#: File names of archives that are unpacked; a WACZ file is a ZIP archive with WARC files in it.
SUFFIXES = (".zip", ".wacz")
# Entries smaller than this, in bytes, may be compressed as much as they like.
_SMALL = 1 << 20
_CHUNK = 1 << 20
# What one import may unpack to: files, their bytes, and how many times its size an entry may become.
# Pages compress to a tenth, repetitive ones to a hundredth; a bomb to a thousandth.
_MAX_FILES, _MAX_BYTES, _MAX_RATIO = 100_000, 8 << 30, 200
# Bytes of a file's path, of the 4,096 that systems take: the rest is for the names of what may lie beside it.
_MAX_PATH = 4_000
# What operating systems put into archives, and nobody means to send.
_CLUTTER = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")

_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, struct.error, UnicodeDecodeError, ValueError)


@dataclass
class Unpacked:
    """How much was unpacked so far, of all archives of an import together."""

    files: int = 0
    bytes: int = 0

    @property
    def is_too_much(self) -> bool:
        return self.bytes > _MAX_BYTES or self.files > _MAX_FILES


def is_archive(path: Path) -> bool:
    """Whether a file is to be unpacked, by its name: office documents are ZIP archives too."""
    return path.is_file() and path.name.lower().endswith(SUFFIXES)


def unpack(archive: Path, folder: Path, name: str, unpacked: Unpacked) -> Iterator[BadRecord]:
    """Unpack an archive into a folder, which is made; yield what was left out, under the archive's `name`.

    Nothing leads out of the folder: names with `..`, absolute names and links are left out. Archives in the
    archive are not unpacked.
    """
    folder.mkdir(parents=True, exist_ok=True)
    seen: set[str] = set()
    try:
        with zipfile.ZipFile(archive) as opened:
            for entry in opened.infolist():
                if entry.is_dir() or _is_clutter(entry.filename):
                    continue
                try:
                    _unpack_entry(opened, entry, folder, seen, unpacked)
                except FormatError as error:
                    yield BadRecord.of(f"{name}/{_shown(entry.filename)}", error)
                    if unpacked.is_too_much:
                        return
    except _DAMAGE as error:
        reason = f"is no complete ZIP archive, so nothing of it can be read: {error}"
        yield BadRecord(name, reason, Cause.DAMAGED)


def _is_clutter(name: str) -> bool:
    return any(part in _CLUTTER for part in PurePosixPath(name).parts)


def _shown(name: str) -> str:
    return name.encode("utf-8", "replace").decode()[:200]


def _unpack_entry(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path, seen: set[str], unpacked: Unpacked
) -> None:
    """Write one entry; raises FormatError if it is left out."""
    target = folder / safe_name(entry.filename)
    if len(str(target).encode("utf-8", "replace")) > _MAX_PATH:
        raise FormatError("has a name that no file can have", Cause.UNSAFE_NAME)
    _check(entry, unpacked)
    if entry.filename in seen:
        raise FormatError("comes twice in the archive: the first one is used", Cause.REPEATED)
    seen.add(entry.filename)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as source, target.open("xb") as written:
            _copy(source, written, unpacked)
    except FormatError:
        target.unlink(missing_ok=True)
        raise
    except (*_DAMAGE, NotImplementedError, RuntimeError) as error:
        target.unlink(missing_ok=True)
        raise FormatError(f"is damaged in the archive: {error}", Cause.DAMAGED) from error
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise FormatError("has the name of another file or folder", Cause.REPEATED) from error


def safe_name(name: str) -> str:
    """A relative name that stays in its folder; raises FormatError for any other."""
    unified = name.replace("\\", "/")
    parts = unified.split("/")
    is_drive = len(parts[0]) == 2 and parts[0].endswith(":")
    if unified.startswith("/") or is_drive or ".." in parts or "\0" in unified:
        raise FormatError("has a name that leads out of the archive", Cause.UNSAFE_NAME)
    kept = [part for part in parts if part not in ("", ".")]
    if not kept or any(len(part.encode("utf-8", "replace")) > 250 for part in kept) or len(kept) > 40:
        raise FormatError("has a name that no file can have", Cause.UNSAFE_NAME)
    return "/".join(kept)


def _check(entry: zipfile.ZipInfo, unpacked: Unpacked) -> None:
    """Raise FormatError for an entry that is not written, by what the archive says of it."""
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise FormatError("is a symbolic link", Cause.LINK)
    if entry.flag_bits & 1:
        raise FormatError("is encrypted", Cause.ENCRYPTED)
    if entry.file_size > max(_SMALL, _MAX_RATIO * max(1, entry.compress_size)):
        raise FormatError(
            f"would be {entry.file_size} bytes, more than {_MAX_RATIO} times its packed size",
            Cause.BOMB,
        )
    unpacked.files += 1
    if unpacked.files > _MAX_FILES:
        raise FormatError(f"and what follows are left out: more than {_MAX_FILES} files", Cause.TOO_LARGE)


def _copy(source: IO[bytes], target: IO[bytes], unpacked: Unpacked) -> None:
    while chunk := source.read(_CHUNK):
        unpacked.bytes += len(chunk)
        if unpacked.bytes > _MAX_BYTES:
            raise FormatError(
                f"and what follows are left out: more than {_MAX_BYTES} bytes unpacked",
                Cause.TOO_LARGE,
            )
        target.write(chunk)
