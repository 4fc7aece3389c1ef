"""A data folder that the servers' account can reach, and a stand-in for Django that starts in no time."""

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from launcher import servers
from launcher.data_folder import DataFolder
from launcher.stop_requests import StopRequests
from tests.processes import A_WHILE

CODE = Path(__file__).resolve().parents[2]
UNSET = (
    "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "GOLDPAN_ENV", "PORT",
    "DJANGO_SETTINGS_MODULE", "PYTHONPATH",
)  # fmt: skip
Start = Callable[..., AbstractContextManager[dict[str, str]]]


def plain_environment(**settings: str) -> dict[str, str]:
    """Our environment without what would make a launcher use other servers, or load other settings.

    The demo is a small one.
    """
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    return {**kept, "GOLDPAN_DEMO_PAGES": "10", **settings}


def processes_in(folder: Path) -> list[int]:
    """The processes whose working directory is `folder`, as that of each server is its data's."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if link.readlink() == folder:
                found.append(int(link.parts[2]))
        except OSError:  # it ended meanwhile
            continue
    return sorted(found)


def processes_of(root: Path) -> list[int]:
    """The launcher, web, worker and command processes whose data folder is `root`."""
    setting = f"GOLDPAN_HOME={root}".encode()
    found = []
    for file in Path("/proc").glob("[0-9]*/environ"):
        try:
            if setting in file.read_bytes().split(b"\0"):
                found.append(int(file.parts[2]))
        except OSError:
            continue
    return sorted(found)


@pytest.fixture(scope="module")
def module_folder() -> Iterator[Path]:
    """A temporary folder that any account may enter; pytest's own is closed to all but us."""
    made = Path(tempfile.mkdtemp(prefix="goldpan-test-"))
    made.chmod(0o711)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def folder(module_folder: Path) -> Path:
    """One for a single test."""
    made = Path(tempfile.mkdtemp(dir=module_folder))
    made.chmod(0o711)
    return made


@pytest.fixture
def data(folder: Path) -> DataFolder:
    """A prepared data folder in it."""
    made = DataFolder(folder / "var")
    made.prepare()
    return made


@pytest.fixture
def start() -> Start:
    """Both servers, as `make run` starts them; without waiting for the disk unless `durable`."""

    @contextmanager
    def started(data: DataFolder, *, durable: bool = False) -> Iterator[dict[str, str]]:
        running = servers.running(data, {}, StopRequests(), throwaway=not durable)
        with data.locked(wait_seconds=A_WHILE), running as (urls, _processes):
            yield urls

    return started


@pytest.fixture
def signals() -> Iterator[None]:
    """Whoever takes over signals in the test's own process: they are given back."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def checkout(folder: Path) -> Path:
    """The launcher beside a stand-in for the application, as a checkout of its own."""
    made = folder / "checkout"
    shutil.copytree(CODE / "tests" / "launcher" / "standin", made)
    shutil.copytree(CODE / "launcher", made / "launcher")
    shutil.copy(CODE / "annotator" / "web_worker.py", made / "annotator")
    return made
