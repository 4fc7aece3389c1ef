"""The browser of the tests: Debian's Chromium, or Google Chrome. `python -m tests.chromium` installs it."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ADVICE = "The browser tests need Chromium. Install it (Debian: apt-get install chromium) and run this again."


def find() -> str | None:
    """Return the path of an installed Chromium, or None. GOLDPAN_CHROMIUM names another."""
    named = os.environ.get("GOLDPAN_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def ensure() -> str:
    """Return the path of Chromium. If it is missing, root gets Debian's package, others exit with advice."""
    found = find()
    if not found:
        install("chromium", ADVICE)
    return found or find() or sys.exit(ADVICE)


def install(package: str, advice: str) -> None:
    """Install a package of Debian as root; everybody else, and root without Debian, exits with advice."""
    apt = shutil.which("apt-get")
    if os.geteuid() != 0 or apt is None:
        sys.exit(advice)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", package]):
        if subprocess.run([apt, *arguments], env=quiet, check=False).returncode != 0:
            sys.exit(f"apt-get {arguments[0]} failed. {advice}")


if __name__ == "__main__":
    print(f"Chromium: {ensure()}")
