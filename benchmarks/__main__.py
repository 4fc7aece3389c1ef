"""python -m benchmarks [PART ...] [--limit PAGES]: measure, print, write RESULTS.md.

Speed is the ratio of CPU time to a bare lxml parse of the same bytes, interleaved page by page in one run.
Each part is written when it is finished, unless --limit is given. Without PART, the parts not yet measured on
this commit are run, so that an interrupted run resumes; all of them where there are uncommitted changes.
"""

import argparse
import os
import signal
from importlib import import_module
from pathlib import Path

from tqdm import tqdm

from benchmarks.results import Results, current_commit
from benchmarks.steps import printed_by

RESULTS = Path(__file__).parent / "RESULTS.md"
#: In the order of the report. Each is a module with `run(limit) -> str`.
PARTS = (
    "speed",
    "memory",
    "quality",
    "shrinking",
    "agreement",
    "releases",
    "exporting",
    "importing",
    "cost",
    "offsets",
    "look",
    "workbench",
    "load",
    "busy",
    "live",
    "scale",
)
WITHOUT_SERVERS = frozenset({"speed", "memory", "quality", "shrinking", "agreement"})


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--limit", type=int, help="maximum number of pages per corpus; nothing is written")
    parser.add_argument("--again", action="store_true", help="include parts already measured on this commit")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"unknown part: {', '.join(sorted(unknown))}")
    results, commit = Results.read(RESULTS, PARTS), current_commit(RESULTS.parent)
    every = PARTS if options.again or options.limit else results.missing(commit)
    chosen = options.parts or every
    for name in tqdm(chosen, "parts", disable=None):
        load = os.getloadavg()[0]
        text = _measured(name, options.limit)
        if options.limit is None:
            results.write(name, text, commit=commit, load=load)


def _measured(name: str, limit: int | None) -> str:
    if name in WITHOUT_SERVERS:
        text: str = import_module(f"benchmarks.{name}").run(limit)
    else:
        text = printed_by("benchmarks.part", name, *([] if limit is None else [str(limit)]))["text"]
    tqdm.write(f"\n{text}")
    return text


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    main()
