"""Files by digest: written whole or not at all, by however many at once."""

import gzip
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from pytest_django import Settings

from annotator.common import storage


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    """A folder of this test's own."""
    backend = {"BACKEND": settings.STORAGES["default"]["BACKEND"], "OPTIONS": {"location": tmp_path}}
    settings.STORAGES = {**settings.STORAGES, "default": backend}
    return tmp_path


def files(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file()]


def test_a_gzip_stream_is_stored_as_it_came_under_the_digest_of_its_bytes() -> None:
    stream = gzip.compress(b"captured", 1, mtime=0)
    digest = storage.put_compressed(stream)
    assert storage.compressed(digest) == stream
    assert storage.get(digest) == b"captured"
    assert storage.put(b"captured") == digest
    assert storage.compressed(digest) == stream


def test_interrupted_write_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the disk is full or the worker is killed: the next one keeps the bytes after all."""

    def breaks_off(content: "ContentFile[bytes]") -> Iterator[bytes]:
        yield content.read(5)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ContentFile, "chunks", breaks_off)
        with pytest.raises(KeyboardInterrupt):
            storage.put(b"captured")
    assert files(folder) == []
    assert storage.get(storage.put(b"captured")) == b"captured"


def test_partial_file_of_a_killed_worker_does_not_count_as_stored(folder: Path) -> None:
    digest = storage.put(b"captured")
    kept = Path(default_storage.path(storage.name_of(digest)))
    kept.rename(kept.with_name(".part-of-a-dead-one"))
    assert storage.get(storage.put(b"captured")) == b"captured"


def test_same_bytes_may_be_stored_concurrently(folder: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        (digest,) = set(pool.map(lambda _: storage.put(b"captured"), range(40)))
    assert files(folder) == [digest]


def test_finished_file_is_stored_unchanged(folder: Path, tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.write_bytes(b"export")
    storage.put_file(given, "ab" * 32)
    with storage.open_file("ab" * 32) as kept:
        assert kept.read() == b"export"


def test_the_stored_stream_is_gzip_and_the_same_everywhere() -> None:
    digest = storage.put(b"captured")
    assert gzip.decompress(storage.compressed(digest)) == b"captured"
    assert storage.compressed(digest)[4:8] == bytes(4), "no clock in it"
