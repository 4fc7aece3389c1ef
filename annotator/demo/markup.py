"""Filters and tags of the demo's templates; they wrap what belongs to the article in marks.

A mark is a private-use character, one for the beginning of each label and one for the end. The page is
composed with marks once; without them it is the page, and where they stood are its spans.
"""

import re
from html import escape

from django import template
from django.template import Context
from django.utils.safestring import SafeString, mark_safe

from extraction.spans import LABELS

register = template.Library()

_FIRST = 0xE000
END = "\ue0ff"
BEGIN = {label: chr(_FIRST + number) for number, label in enumerate(LABELS)}
LABEL = {mark: label for label, mark in BEGIN.items()}

_STRONG = re.compile(r"\*\*(.+?)\*\*")
_EMPHASIS = re.compile(r"\*(.+?)\*")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")


@register.filter
def inline(text: str) -> SafeString:
    """The text as HTML: `*emphasis*`, `**strong**`, `[links](/address)`; `\\n` is a line break."""
    html = escape(text.strip(), quote=False)
    html = _LINK.sub(r'<a href="\2">\1</a>', html)
    html = _EMPHASIS.sub(r"<em>\1</em>", _STRONG.sub(r"<strong>\1</strong>", html))
    return mark_safe(html.replace(r"\n", "<br>"))  # noqa: S308 - escaped above


@register.filter
def mark(text: str, label: str) -> SafeString:
    """The same, known to belong to the article under this label."""
    return mark_safe(f"{BEGIN[label]}{inline(text)}{END}") if text.strip() else SafeString("")  # noqa: S308


@register.filter
def first(text: str) -> str:
    """What stands before a bar."""
    return text.partition("|")[0].strip()


@register.filter
def second(text: str) -> str:
    """What stands behind a bar."""
    return text.partition("|")[2].strip()


@register.simple_tag(takes_context=True)
def art(context: Context, name: str) -> str:
    """The picture `name`, drawn by style sheets; a number behind the name is its hue in degrees."""
    scene, _, hue = name.partition(" ")
    assert context.template is not None
    picture = context.template.engine.get_template(f"art/{scene}.html")
    return picture.render(Context({"hue": hue or "210"}))


@register.filter
def split(text: str) -> list[str]:
    """What stands between commas."""
    return [part.strip() for part in text.split(",") if part.strip()]
