"""Log files: moved aside when large, and quoted when something fails."""

import shutil
from pathlib import Path

LARGEST_BYTES = 5 * 1024 * 1024
# With less free, a program may have failed because of it, and its log may lack what it said.
SCARCE_BYTES = 100 * 1000 * 1000


def rotated(path: Path) -> Path:
    """Move a log that has grown large to NAME.1, over an earlier one; return `path`."""
    if path.exists() and path.stat().st_size > LARGEST_BYTES:
        path.replace(path.with_name(path.name + ".1"))
    return path


def last_lines(path: Path, start: int = 0) -> str:
    """Return the end of a log, indented, for a message on the terminal; and that the disk is almost full.

    What is before byte `start` was written by earlier runs, and would be taken for why this one failed.
    """
    written = path.read_bytes()[start:] if path.exists() else b""
    lines = written.decode("utf-8", "replace").splitlines()[-12:]
    free = shutil.disk_usage(path.parent).free
    if free < SCARCE_BYTES:
        lines.append(f"{free / 1e6:.1f} MB are free on the disk of {path.parent}: make room, and try again.")
    return "\n".join(f"    {line}" for line in lines)
