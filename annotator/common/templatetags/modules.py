"""Modules of a screen, asked for at once."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from annotator.common.modules import graph

register = template.Library()


@register.simple_tag
def module(entry: str) -> SafeString:
    """A screen's script, and links to all that it imports: a browser would learn of them link by link."""
    links = format_html_join(
        "", '<link rel="modulepreload" href="{}">', ((static(name),) for name in graph(entry)[1:])
    )
    return format_html('{}<script type="module" src="{}"></script>', links, static(entry))
