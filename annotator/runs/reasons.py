"""Why an extractor gave a block its label: kept with the extraction as short rows, said in words on screen.

A row is `[start, end, label or None, probability of body, [[code, values], ...]]`, in JSON.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from annotator.common.words import LABELS, Words
from extraction.extractors import Reason

Row = list[Any]

# Most blocks of a page are far from being content; those below are not kept, so that rows stay small.
LEAST = 0.05
# Labels that the probability is about; the others are given by where a block stands.
BODY = frozenset({"body", "content"})

# What counted for a block, by the code of the finding, with the values that it brings.
FINDINGS: Mapping[str, Promise] = {
    "headline": _("stands as the headline"),
    "caption": _("stands as a caption"),
    "before-body": _("stands between headline and body"),
    "comments": _("stands among the comments"),
    "related": _("leads to other pages"),
    "words": ngettext_lazy(
        "%(words)s word, %(linked)s %% of it in links",
        "%(words)s words, %(linked)s %% of it in links",
        "words",
    ),
    "short": ngettext_lazy("only %(words)s word", "only %(words)s words", "words"),
    "near-prose": _("running text stands beside it"),
    "far-from-prose": _("no running text stands beside it"),
    "called": _("is called %(names)s"),
    "in-tag": _("stands in %(names)s"),
    "hidden": _("is hidden"),
    "plain": _("nothing in its names speaks against it"),
    "records": _("one of %(alike)s alike entries"),
    "alone": _("is not one of many alike entries"),
    "in-core": _("stands where most of the running text is"),
    "near-core": ngettext_lazy(
        "stands %(steps)s step from where most of the running text is",
        "stands %(steps)s steps from where most of the running text is",
        "steps",
    ),
    "before-core": _("comes before the article"),
    "after-core": _("comes after the article"),
    "container-prose": _("its container is mostly running text"),
    "container-links": _("its container is %(linked)s %% links"),
    "container-mixed": _("its container holds little running text"),
    "kind-prose": _("blocks made alike are mostly running text"),
    "kind-links": _("blocks made alike are %(linked)s %% links"),
    "kind-mixed": _("blocks made alike hold little running text"),
}
# What a page calls its elements, as the finding "called" names them.
KINDS: Words = {
    "comment": _("comment"),
    "related": _("related pages"),
    "share": _("share"),
    "navigation": _("navigation"),
    "footer": _("footer"),
    "side": _("side column"),
    "advertisement": _("advertisement"),
    "prompt": _("prompt"),
    "meta": _("details"),
    "caption": _("caption"),
    "media": _("media"),
    "hidden": _("hidden"),
    "summary": _("summary"),
}


def rows_of(reasons: Iterable[Reason]) -> list[Row]:
    """What is kept: the blocks with a label, and those that came near one."""
    return [
        [
            each.start,
            each.end,
            each.label,
            each.probability,
            [[code, values] for code, values in each.findings],
        ]
        for each in reasons
        if each.label or each.probability >= LEAST
    ]


def labelled(rows: Iterable[Row]) -> list[Row]:
    """Rows of the blocks that the extractor took."""
    return [row for row in rows if row[2]]


def in_words(rows: Iterable[Row]) -> list[tuple[int, str]]:
    """Where each block starts, and its row in the reader's language."""
    return [(start, _whole(label, probability, found)) for start, _end, label, probability, found in rows]


def of_the_others() -> str:
    """What is to be said of a block that no row was kept of."""
    return gettext("No label, below %(percent)s %% body") % {"percent": round(100 * LEAST)}


def _whole(label: str | None, probability: float, findings: list[tuple[str, dict[str, Any]]]) -> str:
    what = _taken_for(label, round(100 * probability))
    why = "; ".join(_finding(code, values) for code, values in findings)
    return gettext("%(what)s: %(why)s") % {"what": what, "why": why} if why else what


def _taken_for(label: str | None, percent: int) -> str:
    if not label:
        return gettext("No label, %(percent)s %% body") % {"percent": percent}
    title = str(LABELS.get(label, label))
    if label not in BODY:
        return title
    return gettext("%(label)s, %(percent)s %%") % {"label": title, "percent": percent}


def _finding(code: str, values: dict[str, Any]) -> str:
    """A code of another version or of a plugin says itself."""
    if code not in FINDINGS:
        return code
    if code == "called":
        values = {"names": ", ".join(str(KINDS.get(name, name)) for name in values["names"].split(", "))}
    return str(FINDINGS[code] % values)
