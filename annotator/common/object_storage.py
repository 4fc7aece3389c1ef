"""Files in a bucket of S3, or of a service that speaks its protocol, instead of a folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from boto3.s3.transfer import S3TransferRetriesExceededError
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import File
from storages.backends.s3 import S3Storage

from annotator.common.errors import StorageAway

# Bytes of a file in memory; what is larger lies in a temporary file while it is read.
_IN_MEMORY = 16 << 20


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """Raise what the client raises as an error of the machine, which work is tried again after."""
    try:
        yield
    except (BotoCoreError, ClientError, S3TransferRetriesExceededError) as error:
        raise StorageAway(f"the bucket of files cannot be used: {error}") from error


class ObjectStorage(S3Storage):
    """Storage in a bucket: an object is complete or does not exist, as in `AtomicFiles`.

    Who we are is read from where Amazon's own tools read it: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`,
    a profile, or the role of the machine.
    """

    def __init__(self, *, bucket: str, endpoint: str, region: str, prefix: str) -> None:
        super().__init__(
            bucket_name=bucket,
            endpoint_url=endpoint or None,
            region_name=region or None,
            location=prefix,
            # Files are named by their digests: another file of the same name is the same file.
            file_overwrite=True,
            max_memory_size=_IN_MEMORY,
            client_config=Config(
                connect_timeout=10, read_timeout=60, retries={"max_attempts": 3, "mode": "standard"}
            ),
        )

    def exists(self, name: str) -> bool:
        with _as_os_errors():
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        with _as_os_errors():
            super().delete(name)

    def _open(self, name: str, mode: str = "rb") -> Any:
        with _as_os_errors():
            opened = super()._open(name, mode)
            opened.file  # noqa: B018 - it is fetched now, where what goes wrong is known
            return opened

    def _save(self, name: str, content: "File[bytes]") -> str:
        with _as_os_errors():
            return str(super()._save(name, content))
