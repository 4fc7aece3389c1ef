"""celery -A tests.annotator.reparsing.planted_worker worker: a worker whose parser is the planted one."""

from typing import Any

from annotator.celery import app as app
from extraction import child_process as child
from tests.annotator.reparsing import planted

_usual = child.python_module


def _planted(name: str, *arguments: Any) -> list[str]:
    return _usual(planted.__name__ if name == "extraction.sandbox" else name, *arguments)


child.python_module = _planted
