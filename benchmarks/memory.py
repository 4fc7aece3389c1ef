"""Peak memory: a fresh process for each program that reads every page, one after the other.

`python -m benchmarks.memory PROGRAM FORMAT PATH [LIMIT]` is such a process; it prints two numbers.
"""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from benchmarks import published
from extraction.formats import READERS

_STATUS = Path("/proc/self/status")
_PEAK = re.compile(r"^VmHWM:\s*(\d+) kB", re.MULTILINE)


def nothing() -> Callable[[bytes], object]:
    """The reader of the corpus alone."""
    return lambda _raw: None


def bare() -> Callable[[bytes], object]:
    """lxml's tree of a page, and nothing done with it."""
    from benchmarks.stopwatch import bare_parse

    return bare_parse


def goldpan() -> Callable[[bytes], object]:
    """Ours, all in."""
    from extraction.extractors import extract
    from extraction.parse import parse

    return lambda raw: extract(parse(raw), "goldpan")


def trafilatura() -> Callable[[bytes], object]:
    """trafilatura in this very process, without what our extractors import."""
    from trafilatura import extract

    from extraction.decode import decode

    return lambda raw: extract(decode(raw).text, include_comments=False)


PROGRAMS = {
    "the pages read, no more": nothing,
    "bare lxml parse": bare,
    "goldpan": goldpan,
    "trafilatura": trafilatura,
}


def run(limit: int | None = None) -> str:
    """A table of peaks in MB: after the first page, when all is imported, and after the last."""
    if not _STATUS.exists():
        return "## Memory\n\nNot measured: this system does not tell a process its peak."
    rows = [_row(name, limit) for name in tqdm(PROGRAMS, desc="memory", disable=None)]
    intro = (
        f"Peak of resident memory (VmHWM) of a fresh process that reads {published.pages_text()}, "
        "page after page, imports and the reader of the corpus included."
    )
    head = ["| program | MB after the first page | MB after the last |", "| --- | ---: | ---: |"]
    return "\n".join(["## Memory", "", intro, "", *head, *rows])


def _row(name: str, limit: int | None) -> str:
    if name == "trafilatura" and importlib.util.find_spec(name) is None:
        return f"| {name} | not installed | |"
    format_, path = published.source()
    command = [sys.executable, "-m", "benchmarks.memory", name, format_, str(path)]
    said = subprocess.run(
        [*command, *([] if limit is None else [str(limit)])], check=True, capture_output=True, text=True
    )
    first, last = map(int, said.stdout.split())
    return f"| {name} | {first / 1024:.0f} | {last / 1024:.0f} |"


def peaks(program: Callable[[bytes], object], format_: str, path: Path, limit: int | None) -> tuple[int, int]:
    """The peaks of this process in KB, after the first page and after the last."""
    first = 0
    for record in islice(READERS[format_].read(path), limit):
        program(record.raw)
        first = first or peak()
    return first, peak()


def peak() -> int:
    """The most resident memory that this process ever had, in KB."""
    found = _PEAK.search(_STATUS.read_text(encoding="ascii"))
    assert found, "Linux tells every process its VmHWM"
    return int(found[1])


if __name__ == "__main__":
    _, name_, format_, path_, *limit_ = sys.argv
    print(*peaks(PROGRAMS[name_](), format_, Path(path_), int(limit_[0]) if limit_ else None))
