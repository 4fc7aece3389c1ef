"""Backup and restore: one tar with the database, the files and a manifest of their SHA-256.

manifest.json    {"format", "made_at", "files": {name: sha256}} of every other member
database.dump    pg_dump's custom format
files/...        GOLDPAN_HOME/files
credentials.json the demo's sign-ins, if there are any

It may be encrypted as a whole.
"""

import hashlib
import io
import json
import shutil
import signal
import subprocess
import tarfile
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from errno import EDQUOT, ENOSPC
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO
from urllib.parse import unquote, urlsplit

from launcher import encryption, programs
from launcher.data_folder import DataFolder, private_file, try_to_lock
from launcher.errors import LauncherError
from launcher.process import die_with_parent

FORMAT = 1
DUMP = "database.dump"
MANIFEST = "manifest.json"
CREDENTIALS = "credentials.json"
FILES = "files"
# As a new database has it. The role that restores owns the database.
EMPTY_SCHEMA = """
SET LOCAL client_min_messages = warning;
DROP SCHEMA public CASCADE;
CREATE SCHEMA public AUTHORIZATION pg_database_owner;
GRANT USAGE ON SCHEMA public TO PUBLIC;
COMMENT ON SCHEMA public IS 'standard public schema';
"""


def back_up(data: DataFolder, database_url: str, target: Path, recipients: Sequence[str] = ()) -> int:
    """Write an archive; return how many files besides the database are in it. Goldpan may be running.

    The database is read first, in one snapshot. Files are named by their digest and never change, so those
    copied afterwards include all that the snapshot refers to. The archive gets its name when it is complete.
    With `recipients` it is encrypted for them.
    """
    if target.exists():
        raise LauncherError(f"{target} is there already. Choose another name.")
    _check_folder(target.parent)
    with _draft_folder(data) as draft:
        options = ("--format=custom", "--no-owner", "--no-privileges", f"--file={draft / DUMP}")
        _postgres("pg_dump", *options, database_url=database_url)
        members = {DUMP: draft / DUMP, **dict(_files(data))}
        if data.credentials_file.exists():
            members[CREDENTIALS] = data.credentials_file
        partial = target.with_name(f".{target.name}.partial")
        try:
            plain = draft / "archive" if recipients else partial
            with private_file(plain) as stream:
                _write(stream, members)
            if recipients:
                with private_file(partial) as stream:
                    encryption.encrypt(plain, stream, recipients)
            partial.rename(target)
        except OSError as error:
            where = error.filename or (data.root if recipients else target.parent)
            raise LauncherError(f"{where}: {error.strerror or error}. No backup was made.") from error
        finally:
            partial.unlink(missing_ok=True)
    return _count_files(members)


def make_folder(path: Path) -> None:
    """Make the folder for backups, unless it is there. Raises LauncherError where there is none above it."""
    _check_folder(path.parent)
    path.mkdir(exist_ok=True)


def _check_folder(path: Path) -> None:
    # It is mistyped, or on a disk that is not mounted: making it would fill another.
    if not path.is_dir():
        raise LauncherError(f"There is no folder {path}. Make it, or choose another.")


def restore(
    data: DataFolder, database_url: str, source: Path, *, force: bool, identity_file: Path | None = None
) -> int:
    """Restore an archive, the database in one transaction; return how many files were in it.

    Digests are verified before anything is changed. Existing data is replaced with `force` only. An encrypted
    archive needs the file with the private key.
    """
    if not source.is_file():
        raise LauncherError(f"There is no backup {source}.")
    if not force and not is_empty(data, database_url):
        raise LauncherError(
            f"There is data in {data.root} or in its database already. Restoring would replace all of it: "
            "make a backup first, then restore with FORCE=1 (goldpan restore --force)."
        )
    with _draft_folder(data) as draft:
        if encryption.is_encrypted(source):
            encryption.decrypt(source, draft / "archive", identity_file)
            source = draft / "archive"
        members = _unpack(source, draft)
        script = draft / "database.sql"
        _postgres("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(draft / DUMP))
        there = {name for name, _ in _files(data)}
        # Before the rows that name them: wherever a restore is stopped, no row is without its file.
        try:
            _add_files(data, draft, members)
        except BaseException:
            _remove_files(data, but=there)
            raise
        try:
            _postgres(
                "psql", "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1",
                f"--command={EMPTY_SCHEMA}", f"--file={script}", "--output=/dev/null",
                database_url=database_url,
            )  # fmt: skip
        except LauncherError:
            _remove_files(data, but=there)
            raise
        except KeyboardInterrupt as stopped:
            # The rows may be in already.
            raise KeyboardInterrupt(
                "Stopped while the database was replaced. Nothing is lost; restore again, with FORCE=1 "
                "(goldpan restore --force)."
            ) from stopped
        _remove_files(data, but=members)
        if (draft / CREDENTIALS).exists():
            (draft / CREDENTIALS).replace(data.credentials_file)
            data.credentials_file.chmod(0o600)
    return _count_files(members)


def is_empty(data: DataFolder, database_url: str) -> bool:
    """Return whether there is no file, and no table in the database."""
    count = _postgres(
        "psql", "--no-psqlrc", "--tuples-only", "--no-align",
        "--command=SELECT count(*) FROM pg_tables WHERE schemaname = 'public'",
        database_url=database_url,
    )  # fmt: skip
    return int(count) == 0 and next(_files(data), None) is None


@contextmanager
def _draft_folder(data: DataFolder) -> Iterator[Path]:
    """Make a folder for the parts of an archive, of which one at a time is written or read.

    It is in the data folder, as that is where there is room for a copy of its files.
    """
    with (data.root / "backup.lock").open("a", encoding="utf-8") as lock:
        if not try_to_lock(lock):
            raise LauncherError(
                f"Another backup or restore of {data.root} has not ended yet. Try again when it has."
            )
        for left_by_killed in data.root.glob("archive-*"):
            shutil.rmtree(left_by_killed, ignore_errors=True)
        with TemporaryDirectory(prefix="archive-", dir=data.root, ignore_cleanup_errors=True) as folder:
            yield Path(folder)


def _postgres(name: str, *arguments: str, database_url: str | None = None) -> str:
    command = [str(programs.postgres_program(name)), *arguments]
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PGTZ": "UTC", "PGCONNECT_TIMEOUT": "20"}
    if database_url is not None:
        url, password = _without_password(database_url)
        command += ["--dbname", url]
        environment["PGPASSWORD"] = password
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment,
        preexec_fn=die_with_parent(signal.SIGTERM),
    )  # fmt: skip
    if done.returncode != 0:
        raise LauncherError(f"{name} failed: {done.stderr.strip()}")
    return done.stdout


