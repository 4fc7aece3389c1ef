"""The script of a screen and preload links for its modules; a builtin of all templates."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from annotator.common import catalogue

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


register = template.Library()


@register.simple_tag
def module(entry: str, later: str = "") -> SafeString:
    """Render the script of a screen, and preload links for all that it imports.

    Rendering is blocked until the script has run: drawing half a screen would delay the whole. `later` is a
    module that the script imports once the screen is painted; a template holds links to it
    and its imports.
    """
    return _tags(entry, later, static(entry))


# Dozens of links, on the screen that annotators open again and again. The address of an entry changes with
# all that it imports.
@cache
def _tags(entry: str, later: str, address: str) -> SafeString:
    first = graph(entry)
    links = _links(first[1:])
    waiting = [name for name in graph(later) if name not in first] if later else []
    return format_html(
        '{}<script type="module" blocking="render" src="{}"></script>{}',
        links,
        address,
        format_html('<template id="later">{}</template>', _links(waiting)) if waiting else "",
    )


@register.simple_tag
def javascript_catalog() -> SafeString:
    """The messages of scripts; deferred, so that they are there before the first module runs."""
    return format_html(
        '<script defer src="{}"></script>', catalogue.address(get_language() or settings.LANGUAGE_CODE)
    )


def _links(names: Iterable[str]) -> SafeString:
    return format_html_join("", '<link rel="modulepreload" href="{}">', ((static(name),) for name in names))
