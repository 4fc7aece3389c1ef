"""python -m benchmarks [PART ...] [--limit PAGES]: measure, print, write RESULTS.md.

Figures of speed are ratios of CPU time to a bare lxml parse of the same bytes, interleaved page by page in
this one run; nothing here passes or fails by the clock. Each part on all pages is written when it is done;
without a name, those that were not measured on this commit yet: a run that was stopped goes on.
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

from benchmarks.results import Results, standing_commit
from launcher.testing import servers

RESULTS = Path(__file__).parent / "RESULTS.md"
#: In the order of the report; the last ones need servers. Each is a module with `run(limit) -> str`.
PARTS = (
    "speed",
    "memory",
    "quality",
    "java_words",
    "paper",
    "agreement",
    "coverage",
    "adjudication",
    "releases",
    "importing",
    "offsets",
    "workbench",
    "effort",
    "load",
)
WITH_SERVERS = frozenset({"releases", "importing", "offsets", "workbench", "effort", "load"})

Part = Callable[[int | None], str]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--limit", type=int, help="pages of each corpus, at most; nothing is written")
    parser.add_argument("--again", action="store_true", help="also what was measured on this commit")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    results, commit = Results.read(RESULTS, PARTS), standing_commit(RESULTS.parent)
    every = PARTS if options.again or options.limit else results.missing(commit)
    chosen = options.parts or every
    with ExitStack() as stack:
        if WITH_SERVERS.intersection(chosen):
            prepare(stack)
        for name in tqdm(chosen, "parts", disable=None):
            load = os.getloadavg()[0]
            text = _measured(name, options.limit)
            if options.limit is None:
                results.keep(name, text, commit=commit, load=load)


def _measured(name: str, limit: int | None) -> str:
    run: Part = import_module(f"benchmarks.{name}").run
    text = run(limit)
    tqdm.write(f"\n{text}")
    return text


def prepare(stack: ExitStack) -> None:
    """Servers of our own, with the tables and the static files."""
    os.environ.update(stack.enter_context(servers()))
    os.environ["DJANGO_SETTINGS_MODULE"] = "annotator.settings"
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
        subprocess.run([sys.executable, "manage.py", *command], check=True)
    import django

    django.setup()


if __name__ == "__main__":
    main()
