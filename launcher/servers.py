"""Both private servers together, and the URLs by which Goldpan's programs reach them."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from launcher import accounts, logs, programs
from launcher.accounts import ServerAccount
from launcher.data_folder import DataFolder
from launcher.errors import LauncherError
from launcher.postgres import PrivatePostgres
from launcher.process import POLL_SECONDS, ManagedProcess, stop_all
from launcher.stop_requests import StopRequests
from launcher.valkey import PrivateValkey

READY_SECONDS = 120.0


KINDS = (PrivateValkey, PrivatePostgres)


class Interrupted(Exception):
    """Raised when a stop is requested during the start."""


def given(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the URLs of the servers that the environment names, by variable."""
    return {kind.variable: environ[kind.variable] for kind in KINDS if environ.get(kind.variable)}


@contextmanager
def running(
    data: DataFolder, environ: Mapping[str, str], stops: StopRequests, *, throwaway: bool = False
) -> Iterator[tuple[dict[str, str], list[ManagedProcess]]]:
    """Start the servers whose URLs `environ` lacks; yield both URLs, by variable, and the processes.

    The caller holds the data folder's lock. `throwaway` trades what survives a power failure for speed.
    """
    urls = given(environ)
    missing = [kind for kind in KINDS if kind.variable not in urls]
    if not missing:
        yield urls, []
        return
    account = accounts.server_account()
    for path in (data.root, programs.postgres_program("postgres"), programs.valkey_program()):
        accounts.check_access(path, account)
    for folder in (data.postgres, data.valkey):
        accounts.check_owner(folder, account)
    processes: list[ManagedProcess] = []
    with ExitStack() as cleanup:
        sockets = cleanup.enter_context(_socket_folder(data, account))
        cleanup.callback(stop_all, processes, stops.impatient)
        started = [kind(data, sockets, account, throwaway) for kind in missing]
        for server in started:
            _prepare(server, stops)
            processes.append(ManagedProcess(server.program()))
            urls[server.variable] = server.url
        for server, process in zip(started, processes, strict=True):
            wait_until(server.is_ready, process, stops, READY_SECONDS)
        yield urls, processes


def _prepare(server: PrivatePostgres | PrivateValkey, stops: StopRequests) -> None:
    try:
        server.prepare()
    except LauncherError as error:
        # Whoever asks us to stop may have stopped what it runs as well: so does Ctrl-C.
        if stops.requested():
            raise Interrupted from error
        raise


def wait_until(
    is_ready: Callable[[], bool], process: ManagedProcess, stops: StopRequests, seconds: float
) -> None:
    """Wait until `is_ready()`, about `process`.

    Raises LauncherError when the process ends first or `seconds` pass, Interrupted when a stop is requested.
    """
    end = time.monotonic() + seconds
    while not is_ready():
        if stops.requested():
            raise Interrupted
        if process.exit_code not in (None, 0) or time.monotonic() > end:
            log = process.program.log
            written = logs.last_lines(log, process.log_start)
            raise LauncherError(f"{process.program.name} failed; see {log}:\n{written}")
        time.sleep(POLL_SECONDS)


@contextmanager
def _socket_folder(data: DataFolder, account: ServerAccount | None) -> Iterator[Path]:
    """Make a temporary folder for the sockets of one run; `data.sockets` is a link to it.

    A socket's path has at most 107 bytes, and no comma or space: GOLDPAN_HOME may be longer and have them.
    """
    if data.sockets.is_symlink():  # left by a launcher that was killed
        # Anybody may have put a link in its place meanwhile, which `rmtree` does not follow.
        shutil.rmtree(data.sockets.readlink(), ignore_errors=True)
        data.sockets.unlink()
    folder = accounts.private_folder(Path(tempfile.mkdtemp(prefix="goldpan-")), account)
    data.sockets.symlink_to(folder)
    try:
        accounts.check_access(folder, account)
        yield folder
    finally:
        data.sockets.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
