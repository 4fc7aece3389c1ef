"""The other browser of tests: Debian's Firefox ESR, or Firefox. `python -m tests.firefox` installs it."""

import os
import shutil
import sys

from tests.chromium import install

NAMES = ("firefox-esr", "firefox")
ADVICE = "Some tests need Firefox. Install it (Debian: apt-get install firefox-esr) and run this again."


def find() -> str | None:
    """Return the path of an installed Firefox, or None. GOLDPAN_FIREFOX names another."""
    named = os.environ.get("GOLDPAN_FIREFOX")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def ensure() -> str:
    """Return the path of Firefox. If it is missing, root gets Debian's package, others exit with advice."""
    found = find()
    if not found:
        install("firefox-esr", ADVICE)
    return found or find() or sys.exit(ADVICE)


if __name__ == "__main__":
    print(f"Firefox: {ensure()}")
