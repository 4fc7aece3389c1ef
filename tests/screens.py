"""python -m tests.screens FOLDER: a picture of every screen, 1440 and 800 wide, light and dark.

They are for looking at, side by side: nothing here compares, or fails by what is on them.
"""

import argparse
import os
from contextlib import ExitStack
from pathlib import Path

from benchmarks.part import prepare


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.screens", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["SECOND_FACTORS"] = "1"
    with ExitStack() as stack:
        prepare(stack)
        # Models can be imported only now: before, there is no database to speak of.
        from tests import gallery

        print(f"{gallery.fill(folder)} pictures in {folder}")


if __name__ == "__main__":
    main()
