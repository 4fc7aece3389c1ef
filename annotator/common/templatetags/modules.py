"""Modules of a screen, asked for at once."""

from collections.abc import Iterable

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from annotator.common.modules import graph

register = template.Library()


@register.simple_tag
def module(entry: str, later: str = "") -> SafeString:
    """A screen's script, and links to all that it imports: a browser would learn of them link by link.

    Nothing is drawn before it has run: what a browser draws of half a screen delays the whole. `later` is
    what it imports once the screen is painted: links to that and to what it needs besides wait in a template.
    """
    first = graph(entry)
    links = _links(first[1:])
    waiting = [name for name in graph(later) if name not in first] if later else []
    return format_html(
        '{}<script type="module" blocking="render" src="{}"></script>{}',
        links,
        static(entry),
        format_html('<template id="later">{}</template>', _links(waiting)) if waiting else "",
    )


def _links(names: Iterable[str]) -> SafeString:
    return format_html_join("", '<link rel="modulepreload" href="{}">', ((static(name),) for name in names))
