"""Numbers, intervals and axes in templates; a builtin of all templates."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import template
from django.template.defaultfilters import floatformat
from django.utils import formats
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.common.axis import Axis

register = template.Library()

MINUS = "\N{MINUS SIGN}"


@register.filter
def figure(value: float | None) -> str:
    """A share with three decimals: .951, 1.000, −.020 in English, 0,951 in Spanish; nothing for None."""
    if value is None:
        return ""
    digits = f"{abs(value):.3f}"
    text = _as_written(digits)
    return f"{MINUS}{text}" if value < 0 and float(digits) else text


@register.filter
def p_value(p: float | None) -> str:
    """A p-value; that it is small where it rounds to nothing, a dash where there is none."""
    if p is None:
        return "–"
    return f"< {figure(0.001)}" if p < 0.0005 else figure(p)


@register.filter
def tick_figure(tick: float) -> str:
    """A tick label: .85 in English, 0,85 in Spanish; whole numbers without a point."""
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
def percent(share: float | None, places: int | None = None) -> str:
    """A share in per cent, with a decimal below ten, or with as many as the others of its column."""
    if share is None:
        return ""
    if places is None:
        places = 1 if share < 0.1 else 0
    # Rounded here: `number_format` truncates.
    return f"{formats.number_format(round(100 * share, places), places)} %"


@register.simple_tag
def behind(value: float | None, best: float | None) -> str:
    """The difference of a figure from the best one; nothing for the best itself."""
    return "" if value is None or best is None else signed(value - best)


@register.simple_tag
def beside(figures: Any) -> SafeString:
    """A second figure of a row, with its own number of pages and interval in small print."""
    if figures.value is None:
        return format_html('<span class="meta">{}</span>', _("no page"))
    span = f"{figure(figures.low)}–{figure(figures.high)}, " if figures.low is not None else ""
    pages = ngettext("%(n)s page", "%(n)s pages", figures.n) % {"n": count(figures.n)}
    return format_html('{} <span class="meta">{}{}</span>', figure(figures.value), span, pages)


@register.filter
def count(value: int | None) -> str:
    """A whole number with the thousands separators of the language."""
    return "" if value is None else formats.number_format(value, force_grouping=True)


@register.filter
def clock(seconds: float | None) -> str:
    """Minutes and seconds: 3:08."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


@register.filter
def duration(seconds: float | None) -> str:
    """A duration: 2 h 41 min, 2 h, 41 min, 35 s."""
    if seconds is None:
        return ""
    if seconds < 60:
        return _("%(n)d s") % {"n": round(seconds)}
    hours, minutes = divmod(round(seconds / 60), 60)
    if not hours:
        return _("%(n)d min") % {"n": minutes}
    if not minutes:
        return _("%(hours)d h") % {"hours": hours}
    return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}


@register.filter
def milliseconds(seconds: float | None) -> str:
    """With a decimal, or two where the first would say that it takes no time."""
    if seconds is None:
        return ""
    decimals = 2 if seconds < 0.0001 else 1
    return formats.number_format(round(seconds * 1000, decimals), decimals)


@register.simple_tag
def interval(
    axis: Axis, value: float | None, low: float | None, high: float | None, people: Any = None
) -> SafeString:
    """An interval on the shared axis: a line from low to high, a point at the value.

    A value off the axis is drawn as an arrow, a withheld interval as a point. `people` has `value`, `low` and
    `high` of human agreement, drawn behind.
    """
    if value is None:
        return format_html('<span class="withheld-line">{}</span>', _("no data"))
    return format_html(
        '<svg class="ci" role="img" aria-label="{}">{}{}{}</svg>',
        _in_words(value, low, high),
        format_html_join("", '<line class="grid" x1="{0}" x2="{0}" y2="100%"/>', ((x,) for x in axis.grid())),
        _ceiling(axis, people),
        _point(axis, value, low, high),
    )


