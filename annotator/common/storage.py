"""Content-addressed files: raw bytes, trees, views, exports. Written once, never changed."""

import gzip
import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from uuid import uuid4

from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, default_storage


class AtomicFiles(FileSystemStorage):
    """File storage in which a file is complete or does not exist.

    Otherwise a worker killed while writing would leave half a file under a digest, and storing the same bytes
    again would do nothing.
    """

    def _save(self, name: str, content: "File[bytes]") -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=".part-", delete=False) as part:
            written = Path(part.name)
            try:
                part.writelines(content.chunks())
                written.chmod(0o640)
                part.flush()
                os.fsync(part.fileno())
            except BaseException:
                written.unlink()
                raise
        written.replace(path)
        return name


def name_of(digest: str) -> str:
    """The file name of the bytes with this SHA-256."""
    return f"{digest[:2]}/{digest[2:4]}/{digest}"


def put(data: bytes) -> str:
    """Store the bytes, compressed, and return their SHA-256; storing them again does nothing.

    The digest is of `data` as given, so that it can be checked after reading.
    """
    digest = sha256(data).hexdigest()
    if not default_storage.exists(name_of(digest)):
        _save(name_of(digest), ContentFile(gzip.compress(data, 6, mtime=0)))
    return digest


def put_compressed(stream: bytes) -> str:
    """As `put`, of bytes that come as a gzip stream, which is stored as it is."""
    digest = sha256(gzip.decompress(stream)).hexdigest()
    if not default_storage.exists(name_of(digest)):
        _save(name_of(digest), ContentFile(stream))
    return digest


def get(digest: str) -> bytes:
    """Return the bytes with this SHA-256.

    Raises FileNotFoundError when they are not stored, ValueError when the file was tampered with.
    """
    data = gzip.decompress(compressed(digest))
    if sha256(data).hexdigest() != digest:
        raise ValueError(f"the stored file {digest} does not match its digest")
    return data


def compressed(digest: str) -> bytes:
    """Return the stored gzip stream, to be sent with `Content-Encoding: gzip`."""
    with default_storage.open(name_of(digest), "rb") as file:
        return bytes(file.read())


def put_file(path: Path, digest: str) -> None:
    """Store a finished file as it is, under its digest."""
    if not default_storage.exists(name_of(digest)):
        with path.open("rb") as source:
            _save(name_of(digest), File(source))


def put_part(name: str, data: bytes) -> None:
    """Store a part of an upload, which has a name of its own; a part that is there is replaced."""
    remove_part(name)
    default_storage.save(name, ContentFile(data))


def open_part(name: str) -> "File[bytes]":
    return default_storage.open(name, "rb")


def remove_part(name: str) -> None:
    """Delete the part, if it exists."""
    default_storage.delete(name)


def open_file(digest: str) -> "File[bytes]":
    return default_storage.open(name_of(digest), "rb")


def remove(digest: str) -> None:
    """Delete the file, if it exists."""
    default_storage.delete(name_of(digest))


def check_removal() -> None:
    """Raise OSError if no file can be removed at present: removing one that is not there shows it."""
    remove(sha256(uuid4().bytes).hexdigest())


def existing(digests: Iterable[str]) -> set[str]:
    """Those of the digests under which a file is stored."""
    return {digest for digest in digests if default_storage.exists(name_of(digest))}


def remove_all(digests: Iterable[str]) -> None:
    for digest in digests:
        remove(digest)


def _save(name: str, content: "File[bytes]") -> None:
    """Save the file; when another worker was faster, the copy saved under another name is deleted."""
    saved = default_storage.save(name, content)
    if saved != name:
        default_storage.delete(saved)
