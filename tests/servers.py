"""Throwaway servers: real PostgreSQL and Valkey in a temporary folder, gone afterwards.

`python -m tests.servers COMMAND ...` runs a command with them.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from launcher.data_folder import DataFolder
from launcher.servers import running
from launcher.stop_requests import StopRequests


@contextmanager
def servers(kept: Path | None = None) -> Iterator[dict[str, str]]:
    """Start both servers, without fsync; yield GOLDPAN_HOME, DATABASE_URL, REDIS_URL and SECRET_KEY.

    The role may create databases. Takes about a second. `kept`: a folder that is not deleted afterwards.
    """
    folder = kept or Path(tempfile.mkdtemp(prefix="goldpan-test-"))
    folder.mkdir(parents=True, exist_ok=True)
    if os.geteuid() == 0:
        folder.chmod(0o711)  # the servers' account passes through
    data = DataFolder(folder / "var")
    try:
        data.prepare()
        with data.locked(), running(data, {}, StopRequests(), throwaway=True) as (urls, _processes):
            yield {"GOLDPAN_HOME": str(data.root), "SECRET_KEY": data.secret("secret_key"), **urls}
    finally:
        if not kept:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    with servers() as environment:
        sys.exit(subprocess.run(sys.argv[1:], check=False, env={**os.environ, **environment}).returncode)
