"""One command and its environment: from the launcher that runs, or with servers started for it alone."""

import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from launcher import application, servers
from launcher.child import POLL_SECONDS, die_with_parent
from launcher.errors import LauncherError
from launcher.home import Home, read_json
from launcher.stops import Stops


@contextmanager
def environment(home: Home, given: Mapping[str, str], stops: Stops) -> Iterator[dict[str, str]]:
    """Variables with which `manage.py` works; servers that were not running are stopped afterwards."""
    home.prepare()
    if home.is_running():
        kept = read_json(home.environment_file)
        if not kept:
            raise LauncherError(
                f"Goldpan is just starting or stopping in {home.root}. Try again in a moment."
            )
        yield application.environment(home, kept, {**given, "SECRET_KEY": kept["SECRET_KEY"]})
        return
    with home.locked(), servers.running(home, given, stops) as (urls, _children):
        yield application.environment(home, urls, given)


def command(arguments: Sequence[str], values: Mapping[str, str], stops: Stops) -> int:
    """Run a command in our own group, so that the terminal is its own too; returns its exit status."""
    try:
        running = subprocess.Popen(
            list(arguments), env=dict(values), preexec_fn=die_with_parent(signal.SIGTERM)
        )
    except OSError as error:
        raise LauncherError(f"{arguments[0]} cannot be run: {error.strerror}.") from error
    told = False
    while (code := running.poll()) is None:
        if stops.asked() and not told:
            running.terminate()
            told = True
        time.sleep(POLL_SECONDS)
    return code if code >= 0 else 128 - code
