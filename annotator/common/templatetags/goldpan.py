"""How figures, intervals and outlines are drawn, and how the menu is written; a builtin of all templates."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import template
from django.template import Context, defaultfilters
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info, ngettext, pgettext
from django.utils.translation import gettext as _

from annotator.common import words
from annotator.common.axis import Axis
from annotator.common.outline import lines_of

register = template.Library()

MINUS = "\N{MINUS SIGN}"

# Screens that lie behind one of the menu.
UNDER = {
    "practice": "home",
    "practice-setting": "study",
    "corpus-pages": "corpus",
    "stuck": "corpus",
    "reparsing": "corpus",
    "reparsing-page": "corpus",
    "agreement-pages": "agreement",
    "bias": "agreement",
    "leaderboard-pages": "leaderboard",
    "release": "releases",
    "releases-compare": "releases",
    "report": "releases",
    "near-duplicates": "releases",
    "cluster": "releases",
    "take-down": "releases",
    "page-gold": "corpus",
    "audits": "study",
    "renewal": "guideline",
    "guideline-version": "guideline",
    "guideline-compare": "guideline",
    "guideline-write": "guideline",
    "guideline-example": "guideline",
    "invite": "people",
    "roles-change": "people",
    "password-reset": "people",
    "control": "study",
}


@register.filter
def figure(value: float | None) -> str:
    """A share with three decimals: .951, 1.000, −.020 in English, 0,951 in Spanish; nothing for None."""
    if value is None:
        return ""
    digits = f"{abs(value):.3f}"
    text = _as_written(digits)
    return f"{MINUS}{text}" if value < 0 and float(digits) else text


@register.filter
def tick_figure(tick: float) -> str:
    """A figure at an axis: .85 in English, 0,85 in Spanish; whole ones without a point."""
    size = abs(tick)
    digits = _as_written(f"{size:.2f}") if size % 1 else f"{size:.0f}"
    return f"{MINUS}{digits}" if tick < 0 else digits


@register.filter
def signed(value: float | None) -> str:
    """A difference with its sign; nothing for none."""
    if value is None or not float(f"{value:.3f}"):
        return ""
    return figure(value) if value < 0 else f"+{figure(value)}"


@register.filter
def percent(share: float | None) -> str:
    """A share in per cent, with a decimal below ten."""
    if share is None:
        return ""
    places = 1 if share < 0.1 else 0
    # Rounded here: `number_format` cuts off.
    return f"{formats.number_format(round(100 * share, places), places)} %"


@register.simple_tag
def behind(value: float | None, best: float | None) -> str:
    """How far a figure lies from the best one; nothing for the best itself."""
    return "" if value is None or best is None else signed(value - best)


@register.simple_tag
def beside(figures: Any) -> SafeString:
    """A second figure of a row with its own number of pages and interval, said small."""
    if figures.value is None:
        return format_html('<span class="meta">{}</span>', _("no page"))
    span = f"{figure(figures.low)}–{figure(figures.high)}, " if figures.low is not None else ""
    pages = ngettext("%(n)d page", "%(n)d pages", figures.n) % {"n": figures.n}
    return format_html('{} <span class="meta">{}{}</span>', figure(figures.value), span, pages)


@register.filter
def count(value: int | None) -> str:
    """A whole number with thousands separators, as the language has them."""
    return "" if value is None else formats.number_format(value, use_l10n=True, force_grouping=True)


@register.filter
def clock(seconds: float | None) -> str:
    """Minutes and seconds: 3:08."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


@register.filter
def duration(seconds: float | None) -> str:
    """How long somebody was at it, as it is said: 2 h 41 min, 41 min, 35 s."""
    if seconds is None:
        return ""
    if seconds < 60:
        return _("%(n)d s") % {"n": round(seconds)}
    hours, minutes = divmod(round(seconds / 60), 60)
    if not hours:
        return _("%(n)d min") % {"n": minutes}
    return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}


@register.filter
def milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else formats.number_format(round(seconds * 1000, 1), 1)


@register.filter(expects_localtime=True)
def date(value: Any, form: str | None = None) -> str:
    """Django's filter of that name; where the language wants it, a month's short name begins small."""
    month = pgettext("a month's short name, as in date(): b where it begins small", "M")
    return defaultfilters.date(value, form and form.replace("M", month))


@register.filter
def label_title(name: str) -> str:
    """How a label is called on screen."""
    return str(words.LABELS.get(name, name.replace("-", " ").capitalize()))


@register.filter
def label_set_title(name: str) -> str:
    return str(words.LABEL_SETS.get(name, name))


@register.filter
def verdict_title(name: str) -> str:
    return str(words.VERDICTS.get(name, name))


@register.filter
def reason_title(name: str) -> str:
    """Why a page is not an article."""
    return str(words.REASONS.get(name, name))


@register.filter
def source_title(name: str) -> str:
    """How gold came about."""
    return str(words.SOURCES.get(name, name))


@register.filter
def refusal_title(name: str) -> str:
    """Why a page could not be parsed, in two words."""
    return str(words.REFUSALS.get(name, _("Failed")))


@register.filter
def work_title(kind: str) -> str:
    """What a kind of work is about."""
    return str(words.WORK.get(kind, kind))


@register.filter
def last_part(path: str) -> str:
    """The name of a file or folder, without the way to it."""
    return path.rstrip("/").rsplit("/", 1)[-1]


@register.simple_tag
def today() -> str:
    """The day in words: Monday 5 October, as the language says it."""
    return formats.date_format(timezone.localdate(), pgettext("how a day is written, as in date()", "l j F"))


