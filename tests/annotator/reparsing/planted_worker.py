"""celery -A tests.annotator.reparsing.planted_worker worker: a worker whose parser is the planted one.

It can be held, as by tests.held.
"""

from typing import Any

from extraction import child_process as child
from tests.annotator.reparsing import planted
from tests.held import app as app

_usual = child.python_module


def _planted(name: str, *arguments: Any) -> list[str]:
    return _usual(planted.__name__ if name == "extraction.sandbox" else name, *arguments)


child.python_module = _planted
