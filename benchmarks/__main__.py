"""python -m benchmarks [PART ...] [--limit PAGES]: measure, print, write RESULTS.md.

Figures of speed are ratios of CPU time to a bare lxml parse of the same bytes, interleaved page by page in
this one run; nothing here passes or fails by the clock. Only a run of all parts on all pages writes.
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

from benchmarks import published
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
    "importing",
    "offsets",
    "workbench",
    "effort",
    "load",
)
WITH_SERVERS = frozenset({"importing", "offsets", "workbench", "effort", "load"})

Part = Callable[[int | None], str]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"{', '.join(PARTS)}; all when not given")
    parser.add_argument("--limit", type=int, help="pages of each corpus, at most")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    chosen = options.parts or PARTS
    with ExitStack() as stack:
        if WITH_SERVERS.intersection(chosen):
            prepare(stack)
        written = [
            _heading(),
            *(_measured(name, options.limit) for name in tqdm(chosen, "parts", disable=None)),
        ]
    if not options.parts and options.limit is None:
        RESULTS.write_text("\n\n".join(written) + "\n", encoding="utf-8")


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


def _heading() -> str:
    return (
        f"# Benchmarks\n\nMade by `make bench`. Speed and memory are measured on {published.pages_text()}, "
        "quality on every corpus with gold that lies beside the project. Ratios and shares, not seconds, are "
        "what counts."
    )


if __name__ == "__main__":
    main()