@register.filter
def language_title(code: str) -> str:
    """A language's name in the language of the screen; its code where Django does not know it."""
    try:
        return str(get_language_info(code)["name_translated"]).capitalize()
    except KeyError:
        return code


@register.filter
def role_titles(roles: Iterable[str]) -> str:
    """Roles in words, in the order in which work flows."""
    held = set(roles)
    return ", ".join(str(title) for role, title in words.ROLES.items() if role in held)


@register.simple_tag(takes_context=True)
def menu_item(context: Context, screen: str, key: str) -> SafeString:
    """A link of the main menu, its key underlined in the title, or behind it."""
    request, corpus = context["request"], context.get("corpus")
    url = reverse(screen) if screen in ("home", "health") else reverse(screen, args=[corpus.slug])
    here = request.resolver_match.view_name if request.resolver_match else ""
    return format_html(
        '<li><a href="{}"{} aria-keyshortcuts="g {}">{}</a></li>',
        url,
        SafeString(' aria-current="page"') if UNDER.get(here, here) == screen else "",
        key,
        _underlined(str(words.SCREENS[screen]), key),
    )


@register.simple_tag
def interval(
    axis: Axis, value: float | None, low: float | None, high: float | None, people: Any = None
) -> SafeString:
    """An interval on the shared axis: a line from low to high, a point at the value.

    Off the axis it draws an arrow; a withheld interval leaves the point alone. `people` has `value`, `low`
    and `high` of the human ceiling, drawn behind.
    """
    if value is None:
        return format_html('<span class="withheld-line">{}</span>', _("nothing to show"))
    return format_html(
        '<svg class="ci" role="img" aria-label="{}">{}{}{}</svg>',
        _in_words(value, low, high),
        format_html_join("", '<line class="grid" x1="{0}" x2="{0}" y2="100%"/>', ((x,) for x in axis.grid())),
        _ceiling(axis, people),
        _point(axis, value, low, high),
    )


@register.simple_tag
def interval_words(low: float | None, high: float | None) -> str:
    """An interval in words; that it is withheld, and why, where there is none."""
    if low is None or high is None:
        return _("interval withheld below 30 pages")
    return _("%(low)s to %(high)s") % {"low": figure(low), "high": figure(high)}


@register.simple_tag
def axis_head(axis: Axis) -> SafeString:
    """The axis's figures, for the head of its column."""
    ticks = ((axis.place(tick), tick_figure(tick)) for tick in axis.ticks)
    return format_html(
        '<svg class="ci axis" aria-hidden="true">{}</svg>',
        format_html_join("", '<text x="{}" y="84%">{}</text>', ticks),
    )


@register.simple_tag
def silhouette(
    blocks: Sequence[Sequence[int]], spans: Iterable[Sequence[Any]], numbers: dict[str, int], width: int = 28
) -> SafeString:
    """A page's outline, its marks in colour: recognisable at a glance, readable by nobody."""
    lines = lines_of(blocks, [(start, end, numbers.get(label, 0)) for start, end, label, *_more in spans])
    rects = ((_lane(line.number), line.y, line.width) for line in lines)
    return format_html(
        '<svg class="silhouette" viewBox="0 0 28 36" width="{}" height="{}" aria-hidden="true">{}</svg>',
        width,
        width * 36 // 28,
        format_html_join("", '<rect{} x="1" y="{}" width="{}" height="2"/>', rects),
    )


def _as_written(figure: str) -> str:
    """A figure in the language's way: English leaves out the zero before its point, Spanish keeps it."""
    mark = formats.get_format("DECIMAL_SEPARATOR")
    if mark == ".":
        return figure.removeprefix("0") if figure.startswith("0.") else figure
    return figure.replace(".", mark)


def _lane(number: int) -> SafeString:
    return format_html(' data-n="{}"', number) if number else SafeString("")


def _underlined(title: str, key: str) -> SafeString:
    at = title.lower().find(key)
    if at < 0:
        return format_html("{} <kbd>{}</kbd>", title, key)
    return format_html("{}<u>{}</u>{}", title[:at], title[at], title[at + 1 :])


def _in_words(value: float, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return _("%(value)s, interval withheld") % {"value": figure(value)}
    return _("%(value)s, from %(low)s to %(high)s") % {
        "value": figure(value),
        "low": figure(low),
        "high": figure(high),
    }


def _ceiling(axis: Axis, people: Any) -> SafeString:
    if people is None or people.value is None or not axis.holds(people.value):
        return SafeString("")
    band = SafeString("")
    if people.low is not None:
        band = format_html(
            '<rect class="ceiling-band" x="{}" width="{}" height="100%"/>',
            axis.place(people.low),
            axis.width(people.low, people.high),
        )
    return format_html(
        '{0}<line class="ceiling" x1="{1}" x2="{1}" y2="100%"/>', band, axis.place(people.value)
    )


def _point(axis: Axis, value: float, low: float | None, high: float | None) -> SafeString:
    if not axis.holds(value):
        return SafeString('<path class="off" d="m9 12 -5 5 5 5M4 17h14"/>')
    span = SafeString("")
    if low is not None and high is not None:
        span = format_html(
            '<line class="span" x1="{}" x2="{}" y1="50%" y2="50%"/>', axis.place(low), axis.place(high)
        )
    return format_html('{}<circle class="point" cx="{}" cy="50%" r="4"/>', span, axis.place(value))
