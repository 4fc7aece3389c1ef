"""python -m benchmarks [speed] [quality] [importing] [offsets]: measure, print, write RESULTS.md.

Figures of speed are ratios of CPU time to a bare lxml parse of the same bytes, interleaved page by page in
this one run; nothing here passes or fails by the clock.
"""

import argparse
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from launcher.testing import servers

RESULTS = Path(__file__).parent / "RESULTS.md"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", help="speed, quality, importing, offsets; all when not given")
    parser.add_argument("--limit", type=int, help="pages, at most")
    options = parser.parse_args()
    with ExitStack() as stack:
        prepare(stack)
        from benchmarks import importing, offsets, quality, speed

        parts = {"speed": speed, "quality": quality, "importing": importing, "offsets": offsets}
        chosen = options.parts or list(parts)
        if unknown := set(chosen) - set(parts):
            parser.error(f"there is no part {', '.join(sorted(unknown))}")
        written = [_heading()]
        for name in chosen:
            written.append(parts[name].run(options.limit))
            print(f"\n{written[-1]}", flush=True)
    report = "\n\n".join(written) + "\n"
    if not options.parts and options.limit is None:
        RESULTS.write_text(report, encoding="utf-8")


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
    from tests.corpora import HAS_REAL_PAGES

    pages = "the 181 pages of the Scrapinghub benchmark" if HAS_REAL_PAGES else "our own ten demo pages"
    return (
        f"# Benchmarks\n\nMade by `make bench` on {pages}. Ratios and shares, not seconds, are what counts."
    )


if __name__ == "__main__":
    main()
