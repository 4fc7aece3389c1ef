"""Log files: rotated by size when a start opens them, and quoted when something fails."""

from pathlib import Path

LARGEST = 5 * 1024 * 1024
KEPT = 3


def fresh(path: Path) -> Path:
    """Move a log that has grown large aside: NAME.1 is the newest of KEPT older ones."""
    if path.exists() and path.stat().st_size > LARGEST:
        for number in range(KEPT, 1, -1):
            older = path.with_name(f"{path.name}.{number - 1}")
            if older.exists():
                older.replace(path.with_name(f"{path.name}.{number}"))
        path.replace(path.with_name(f"{path.name}.1"))
    return path


def last_lines(path: Path, count: int = 12) -> str:
    """The end of a log, indented, for a message on the terminal."""
    if not path.exists():
        return ""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()[-count:]
    return "\n".join(f"    {line}" for line in lines)
