"""Programs that get only so far with their work, and wait there to be killed, however late the test is.

`celery -A tests.held worker`, and `python -m tests.held COMMAND` for the commands of manage.py: where
`HELD_FUNCTION` names a function of ours, as "module:name", each process calls it `HELD_AFTER` times at most.
"""

import os
import signal
import time
from functools import reduce
from importlib import import_module
from itertools import count
from typing import Any

import django

from annotator.__main__ import main
from annotator.celery import app

__all__ = ["app", "settings"]

FUNCTION, AFTER = "HELD_FUNCTION", "HELD_AFTER"


def settings(function: str, *, after: int) -> dict[str, str]:
    """The variables of such a program."""
    return {FUNCTION: function, AFTER: str(after)}


def _hold(function: str, after: int) -> None:
    django.setup()
    module, _colon, path = function.partition(":")
    *owners, name = path.split(".")
    owner: Any = reduce(getattr, owners, import_module(module))
    usual, calls = getattr(owner, name), count()

    def held(*args: Any, **named: Any) -> Any:
        if next(calls) >= after:
            while True:
                time.sleep(1)
        return usual(*args, **named)

    setattr(owner, name, held)


if FUNCTION in os.environ:
    _hold(os.environ[FUNCTION], int(os.environ[AFTER]))

if __name__ == "__main__":
    # A shell that runs the tests in the background has them, and what they start, ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main("manage.py")
