"""Backup and restore: one tar with the database, the files and a manifest of their SHA-256.

manifest.json    {"format", "made_at", "files": {name: sha256}}: every other member, or it is refused
database.dump    pg_dump's custom format
files/...        GOLDPAN_HOME/files as it lies there
credentials.json the demo's sign-ins, where there are any
"""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO
from urllib.parse import unquote, urlsplit

from launcher import programs
from launcher.errors import LauncherError
from launcher.home import Home

FORMAT = 1
DUMP = "database.dump"
MANIFEST = "manifest.json"
CREDENTIALS = "credentials.json"
FILES = "files"
CHUNK = 1 << 20
EMPTY = Path(__file__).with_name("empty.sql")


def back_up(home: Home, database_url: str, target: Path) -> int:
    """Write the archive; returns how many files besides the database are in it. Goldpan may be running.

    The database is read in one snapshot first. Files are named by their digest and never change, so those
    copied afterwards are at least the ones that the snapshot speaks of.
    """
    if target.exists():
        raise LauncherError(f"{target} is there already. Choose another name with FILE=.")
    with _draft(home) as draft:
        dump = draft / DUMP
        options = ("--format=custom", "--no-owner", "--no-privileges", f"--file={dump}")
        _postgres("pg_dump", *options, database_url=database_url)
        members = {DUMP: dump, **dict(_files(home))}
        if home.credentials_file.exists():
            members[CREDENTIALS] = home.credentials_file
        _write(draft / "archive", members)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(draft / "archive", target)
    return sum(name.startswith(FILES + "/") for name in members)


def restore(home: Home, database_url: str, source: Path, *, force: bool) -> int:
    """Put an archive back, all or nothing as far as the database goes; returns how many files it held.

    Digests are verified before anything is changed. Data that is there is replaced with `force` only.
    """
    if not source.is_file():
        raise LauncherError(f"There is no backup {source}. Name one with FILE=.")
    if not force and not is_empty(home, database_url):
        raise LauncherError(
            f"There is data in {home.root} or in its database already. Restoring would replace all of it: "
            "make a backup first, then restore with FORCE=1."
        )
    with _draft(home) as draft:
        names = _unpack(source, draft)
        script = draft / "database.sql"
        _postgres("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(draft / DUMP))
        _postgres(
            "psql", "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1",
            f"--file={EMPTY}", f"--file={script}", "--output=/dev/null",
            database_url=database_url,
        )  # fmt: skip
        _swap_files(home, draft)
    return sum(name.startswith(FILES + "/") for name in names)


def is_empty(home: Home, database_url: str) -> bool:
    """Whether nothing would be lost: no file, and no table in the database."""
    count = _postgres(
        "psql", "--no-psqlrc", "--tuples-only", "--no-align",
        "--command=SELECT count(*) FROM pg_tables WHERE schemaname = 'public'",
        database_url=database_url,
    )  # fmt: skip
    return int(count) == 0 and next(_files(home), None) is None


@contextmanager
def _draft(home: Home) -> Iterator[Path]:
    # In the home, as that is where there is room for a copy of its files.
    folder = Path(tempfile.mkdtemp(prefix="archive-", dir=home.root))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _postgres(name: str, *arguments: str, database_url: str | None = None) -> str:
    command = [str(programs.postgres_program(name)), *arguments]
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PGTZ": "UTC", "PGCONNECT_TIMEOUT": "20"}
    if database_url is not None:
        place, password = _without_password(database_url)
        command += ["--dbname", place]
        environment["PGPASSWORD"] = password
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise LauncherError(f"{name} failed: {done.stderr.strip()}")
    return done.stdout


def _without_password(database_url: str) -> tuple[str, str]:
    """The URL as other users may see it in the list of processes, and the password."""
    parts = urlsplit(database_url)
    who, at, server = parts.netloc.rpartition("@")
    user, _, password = who.partition(":")
    rest = database_url.partition("://")[2].removeprefix(parts.netloc)
    return f"{parts.scheme}://{user}{at}{server}{rest}", unquote(password)


def _files(home: Home) -> Iterator[tuple[str, Path]]:
    for path in sorted(home.files.rglob("*")):
        if path.is_file():
            yield f"{FILES}/{path.relative_to(home.files).as_posix()}", path


def _write(target: Path, members: Mapping[str, Path]) -> None:
    digests: dict[str, str] = {}
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as stream, tarfile.open(fileobj=stream, mode="w") as archive:
        for name, path in members.items():
            with path.open("rb") as content:
                digests[name] = _digest(content)
                content.seek(0)
                archive.addfile(_member(name, path.stat().st_size), content)
        manifest = {"format": FORMAT, "made_at": datetime.now(UTC).isoformat(), "files": digests}
        described = json.dumps(manifest, indent=1).encode()
        with tempfile.TemporaryFile() as content:
            content.write(described)
            content.seek(0)
            archive.addfile(_member(MANIFEST, len(described)), content)


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size = size
    member.mode = 0o600
    return member


def _unpack(source: Path, folder: Path) -> list[str]:
    """Unpack below `folder` and verify every digest; returns the names."""
    found: dict[str, str] = {}
    try:
        with tarfile.open(source, mode="r:") as archive:
            for member in archive:
                found[member.name] = _unpack_one(archive, member, folder)
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (tarfile.TarError, OSError, ValueError) as error:
        raise LauncherError(f"{source} is not a whole backup of Goldpan: {error}") from error
    found.pop(MANIFEST, None)
    if manifest.get("format") != FORMAT:
        raise LauncherError(
            f"{source} was made by another version of Goldpan (format {manifest.get('format')})."
        )
    listed = manifest["files"]
    wrong = sorted(name for name in {*listed, *found} if listed.get(name) != found.get(name))
    if wrong or DUMP not in found:
        raise LauncherError(f"{source} is damaged, nothing was changed: {', '.join(wrong[:5]) or DUMP}")
    return sorted(found)


def _unpack_one(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> str:
    path = PurePosixPath(member.name)
    content = archive.extractfile(member) if member.isfile() else None
    if content is None or path.is_absolute() or ".." in path.parts:
        raise tarfile.TarError(f"unexpected member {member.name}")
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as copy:
        shutil.copyfileobj(content, copy, CHUNK)
    with target.open("rb") as copy:
        return _digest(copy)


def _digest(stream: IO[bytes]) -> str:
    return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]


def _swap_files(home: Home, draft: Path) -> None:
    """Put the unpacked files in place of the present ones."""
    (draft / FILES).mkdir(exist_ok=True)
    if home.files.exists():
        home.files.rename(draft / "replaced")
    (draft / FILES).rename(home.files)
    home.files.chmod(0o700)
    if (draft / CREDENTIALS).exists():
        (draft / CREDENTIALS).replace(home.credentials_file)
        home.credentials_file.chmod(0o600)
