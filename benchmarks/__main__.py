"""python -m benchmarks [PART ...] [--limit PAGES]: measure, print, write RESULTS.md.

Speed is the ratio of CPU time to a bare lxml parse of the same bytes, interleaved page by page in one run.
Each part is written when it is finished, unless --limit is given. Without PART, the parts not yet measured on
this commit are run, so that an interrupted run resumes.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path

from tqdm import tqdm

from benchmarks.results import Results, current_commit
from tests.servers import servers

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

Part = Callable[[int | None], str]


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
    with ExitStack() as stack:
        if not WITHOUT_SERVERS.issuperset(chosen):
            prepare(stack)
        for name in tqdm(chosen, "parts", disable=None):
            load = os.getloadavg()[0]
            text = _measured(name, options.limit)
            if options.limit is None:
                results.write(name, text, commit=commit, load=load)


def _measured(name: str, limit: int | None) -> str:
    run: Part = import_module(f"benchmarks.{name}").run
    text = run(limit)
    tqdm.write(f"\n{text}")
    return text


def prepare(stack: ExitStack) -> None:
    """Start PostgreSQL and Valkey, and create the tables and static files. `scale` may keep its database."""
    kept = os.environ.get("GOLDPAN_SCALE_KEPT")
    os.environ.update(stack.enter_context(servers(Path(kept) if kept else None)))
    os.environ["DJANGO_SETTINGS_MODULE"] = "annotator.settings"
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
        subprocess.run([sys.executable, "manage.py", *command], check=True)
    import django

    django.setup()


if __name__ == "__main__":
    main()
