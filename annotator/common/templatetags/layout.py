"""The menu, dates and page outlines; a builtin of all templates."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django import template
from django.template import Context, defaultfilters
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotator.common import display_names

LINES = 11
WIDEST = 26
# Characters in a full line; a longer block has more lines.
FULL = 160

Block = Sequence[int]
Mark = tuple[int, int, int]


class OutlineLine(NamedTuple):
    y: int
    width: int
    number: int  # of the most frequent label in its text; 0: none


def lines_of(blocks: Sequence[Block], marks: Sequence[Mark]) -> list[OutlineLine]:
    """Return at most LINES lines of the page, evenly chosen, each with the label of its text."""
    every = [stretch for block in blocks for stretch in _stretches(block)]
    shown = min(LINES, len(every))
    chosen = [every[n * len(every) // shown] for n in range(shown)]
    return [
        OutlineLine(y=1 + 3 * n, width=_width(end - start), number=_main_label(marks, start, end))
        for n, (start, end) in enumerate(chosen)
    ]


def _stretches(block: Block) -> Iterator[tuple[int, int]]:
    """The parts of a block that fill a line each; the last may be shorter."""
    start, end = block
    return ((at, min(at + FULL, end)) for at in range(start, end, FULL))


def _width(length: int) -> int:
    return max(4, min(WIDEST, round(WIDEST * length / FULL)))


def _main_label(marks: Sequence[Mark], start: int, end: int) -> int:
    """The label with the most characters in the part, if it has at least a third of them; else 0."""
    marked: dict[int, int] = {}
    for low, high, number in marks:
        inside = min(high, end) - max(low, start)
        if inside > 0:
            marked[number] = marked.get(number, 0) + inside
    most = max(marked, key=lambda number: marked[number], default=0)
    return most if most and 3 * marked[most] >= end - start else 0


register = template.Library()

# What stands under an item of the menu: the beginnings of addresses in a corpus. The longest one holds.
MENU_ITEM_AT = {
    "": "corpus",
    "agreement/": "agreement",
    "audit-log/": "people",
    "audits/": "settings",
    "exports/": "exports",
    "feeds/": "imports",
    "guideline/": "guideline",
    "imports/": "imports",
    "leaderboard/": "leaderboard",
    "models/": "runs",
    "my-pages/": "home",
    "practice/": "home",
    "practice/setting/": "settings",
    "quality-checks/": "settings",
    "reannotation/": "guideline",
    "releases/": "releases",
    "runs/": "runs",
    "settings/": "settings",
    "settings/people/": "people",
}


@register.filter(expects_localtime=True)
def date(value: Any, form: str | None = None) -> str:
    """Django's filter of that name, with short month names in lower case where the language wants that."""
    month = pgettext("a month's short name, as in date(): b where it begins small", "M")
    return defaultfilters.date(value, form and form.replace("M", month))


@register.simple_tag
def today() -> str:
    """Today in words: Monday 5 October, as the language writes it."""
    return formats.date_format(timezone.localdate(), pgettext("how a day is written, as in date()", "l j F"))


@register.filter
def age(since: datetime) -> str:
    """How long ago this was, in its largest unit: 2 days, 1 hour, less than a minute."""
    if timezone.now() - since < timedelta(minutes=1):
        return _("less than a minute")
    return timesince(since, depth=1)


@register.simple_tag
def sorted_by(sort: str, name: str) -> SafeString:
    """The attribute of a column's head by which a list is sorted; nothing for the others."""
    if sort.removeprefix("-") != name:
        return SafeString("")
    return format_html(' aria-sort="{}"', "descending" if sort.startswith("-") else "ascending")


@register.simple_tag(takes_context=True)
def menu_item(context: Context, screen: str, key: str) -> SafeString:
    """A link of the main menu, its key underlined in the title or after it."""
    slug = context["corpus"].slug if context.get("corpus") else ""
    return format_html(
        '<li><a href="{}"{} aria-keyshortcuts="g {}">{}</a></li>',
        reverse(screen) if screen in ("home", "health") else reverse(screen, args=[slug]),
        SafeString(' aria-current="page"') if item_at(context["request"].path, slug) == screen else "",
        key,
        _underlined(str(display_names.SCREENS[screen]), key),
    )


def item_at(path: str, slug: str) -> str:
    """The menu item of a screen, perhaps one of a corpus; "" where it is under none."""
    root = reverse("corpus", args=[slug]) if slug else ""
    if root and path.startswith(root):
        below = path.removeprefix(root)
        return MENU_ITEM_AT[max((start for start in MENU_ITEM_AT if below.startswith(start)), key=len)]
    of_the_site = {"home": "home", "health": "health", "site-audit-log": "health"}
    return next((item for screen, item in of_the_site.items() if path == reverse(screen)), "")


@register.simple_tag(takes_context=True)
def settings_tab(context: Context, screen: str, key: str) -> SafeString:
    """A link of the settings' tabs; the key opens it."""
    url = reverse(screen, args=[context["corpus"].slug])
    return format_html(
        '<a href="{}"{} aria-keyshortcuts="{}">{} <kbd>{}</kbd></a>',
        url,
        SafeString(' aria-current="page"') if context["request"].path.startswith(url) else "",
        key,
        display_names.SETTINGS_TABS[screen],
        key,
    )


@register.simple_tag
def silhouette(
    blocks: Sequence[Sequence[int]], spans: Iterable[Sequence[Any]], numbers: dict[str, int], width: int = 28
) -> SafeString:
    """The outline of a page with its marks in colour, without its text."""
    lines = lines_of(blocks, [(start, end, numbers.get(label, 0)) for start, end, label, *_more in spans])
    rects = ((_lane(line.number), line.y, line.width) for line in lines)
    return format_html(
        '<svg class="silhouette" viewBox="0 0 28 36" width="{}" height="{}" aria-hidden="true">{}</svg>',
        width,
        width * 36 // 28,
        format_html_join("", '<rect{} x="1" y="{}" width="{}" height="2"/>', rects),
    )


def _lane(number: int) -> SafeString:
    return format_html(' data-n="{}"', number) if number else SafeString("")


def _underlined(title: str, key: str) -> SafeString:
    at = title.lower().find(key)
    if at < 0:
        return format_html("{} <kbd>{}</kbd>", title, key)
    return format_html("{}<u>{}</u>{}", title[:at], title[at], title[at + 1 :])
