"""One-off commands, with the servers of the launcher that runs, or with servers started for the command."""

import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from launcher import application, servers
from launcher.data_folder import DataFolder, read_json
from launcher.errors import LauncherError
from launcher.process import POLL_SECONDS, die_with_parent
from launcher.stop_requests import StopRequests


@contextmanager
def environment(
    data: DataFolder, environ: Mapping[str, str], stops: StopRequests
) -> Iterator[dict[str, str]]:
    """Yield the variables of a management command; servers that were not running are stopped afterwards."""
    data.prepare()
    urls = servers.given(environ)
    if len(urls) == len(servers.KINDS):
        # Nothing is started, so nobody else has to wait.
        yield application.environment(data, urls, environ)
        return
    if data.is_running():
        known = read_json(data.environment_file)
        if not known:
            raise LauncherError(
                f"Goldpan is just starting or stopping in {data.root}. Try again in a moment."
            )
        yield application.environment(data, known, {**environ, "SECRET_KEY": known["SECRET_KEY"]})
        return
    with data.locked(), servers.running(data, environ, stops) as (urls, _processes):
        yield application.environment(data, urls, environ)


def run_command(arguments: Sequence[str], values: Mapping[str, str], stops: StopRequests) -> int:
    """Run a command in our own process group, with our terminal; return its exit status."""
    try:
        process = subprocess.Popen(
            list(arguments), env=dict(values), preexec_fn=die_with_parent(signal.SIGTERM)
        )
    except OSError as error:
        raise LauncherError(f"{arguments[0]} cannot be run: {error.strerror}.") from error
    terminated = False
    while (code := process.poll()) is None:
        if stops.passed_on() and not terminated:
            process.terminate()
            terminated = True
        time.sleep(POLL_SECONDS)
    return code if code >= 0 else 128 - code
