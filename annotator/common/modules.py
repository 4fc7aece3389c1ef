"""The ES modules that a screen needs, so that its page can ask for all of them at once."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django.contrib.staticfiles import finders

_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from "(\.[^"]+)";|^import "(\.[^"]+)";', re.MULTILINE)


@cache
def graph(entry: str) -> tuple[str, ...]:
    """An entry and all that it imports, by way of others too, as names of static files, nearest first.

    Raises FileNotFoundError for a name that is none.
    """
    found = {entry: None}
    waiting = [entry]
    while waiting:
        imported = [name for name in _imports(waiting.pop(0)) if name not in found]
        found.update(dict.fromkeys(imported))
        waiting.extend(imported)
    return tuple(found)


def _imports(name: str) -> list[str]:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(name)
    text = Path(path).read_text(encoding="utf-8")
    return [normpath(join(dirname(name), one or two)) for one, two in _IMPORT.findall(text)]