def _without_password(database_url: str) -> tuple[str, str]:
    """Return the URL as other users may see it in the list of processes, and the password."""
    parts = urlsplit(database_url)
    who, at, server = parts.netloc.rpartition("@")
    user, _, password = who.partition(":")
    rest = database_url.partition("://")[2].removeprefix(parts.netloc)
    return f"{parts.scheme}://{user}{at}{server}{rest}", unquote(password)


def _files(data: DataFolder) -> Iterator[tuple[str, Path]]:
    for path in sorted(data.files.rglob("*")):
        # A name with a dot is that of a file which is not complete yet.
        if path.is_file() and not path.name.startswith("."):
            yield f"{FILES}/{path.relative_to(data.files).as_posix()}", path


def _count_files(names: Mapping[str, object]) -> int:
    return sum(name.startswith(FILES + "/") for name in names)


def _write(stream: IO[bytes], members: Mapping[str, Path]) -> None:
    try:
        digests = {name: _digest(path) for name, path in members.items()}
        manifest = {"format": FORMAT, "made_at": datetime.now(UTC).isoformat(), "files": digests}
        content = json.dumps(manifest, indent=1).encode()
        with tarfile.open(fileobj=stream, mode="w") as archive:
            for name, path in members.items():
                with path.open("rb") as file:
                    archive.addfile(_member(name, path.stat().st_size), file)
            archive.addfile(_member(MANIFEST, len(content)), io.BytesIO(content))
    except FileNotFoundError as error:  # a page was taken down, or an export deleted
        raise LauncherError(f"{error.filename} was removed meanwhile. Make the backup again.") from error


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size = size
    member.mode = 0o600
    return member


def _unpack(source: Path, folder: Path) -> dict[str, str]:
    """Unpack an archive below `folder` and verify it; return the digest of each member by its name."""
    found: dict[str, str] = {}
    try:
        with tarfile.open(source, mode="r:") as archive:
            for member in archive:
                found[member.name] = _unpack_member(archive, member, folder)
        if MANIFEST not in found:
            raise tarfile.TarError(f"it has no {MANIFEST}, with which a backup ends")
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if not isinstance(manifest, dict) or "format" not in manifest:
            raise tarfile.TarError(f"its {MANIFEST} is another program's")
    except (tarfile.TarError, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in (ENOSPC, EDQUOT):
            raise LauncherError(f"{folder}: {error.strerror}. Nothing was changed.") from error
        raise LauncherError(
            f"{source} is not a whole backup of Goldpan, nothing was changed: {error}"
        ) from error
    found.pop(MANIFEST, None)
    if manifest.get("format") != FORMAT:
        raise LauncherError(
            f"{source} was made by another version of Goldpan (format {manifest.get('format')})."
        )
    listed = manifest.get("files", {})
    wrong = sorted(name for name in {*listed, *found} if listed.get(name) != found.get(name))
    if wrong or DUMP not in found:
        raise LauncherError(f"{source} is damaged, nothing was changed: {', '.join(wrong[:5]) or DUMP}")
    return found


def _unpack_member(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> str:
    path = PurePosixPath(member.name)
    content = archive.extractfile(member) if member.isfile() else None
    if content is None or path.is_absolute() or ".." in path.parts:
        raise tarfile.TarError(f"unexpected member {member.name}")
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as copy:
        shutil.copyfileobj(content, copy)
    return _digest(target)


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _add_files(data: DataFolder, draft: Path, members: Iterable[str]) -> None:
    """Put the files of the archive in place, one by one, as their folder may be a link, or of another disk.

    Each is whole or not there, as in `_files`.
    """
    data.files.mkdir(mode=0o700, exist_ok=True)
    for name in members:
        if name.startswith(FILES + "/"):
            target = data.files / PurePosixPath(name).relative_to(FILES)
            target.parent.mkdir(parents=True, exist_ok=True)
            partial = target.with_name(f".{target.name}.partial")
            try:
                shutil.move(draft / name, partial)
                partial.replace(target)
            finally:
                partial.unlink(missing_ok=True)


def _remove_files(data: DataFolder, *, but: Container[str]) -> None:
    for name, path in list(_files(data)):
        if name not in but:
            path.unlink()
