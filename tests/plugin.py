"""Real servers for the whole session, started before Django reads its settings.

A private PostgreSQL and a private Valkey; Django makes its test database in the first, and the worker and web
processes that tests start are pointed at that database. Where pytest-xdist runs several processes of tests,
they share the servers and the collected static files; each has a test database (made by pytest-django), a
numbered database of Valkey and a home folder of its own. The tables of those databases are made once: each is
a copy of `TEMPLATE`.
"""

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import databases
from tests.servers import servers

# Ten seconds of a processor go into the migrations.
TEMPLATE = "test_template"
# Valkey has sixteen numbered databases; the first is for tests that run in one process.
MOST_PROCESSES = 15

_session = ExitStack()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    # A shell that runs us in the background has us ignore Ctrl-C, and all that we start inherits it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    process = os.environ.get("PYTEST_XDIST_WORKER")
    os.environ.update(_part_of(process) if process else _session.enter_context(servers()))
    os.environ["GOLDPAN_ENV"] = "development"
    os.environ["TIME_ZONE"] = "UTC"
    # Off by default; on here, so that their screens are looked at.
    os.environ["SECOND_FACTORS"] = "1"
    # Playwright's event loop runs in the tests' own thread; the ORM is used beside it, never inside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    os.environ["ALLOWED_HOSTS"] = "127.0.0.1,localhost,testserver"
    # Whoever wants no compiled modules kept would have every process of the tests compile them all again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if not process:
        command = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"]
        with subprocess.Popen(command, env=os.environ) as collecting:
            if early_config.known_args_namespace.numprocesses:
                _make_template()
        assert collecting.returncode == 0, "static files could not be collected"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Modules and tests are never garbage: let no collection look through them again, nor while they load."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _make_template() -> None:
    database = databases.create(TEMPLATE, Path(os.environ["GOLDPAN_HOME"]))
    database.migrate()
    os.environ["TEST_TEMPLATE"] = TEMPLATE


def _part_of(process: str) -> dict[str, str]:
    """What one of several processes ("gw0", "gw1", ...) has of the servers that their parent started."""
    number = int(process.removeprefix("gw")) + 1
    assert number <= MOST_PROCESSES, f"at most {MOST_PROCESSES} processes of tests"
    shared = Path(os.environ["GOLDPAN_HOME"])
    home = shared / process
    home.mkdir()
    (home / "static").symlink_to(shared / "static")
    return {
        "GOLDPAN_HOME": str(home),
        "REDIS_URL": os.environ["REDIS_URL"].replace("?db=0", f"?db={number}"),
    }


def pytest_unconfigure() -> None:
    _session.close()
