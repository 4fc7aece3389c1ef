"""The browser of the tests: Debian's Chromium, or Google's Chrome where somebody has it."""

import os
import shutil
import subprocess

from launcher.errors import LauncherError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """The path of an installed Chromium, or None. GOLDPAN_CHROMIUM names another."""
    named = os.environ.get("GOLDPAN_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def ensure() -> str:
    """The path of Chromium; if it is missing, root gets Debian's package, others are told what to install."""
    return find() or _install()


def _install() -> str:
    advice = (
        "The browser tests need Chromium. Install it (Debian: apt-get install chromium) and run this again."
    )
    apt = shutil.which("apt-get")
    if os.geteuid() != 0 or apt is None:
        raise LauncherError(advice)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", "chromium"]):
        if subprocess.run([apt, *arguments], env=quiet, check=False).returncode != 0:
            raise LauncherError(f"apt-get {arguments[0]} failed. {advice}")
    found = find()
    if found is None:
        raise LauncherError(advice)
    return found
