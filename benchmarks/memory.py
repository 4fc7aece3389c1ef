"""Peak memory of processes that read all pages, one process per program.

`python -m benchmarks.memory PROGRAM FORMAT PATH [LIMIT]` is such a process; it prints both as JSON.
"""

import importlib.util
import json
import re
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from benchmarks import published_corpora
from benchmarks.steps import printed_by
from extraction.formats import READERS

_STATUS = Path("/proc/self/status")
_PEAK = re.compile(r"^VmHWM:\s*(\d+) kB", re.MULTILINE)


def nothing() -> Callable[[bytes], object]:
    """Only the reader of the corpus."""
    return lambda _raw: None


def bare() -> Callable[[bytes], object]:
    """Only the lxml tree of a page."""
    from benchmarks.stopwatch import bare_parse

    return bare_parse


def goldpan() -> Callable[[bytes], object]:
    """Parsing and extraction by goldpan."""
    from extraction.extractors import extract
    from extraction.parsing.parse import parse

    return lambda raw: extract(parse(raw), "goldpan")


def trafilatura() -> Callable[[bytes], object]:
    """trafilatura in this process, without the imports of our extractors."""
    from trafilatura import extract

    from extraction.parsing.decode import decode

    return lambda raw: extract(decode(raw).text, include_comments=False)


PROGRAMS = {
    "reading the pages only": nothing,
    "bare lxml parse": bare,
    "goldpan": goldpan,
    "trafilatura": trafilatura,
}


def run(limit: int | None = None) -> str:
    """Return a table of peaks in MB, after the first and the last page."""
    if not _STATUS.exists():
        return "## Memory\n\nNot measured: this system does not report peak memory."
    rows = [_row(name, limit) for name in tqdm(PROGRAMS, desc="memory", disable=None)]
    intro = (
        f"Peak of resident memory (VmHWM) of a fresh process that reads {published_corpora.pages_text()}, "
        "page after page, including imports and the reader of the corpus."
    )
    head = ["| program | MB after the first page | MB after the last |", "| --- | ---: | ---: |"]
    return "\n".join(["## Memory", "", intro, "", *head, *rows])


def _row(name: str, limit: int | None) -> str:
    if name == "trafilatura" and importlib.util.find_spec(name) is None:
        return f"| {name} | not installed | |"
    format_, path = published_corpora.source()
    found = printed_by(
        "benchmarks.memory", name, format_, str(path), *([] if limit is None else [str(limit)])
    )
    return f"| {name} | {found['first'] / 1024:.0f} | {found['last'] / 1024:.0f} |"


def peaks(program: Callable[[bytes], object], format_: str, path: Path, limit: int | None) -> dict[str, int]:
    """Return the peaks of this process in KB, after the first and the last page."""
    first = 0
    for record in islice(READERS[format_].read(path), limit):
        program(record.raw)
        first = first or peak()
    return {"first": first, "last": peak()}


def peak() -> int:
    """Return the peak resident memory of this process, in KB."""
    found = _PEAK.search(_STATUS.read_text(encoding="ascii"))
    assert found, "Linux reports VmHWM to every process"
    return int(found[1])


if __name__ == "__main__":
    _, name_, format_, path_, *limit_ = sys.argv
    limited = int(limit_[0]) if limit_ else None
    print(json.dumps(peaks(PROGRAMS[name_](), format_, Path(path_), limited)))
