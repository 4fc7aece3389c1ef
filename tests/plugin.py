"""Real servers for the whole session, started before Django reads its settings.

A private PostgreSQL and a private Valkey; Django makes its test database in the first, and the worker and web
processes that tests start are pointed at that database.
"""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack

import pytest

from launcher.testing import servers

_session = ExitStack()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    # A shell that runs us in the background has us ignore Ctrl-C, and all that we start inherits it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    environment = _session.enter_context(servers())
    os.environ.update(environment)
    os.environ["GOLDPAN_ENV"] = "development"
    # Playwright's event loop runs in the tests' own thread; the ORM is used beside it, never inside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    os.environ["ALLOWED_HOSTS"] = "127.0.0.1,localhost,testserver"
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"], check=True, env=os.environ
    )


def pytest_unconfigure() -> None:
    _session.close()
