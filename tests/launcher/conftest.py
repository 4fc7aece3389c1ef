"""A home that the servers' account can reach, and a stand-in for Django that starts in no time."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from launcher import servers
from launcher.home import Home
from launcher.stops import Stops

CODE = Path(__file__).resolve().parents[2]
UNSET = (
    "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "GOLDPAN_ENV", "PORT",
    "DJANGO_SETTINGS_MODULE",
)  # fmt: skip
Start = Callable[..., AbstractContextManager[dict[str, str]]]


def plain_environment(**given: str) -> dict[str, str]:
    """Our environment without what would make a launcher use other servers, or load other settings."""
    return {name: value for name, value in os.environ.items() if name not in UNSET} | given


@pytest.fixture
def folder() -> Iterator[Path]:
    """A temporary folder that any account may enter; pytest's own is closed to all but us."""
    made = Path(tempfile.mkdtemp(prefix="goldpan-test-"))
    made.chmod(0o711)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def home(folder: Path) -> Home:
    """A prepared home in it."""
    made = Home(folder / "var")
    made.prepare()
    return made


@pytest.fixture
def start() -> Start:
    """Both servers in a home, as `make run` starts them; only where asked do they wait for the disk."""

    @contextmanager
    def started(home: Home, *, durable: bool = False) -> Iterator[dict[str, str]]:
        running = servers.running(home, {}, Stops(), throwaway=not durable)
        with home.locked(), running as (urls, _children):
            yield urls

    return started


@pytest.fixture
def checkout(folder: Path) -> Path:
    """The launcher beside a stand-in for the application, as a checkout of its own."""
    made = folder / "checkout"
    shutil.copytree(CODE / "tests" / "launcher" / "standin", made)
    shutil.copytree(CODE / "launcher", made / "launcher")
    return made
