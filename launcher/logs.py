"""Log files: moved aside when large, and quoted when something fails."""

from pathlib import Path

LARGEST_BYTES = 5 * 1024 * 1024


def rotated(path: Path) -> Path:
    """Move a log that has grown large to NAME.1, over an earlier one; return `path`."""
    if path.exists() and path.stat().st_size > LARGEST_BYTES:
        path.replace(path.with_name(path.name + ".1"))
    return path


def last_lines(path: Path) -> str:
    """Return the end of a log, indented, for a message on the terminal."""
    if not path.exists():
        return ""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()[-12:]
    return "\n".join(f"    {line}" for line in lines)