@register.simple_tag
def page_count(measured: Mapping[str, Any]) -> str:
    """The pages behind a figure of agreement, and how many they are worth where they are weighted."""
    pages = count(measured["n"])
    if not measured.get("effective"):
        return pages
    worth = _("effective %(n)s") % {"n": floatformat(measured["effective"], 0)}
    return format_html('{} <span class="meta">{}</span>', pages, worth)


@register.simple_tag
def interval_words(low: float | None, high: float | None) -> str:
    """An interval in words, or that it is withheld."""
    if low is None or high is None:
        return _("interval withheld below 30 pages")
    return _("%(low)s to %(high)s") % {"low": figure(low), "high": figure(high)}


@register.simple_tag
def axis_head(axis: Axis) -> SafeString:
    """The tick labels of the axis, for the head of its column."""
    ticks = ((axis.position(tick), tick_figure(tick)) for tick in axis.ticks)
    return format_html(
        '<svg class="ci axis" aria-hidden="true">{}</svg>',
        format_html_join("", '<text x="{}" y="84%">{}</text>', ticks),
    )


@register.simple_tag
def meter(value: int, largest: int) -> SafeString:
    """A bar as long as the value's share of the largest; the figure itself stands beside it."""
    width = f"{100 * value / largest:.1f}%" if largest else "0%"
    return format_html('<svg class="meter" aria-hidden="true"><rect width="{}" height="100%"/></svg>', width)


SPARK_WIDTH, SPARK_HEIGHT, SPARK_MARGIN = 132, 24, 2


@register.simple_tag
def spark(values: Sequence[float | None], title: str) -> SafeString:
    """A small line of figures without an axis; nothing for fewer than two."""
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return SafeString("")
    points = list(_spark_points(known))
    label = _("%(title)s, from %(first)s to %(last)s") % {
        "title": title,
        "first": figure(known[0]),
        "last": figure(known[-1]),
    }
    return format_html(
        '<svg class="spark" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="{2}">'
        '<path class="line" d="M{3}"/><circle class="full" cx="{4}" cy="{5}" r="2.5"/></svg>',
        SPARK_WIDTH,
        SPARK_HEIGHT,
        label,
        " ".join(f"{x:.1f} {y:.1f}" for x, y in points),
        *(f"{coordinate:.1f}" for coordinate in points[-1]),
    )


def _spark_points(values: Sequence[float]) -> Iterator[tuple[float, float]]:
    """The points of the line, from left to right; values that are all the same lie in the middle."""
    low, high = min(values), max(values)
    height = SPARK_HEIGHT - 2 * SPARK_MARGIN
    for index, value in enumerate(values):
        share = (value - low) / (high - low) if high > low else 0.5
        x = index * (SPARK_WIDTH - 2 * SPARK_MARGIN) / (len(values) - 1)
        yield x, SPARK_MARGIN + (1 - share) * height


def _as_written(figure: str) -> str:
    """A number as the language writes it: English omits the zero before the point, Spanish keeps it."""
    mark = formats.get_format("DECIMAL_SEPARATOR")
    if mark == ".":
        return figure.removeprefix("0") if figure.startswith("0.") else figure
    return figure.replace(".", mark)


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
            axis.position(people.low),
            axis.width(people.low, people.high),
        )
    return format_html(
        '{0}<line class="ceiling" x1="{1}" x2="{1}" y2="100%"/>', band, axis.position(people.value)
    )


def _point(axis: Axis, value: float, low: float | None, high: float | None) -> SafeString:
    if not axis.holds(value):
        return SafeString('<path class="off" d="m9 12 -5 5 5 5M4 17h14"/>')
    span = SafeString("")
    if low is not None and high is not None:
        span = format_html(
            '<line class="span" x1="{}" x2="{}" y1="50%" y2="50%"/>', axis.position(low), axis.position(high)
        )
    return format_html('{}<circle class="point" cx="{}" cy="50%" r="4"/>', span, axis.position(value))
