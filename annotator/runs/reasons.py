"""Why an extractor gave a block its label: stored with the extraction as short rows, described on screens.

A row is `[start, end, label or None, probability of body, [[code, values], ...]]`, in JSON.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from annotator.common.display_names import LABELS, Names
from extraction.extractors import BlockReason

ReasonRow = list[Any]

# Blocks with a lower probability of being body are not stored, which is most of a page.
MIN_PROBABILITY = 0.05
# The probability is that of these labels; the others are given by the position of a block.
BODY = frozenset({"body", "content"})

# Descriptions by the code of the finding, with placeholders for its values.
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
    "near-headline": ngettext_lazy(
        "stands %(steps)s block from the headline", "stands %(steps)s blocks from the headline", "steps"
    ),
    "no-headline": _("no headline was found"),
    "among-signs": _("stands among dates, signatures and buttons of comments"),
    "no-signs": _("no dates, signatures or buttons of comments stand around it"),
    "like-comments": _("reads like readers’ comments"),
    "unlike-comments": _("does not read like readers’ comments"),
    "container-prose": _("its container is mostly running text"),
    "container-links": _("its container is %(linked)s %% links"),
    "container-mixed": _("its container holds little running text"),
    "kind-prose": _("blocks made alike are mostly running text"),
    "kind-links": _("blocks made alike are %(linked)s %% links"),
    "kind-mixed": _("blocks made alike hold little running text"),
}
# The kinds of element names that the finding "called" lists.
KINDS: Names = {
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


def to_rows(reasons: Iterable[BlockReason]) -> list[ReasonRow]:
    """Return the rows to store: of blocks with a label, and of blocks close to one."""
    return [
        [
            each.start,
            each.end,
            each.label,
            each.probability,
            [[code, values] for code, values in each.evidence],
        ]
        for each in reasons
        if each.label or each.probability >= MIN_PROBABILITY
    ]


def labelled(rows: Iterable[ReasonRow]) -> list[ReasonRow]:
    """Return the rows of blocks with a label."""
    return [row for row in rows if row[2]]


def descriptions(rows: Iterable[ReasonRow]) -> list[tuple[int, str]]:
    """Return the start of each block and its description in the active language."""
    return [(start, _describe(label, probability, found)) for start, _end, label, probability, found in rows]


def description_without_row() -> str:
    """Return the description of blocks that have no row."""
    return gettext("No label, below %(percent)s %% body") % {"percent": round(100 * MIN_PROBABILITY)}


def _describe(label: str | None, probability: float, findings: list[tuple[str, dict[str, Any]]]) -> str:
    what = _title(label, round(100 * probability))
    why = "; ".join(_finding(code, values) for code, values in findings)
    return gettext("%(what)s: %(why)s") % {"what": what, "why": why} if why else what


def _title(label: str | None, percent: int) -> str:
    if not label:
        return gettext("No label, %(percent)s %% body") % {"percent": percent}
    title = str(LABELS.get(label, label))
    if label not in BODY:
        return title
    return gettext("%(label)s, %(percent)s %%") % {"label": title, "percent": percent}


def _finding(code: str, values: dict[str, Any]) -> str:
    """Describe a finding; an unknown code, of another version or a plugin, is shown as it is."""
    if code not in FINDINGS:
        return code
    if code == "called":
        values = {"names": ", ".join(str(KINDS.get(name, name)) for name in values["names"].split(", "))}
    return str(FINDINGS[code] % values)
