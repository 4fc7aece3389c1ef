"""The ES modules that a screen needs, so that its page can preload all of them."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django.contrib.staticfiles import finders

_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from "(\.[^"]+)";|^import "(\.[^"]+)";', re.MULTILINE)


@cache
def graph(entry: str) -> tuple[str, ...]:
    """Return an entry and all that it imports, directly or not, as names of static files, nearest first.

    Raises FileNotFoundError for a file that does not exist.
    """
    found = {entry: None}
    unread = [entry]
    while unread:
        imported = [name for name in _imports(unread.pop(0)) if name not in found]
        found.update(dict.fromkeys(imported))
        unread.extend(imported)
    return tuple(found)


def _imports(name: str) -> list[str]:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(name)
    text = Path(path).read_text(encoding="utf-8")
    return [normpath(join(dirname(name), one or two)) for one, two in _IMPORT.findall(text)]
