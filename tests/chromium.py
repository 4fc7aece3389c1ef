"""The browser of the tests: Debian's Chromium, or Google Chrome. `python -m tests.chromium` installs it.

Most tests use its headless shell where that is there: the same engine without a desktop's windows, in which a
page costs a third of the processor's time.
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SHELL = "chromium-headless-shell"
ADVICE = "The browser tests need Chromium. Install it (Debian: apt-get install chromium) and run this again."


def find() -> str | None:
    """Return the path of an installed Chromium, or None. GOLDPAN_CHROMIUM names another."""
    named = os.environ.get("GOLDPAN_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def find_shell() -> str | None:
    """Return the path of Chromium's headless shell, or of Chromium. GOLDPAN_CHROMIUM stands for both."""
    return os.environ.get("GOLDPAN_CHROMIUM") or shutil.which(SHELL) or find()


def ensure() -> str:
    """Return the path of Chromium. If it is missing, root gets Debian's package, others exit with advice."""
    found = find()
    if not found:
        install("chromium", ADVICE)
    return found or find() or sys.exit(ADVICE)


def ensure_shell() -> str:
    """Return the path of the headless shell; where it cannot be installed, that of Chromium."""
    if not (os.environ.get("GOLDPAN_CHROMIUM") or shutil.which(SHELL)):
        try:
            install(SHELL, f"The browser tests take longer without {SHELL}.")
        except SystemExit as advice:
            print(advice)
    return find_shell() or ensure()


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
    print(f"Chromium for most tests: {ensure_shell()}")
