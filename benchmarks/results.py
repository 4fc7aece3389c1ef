"""RESULTS.md, part by part, with the commit and the system load of each measurement."""

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from benchmarks import published_corpora

#: Suffix of the commit if the working tree had changes.
CHANGED = "+changes"
#: The commit if there is no repository.
UNKNOWN = f"unknown{CHANGED}"

_PART = re.compile(r"<!-- part (\w+), (\S+) -->\n\n")


@dataclass
class Results:
    """The sections of the report by part; each is written as soon as it is measured."""

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
        """Return the parts not measured on this commit; all of them if the working tree has changes."""
        return tuple(
            name
            for name in self.parts
            if commit.endswith(CHANGED) or self.sections.get(name, ("",))[0] != commit
        )

    def write(self, name: str, text: str, *, commit: str, load: float) -> None:
        """Replace the section of one part, and write the report."""
        title, _, rest = text.strip().partition("\n")
        when = f"*{_measured(commit)}; {os.cpu_count()} cores, load {load:.1f} at the start.*"
        self.sections[name] = (commit, f"{title}\n\n{when}\n{rest}".strip())
        written = (
            f"<!-- part {part}, {self.sections[part][0]} -->\n\n{self.sections[part][1]}"
            for part in self.parts
            if part in self.sections
        )
        draft = self.path.with_suffix(".draft")
        draft.write_text("\n\n".join([_heading(), *written]) + "\n", encoding="utf-8")
        draft.replace(self.path)


def current_commit(folder: Path) -> str:
    """Return the short hash of the current commit, with a suffix if the working tree has changes."""

    def git(*words: str) -> str:
        result = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True)
        return result.stdout.strip()

    try:
        differs = git("status", "--porcelain", "--", ":/", ":!*RESULTS.md")
        return git("rev-parse", "--short", "HEAD") + (CHANGED if differs else "")
    except (FileNotFoundError, subprocess.CalledProcessError):
        return UNKNOWN


def _measured(commit: str) -> str:
    """What was measured, in words."""
    if commit == UNKNOWN:
        return "Not in a git repository"
    if commit.endswith(CHANGED):
        return f"Uncommitted changes to commit {commit.removesuffix(CHANGED)}"
    return f"Commit {commit}"


def yes_no(is_met: bool) -> str:
    """The cell of a table that says whether a target is met."""
    return "yes" if is_met else "no"


def _heading() -> str:
    return (
        "# Benchmarks\n\nWritten by `make bench`. Speed and memory are measured on "
        f"{published_corpora.pages_text()}, quality on every published corpus that is available. Compare "
        "ratios and shares, not seconds. Each part names the commit and the system load of its measurement."
    )
