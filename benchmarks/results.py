"""RESULTS.md, part by part: what was measured, on which commit, beside how much other work."""

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from benchmarks import published

#: Ends the name of a commit that is not just what was measured.
CHANGED = "+changes"

_PART = re.compile(r"<!-- part (\w+), (\S+) -->\n\n")


@dataclass
class Results:
    """The sections of the report by the name of their part; each is kept as soon as it is measured."""

    path: Path
    parts: tuple[str, ...]
    sections: dict[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, parts: tuple[str, ...]) -> Self:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        _, *pieces = _PART.split(text)
        found = zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
        return cls(path, parts, {name: (commit, body.strip()) for name, commit, body in found})

    def missing(self, commit: str) -> tuple[str, ...]:
        """The parts that were not measured on this commit; all of them on changed files."""
        return tuple(
            name
            for name in self.parts
            if commit.endswith(CHANGED) or self.sections.get(name, ("",))[0] != commit
        )

    def keep(self, name: str, text: str, *, commit: str, load: float) -> None:
        """Put one part's text into the report, in place of what was measured before."""
        title, _, rest = text.strip().partition("\n")
        when = f"*Commit {commit}; {os.cpu_count()} cores, load {load:.1f} before.*"
        self.sections[name] = (commit, f"{title}\n\n{when}\n{rest}".strip())
        written = (
            f"<!-- part {part}, {self.sections[part][0]} -->\n\n{self.sections[part][1]}"
            for part in self.parts
            if part in self.sections
        )
        draft = self.path.with_suffix(".draft")
        draft.write_text("\n\n".join([_heading(), *written]) + "\n", encoding="utf-8")
        draft.replace(self.path)


def standing_commit(folder: Path) -> str:
    """The commit that stands there, in short; with a mark where files differ from it."""

    def git(*words: str) -> str:
        told = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True)
        return told.stdout.strip()

    try:
        differs = git("status", "--porcelain", "--", ":/", ":!*RESULTS.md")
        return git("rev-parse", "--short", "HEAD") + (CHANGED if differs else "")
    except (FileNotFoundError, subprocess.CalledProcessError):
        return f"unknown{CHANGED}"


def _heading() -> str:
    return (
        f"# Benchmarks\n\nMade by `make bench`. Speed and memory are measured on {published.pages_text()}, "
        "quality on every corpus with gold that lies beside the project. Ratios and shares, not seconds, are "
        "what counts. Each part says on which commit it was measured, and beside how much other work."
    )
