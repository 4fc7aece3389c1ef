"""Titles of measures, units and pairs, and why a figure or interval is withheld."""

import re

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.agreement.selection import ALL, BLIND, SHOWN, ReportSelection
from annotator.common.display_names import label_title
from annotator.common.templatetags.figures import count
from annotator.common.templatetags.names import label_set_title

MEASURES: dict[str, Promise] = {
    "krippendorff_alpha": gettext_lazy("Krippendorff’s α"),
    "cohen_kappa": gettext_lazy("Cohen’s κ"),
    "gwet_ac1": gettext_lazy("Gwet’s AC1"),
    "f1": gettext_lazy("F1 of marked text"),
    "observed": gettext_lazy("Observed"),
    "exact_f1": gettext_lazy("F1, exact boundaries"),
    "partial_f1": gettext_lazy("F1, overlapping"),
    "alpha_u_2016": gettext_lazy("αU (2016)"),
    "alpha_u": gettext_lazy("αU (1995)"),
}
UNITS: dict[str, Promise] = {
    "character": gettext_lazy("characters"),
    "word": gettext_lazy("words"),
    "block": gettext_lazy("blocks"),
    "span": gettext_lazy("spans"),
}
PAIRS: dict[str, Promise] = {
    BLIND: gettext_lazy("without suggestion"),
    SHOWN: gettext_lazy("with suggestion"),
    ALL: gettext_lazy("all"),
}
_REASONS: dict[str, Promise] = {
    "fewer than two annotators": gettext_lazy("fewer than two annotators"),
    "nobody marked it": gettext_lazy("not marked by anyone"),
    "fewer than two were shown nothing": gettext_lazy("with fewer than two annotators without suggestion"),
    "nobody was shown anything": gettext_lazy("without any suggestion"),
    "without two verdicts": gettext_lazy("without two verdicts"),
    "no character that counts": gettext_lazy("without text"),
    "its text is not known": gettext_lazy("with unknown text"),
    "waiting": gettext_lazy("not compared yet"),
    "failed": gettext_lazy("comparison failed"),
    "alone": gettext_lazy("with one annotator only"),
}
#: Of alpha_U of 1995, whose expected disagreement grows with the cubes of span lengths.
LONGEST_DECIDE = "no interval: its longest spans may decide it"
_WITHHELD: dict[str, Promise] = {
    "no page to compare": gettext_lazy("no pages to compare"),
    "undefined: everything has one value": gettext_lazy("undefined: only one value occurs"),
    "undefined: nobody marked anything": gettext_lazy("undefined: nothing is marked"),
    "no interval below 30 pages": gettext_lazy("interval withheld below 30 pages"),
    "no interval: undefined without one of the pages": gettext_lazy(
        "interval withheld: undefined without one of the pages"
    ),
    "no interval: it is the same whichever page is left out": gettext_lazy(
        "interval withheld: the same whichever page is left out"
    ),
    LONGEST_DECIDE: gettext_lazy("interval withheld: dominated by the longest spans"),
}
_TOO_FEW = re.compile(r"no interval: (\d+) pages have it")
_TOO_FEW_AGREE = re.compile(r"no interval: (\d+) pages have agreement on it, (\d+)")


def selection_titles(selection: ReportSelection) -> dict[str, object]:
    """What the figures of a selection are of, in words, as templates name it."""
    return {
        "measure": MEASURES[selection.measure],
        "unit": UNITS[selection.unit],
        "labels": labels_title(selection),
        "pairs": PAIRS[selection.pairs],
    }


def labels_title(selection: ReportSelection) -> str:
    """The title of a selection's labels."""
    if selection.view is None:
        return _("Each label")
    kind, name = selection.view
    return label_title(name) if kind == "label" else label_set_title(name)


def withheld_title(why: str | None) -> str:
    """Why there is no value or no interval; empty where there are both."""
    if why is None:
        return ""
    if few := _TOO_FEW.match(why):
        return _("interval withheld: only %(n)s of 30 pages") % {"n": few[1]}
    if agree := _TOO_FEW_AGREE.match(why):
        found = {"n": agree[1], "least": agree[2]}
        return _("interval withheld: agreement on only %(n)s of %(least)s pages") % found
    return str(_WITHHELD.get(why, why))


def reasons(excluded: dict[str, int]) -> str:
    """Excluded pages by reason, most first: 14 not marked by anyone, 2 without text."""
    most_first = sorted(excluded.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{count(pages)} {_REASONS.get(reason, reason)}" for reason, pages in most_first)
